import { parseArgs } from 'node:util';
import { Failure } from '../bootstrap/failure.mjs';

/** An option of a command. */
export interface Option {
	type: 'boolean' | 'string';
	/** What --help says of it. */
	help?: string;
	/** What stands for its value in --help, such as `N`. */
	value?: string;
	/** As it would be given; the value is false, undefined or an empty list without it. */
	default?: string;
	/** Whether it may be given several times; the value is a list then. */
	multiple?: true;
	/** A value for who leaves it out; the default without it. */
	example?: string;
	/** Makes the value of the text, or throws a Failure. */
	parse?: (text: string, option: string) => unknown;
}
export type Options = Record<string, Option>;

type Parsed<O> = O extends { parse: (...args: never[]) => infer T } ? T : string;
type Value<O> = O extends { type: 'boolean' } ? boolean : O extends { multiple: true } ? Array<Parsed<O>> : O extends { default: string } ? Parsed<O> : Parsed<O> | undefined;
/** The values of options, by their names. */
export type Values<O> = { [Name in keyof O]: Value<O[Name]> } & { help: boolean };

/**
 * Reads the command line of a script.
 * @param command as its user types it, such as `npm start`
 * @param options beside --help
 * @returns others: all arguments that belong to no option
 */
export function readArguments<const O extends Options>(command: string, args: string[], options: O): { values: Values<O>; others: string[] } {
	const all: Options = { ...options, help: { type: 'boolean' } };
	const { tokens } = parseArgs({ args, options: { ...all, help: { type: 'boolean', short: 'h' } }, strict: false, tokens: true });
	const values = Object.fromEntries(Object.entries(all).map(([name, option]) => [name, valueWithout(option)]));
	const taken = new Set<number>();
	for (const token of tokens) {
		// Of short options in one argument, as in `-t=phone`, none is meant for us.
		if (token.kind !== 'option' || !Object.hasOwn(all, token.name) || (token.rawName === '-h' && args[token.index] !== '-h')) continue;
		const { name, rawName, value, inlineValue, index } = token;
		const { type, multiple, default: preset, example = preset, parse = String } = all[name]!;
		if (type === 'boolean' && value !== undefined) throw new Failure(`The option ${rawName} takes no value.`);
		const isMissing = value === undefined || (!inlineValue && value.startsWith('--'));
		if (type === 'string' && isMissing) throw new Failure(`The option ${rawName} needs a value: ${command} -- ${rawName} ${example}`);
		const parsed = value === undefined || parse(value, rawName);
		values[name] = multiple ? [...(values[name] as unknown[]), parsed] : parsed;
		taken.add(index);
		if (value !== undefined && !inlineValue) taken.add(index + 1);
	}
	return { values: values as Values<O>, others: args.filter((_, index) => !taken.has(index)) };
}

/** The value of an option that is not given. */
function valueWithout({ type, default: text, multiple, parse = String }: Option): unknown {
	if (multiple) return [];
	return type === 'boolean' ? false : text && parse(text, '');
}

/** As {@link readArguments}, for a command that takes nothing but its options. @returns their values */
export function readOptions<const O extends Options>(command: string, args: string[], options: O): Values<O> {
	const { values, others } = readArguments(command, args, options);
	if (others.length > 0) throw new Failure(`${command} does not accept ${others[0]}. Put options after a double dash, as in ${command} -- --help, which lists them.`);
	return values;
}

/** A port, for the parse of an option. */
export function portNumber(text: string, option: string): number {
	const port = Number(text);
	if (!/^\d+$/.test(text) || port < 1 || port > 65535) throw new Failure(`${option} takes a port from 1 to 65535, not ${text}.`);
	return port;
}
