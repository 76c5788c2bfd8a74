import { parseArgs } from 'node:util';
import { Failure } from './failure.mjs';

/**
 * An option of a command.
 * @typedef {object} Option
 * @property {'boolean' | 'string'} type
 * @property {string} [default] as it would be given; false, undefined or an empty list without it
 * @property {true} [multiple] whether it may be given several times; the value is a list then
 * @property {string} [example] of a value, for who leaves it out; the default without it
 * @property {(text: string, option: string) => unknown} [parse] makes the value of the text, or throws a Failure
 */

/**
 * Reads the command line of a script.
 * @param {string} command as its user types it, such as `npm start`
 * @param {string[]} args
 * @param {Record<string, Option>} options beside --help
 * @returns {{ values: Record<string, any>, others: string[] }} values: of the options; others: all arguments that belong to none
 */
export function readArguments(command, args, options) {
	const all = { ...options, help: { type: 'boolean', short: 'h' } };
	const { tokens } = parseArgs({ args, options: all, strict: false, tokens: true });
	const known = tokens.filter(({ kind, name }) => kind === 'option' && Object.hasOwn(all, name));
	const values = Object.fromEntries(Object.entries(all).map(([name, option]) => [name, valueWithout(option)]));
	for (const { name, rawName, value, inlineValue } of known) {
		const { type, multiple, example = all[name].default, parse = String } = all[name];
		if (type === 'boolean' && value !== undefined) throw new Failure(`The option ${rawName} takes no value.`);
		const isMissing = value === undefined || (!inlineValue && value.startsWith('--'));
		if (type === 'string' && isMissing) throw new Failure(`The option ${rawName} needs a value: ${command} -- ${rawName} ${example}`);
		const parsed = type === 'boolean' || parse(value, rawName);
		values[name] = multiple ? [...values[name], parsed] : parsed;
	}
	const ofKnown = new Set(known.flatMap(({ index, value, inlineValue }) => (value === undefined || inlineValue ? [index] : [index, index + 1])));
	return { values, others: args.filter((_, index) => !ofKnown.has(index)) };
}

/** The value of an option that is not given. */
function valueWithout({ type, default: text, multiple, parse = String }) {
	if (multiple) return [];
	return type === 'boolean' ? false : text && parse(text);
}

/** As {@link readArguments}, for a command that takes nothing but its options. @returns their values */
export function readOptions(command, args, options) {
	const { values, others } = readArguments(command, args, options);
	if (others.length > 0) throw new Failure(`${command} does not know ${others[0]}. Options come after a double dash, as in ${command} -- --help, which lists them.`);
	return values;
}

/** A port, for the parse of an option. */
export function portNumber(text, option) {
	const port = Number(text);
	if (!/^\d+$/.test(text) || port < 1 || port > 65535) throw new Failure(`${option} takes a port from 1 to 65535, not ${text}.`);
	return port;
}
