import { parseArgs } from 'node:util';
import { Failure } from '../bootstrap/failure.mjs';

/** An option of a command, as parseArgs of Node takes it, and what is said of it. */
interface Option {
	type: 'boolean' | 'string';
	/** What --help says of it. */
	help: string;
	/** What stands for its value in --help, such as `N`. */
	value?: string;
	/** As it would be given; the value is false, undefined or an empty list without it. */
	default?: string;
	/** Whether it may be given several times; the value is a list then. */
	multiple?: true;
	/** The only values that it takes. */
	choices?: readonly string[];
	/** Makes its value a whole number, the least and the greatest that it takes. */
	range?: readonly [number, number];
}
type Options = Record<string, Option>;

const HELP = { help: { type: 'boolean', help: 'this text' } } as const;

type Parsed<O> = O extends { range: unknown } ? number : string;
type Given<O> = O extends { multiple: true } ? Array<Parsed<O>> : O extends { default: string } ? Parsed<O> : Parsed<O> | undefined;
type Value<O> = O extends { type: 'boolean' } ? boolean : Given<O>;
/** The values of options, by their names. */
export type Values<O> = { [Name in keyof O]: Value<O[Name]> } & { help: boolean };

/** A script of package.json. */
export interface Command<O extends Options = Options> {
	/** As its user types it, such as `npm start`. */
	name: string;
	/** What it does, the first lines of --help. */
	summary: string;
	options?: O;
	/** Whose the arguments are that it does not know, such as `jest`; without it there may be none. */
	othersFor?: string;
	/** Whether all arguments are another program's, --help too. */
	forwards?: true;
	/** What --help says below the options. */
	notes?: string;
	/** @returns the exit code, 0 without one */
	run(values: Values<O>, context: Context): Promise<number | void>;
}

interface Context {
	/** Arguments that belong to no option. */
	others: string[];
	/** From now on, being stopped is the normal end (exit code 0) and not an interruption; `onStop` is called before it. */
	endsWell(onStop?: () => void): void;
}

/** A command, with the types of its options. */
export const defineCommand = <const O extends Options>(command: Command<O>): Command<O> => command;

/** Reads a command line, and does what it asks for. @returns the exit code, 0 without one */
export async function runCommand<O extends Options>(command: Command<O>, args: string[], endsWell: Context['endsWell']) {
	if (command.forwards) return await command.run({ help: false } as Values<O>, { others: args, endsWell });
	const { values, others } = readArguments(command, args);
	if (values.help) return console.log(helpOf(command));
	return await command.run(values, { others, endsWell });
}

/** Reads a command line. @returns others: all arguments that belong to no option */
export function readArguments<O extends Options>({ name, options, othersFor }: Command<O>, args: string[]) {
	const all: Options = { ...options, ...HELP };
	// Not a short option: parseArgs would find the h in another program's -t=phone.
	const long = args.map((arg) => (arg === '-h' ? '--help' : arg));
	const { values, tokens } = parseArgs({ args: long, options: all, strict: false, tokens: true });
	const taken = new Set<number>();
	for (const token of tokens) {
		if (token.kind !== 'option' || !Object.hasOwn(all, token.name)) continue;
		const { rawName, value, inlineValue, index } = token;
		const isMissing = value === undefined || (!inlineValue && value.startsWith('--'));
		const isString = all[token.name]!.type === 'string';
		if (isString ? isMissing : inlineValue) {
			throw new Failure(`The option ${rawName} ${isString ? 'needs a' : 'takes no'} value. ${name} -- --help lists the options.`);
		}
		taken.add(index);
		if (value !== undefined && !inlineValue) taken.add(index + 1);
	}
	const others = args.filter((_, index) => !taken.has(index));
	if (others.length > 0 && !othersFor) {
		throw new Failure(`${name} does not accept ${others[0]}. Put options after a double dash, as in ${name} -- --help, which lists them.`);
	}
	const parsed = Object.entries(all).map(([option, definition]) => [option, valueOf(option, definition, values[option])]);
	return { values: Object.fromEntries(parsed) as Values<O>, others };
}

function valueOf(name: string, { type, multiple, choices, range }: Option, given: unknown): unknown {
	if (type === 'boolean') return given !== undefined;
	const texts = [given ?? []].flat() as string[];
	const isTaken = (text: string) =>
		range ? /^\d+$/.test(text) && Number(text) >= range[0] && Number(text) <= range[1] : (choices?.includes(text) ?? true);
	const other = texts.find((text) => !isTaken(text));
	const taken = range ? `a number from ${range.join(' to ')}` : choices?.join(' or ');
	if (other !== undefined) throw new Failure(`--${name} takes ${taken}, not ${other}.`);
	const values = range ? texts.map(Number) : texts;
	return multiple ? values : values[0];
}

/** What --help prints. */
function helpOf<O extends Options>({ name, summary, options, othersFor, notes }: Command<O>): string {
	const rows = Object.entries<Option>({ ...options, ...HELP }).map(([option, { value, help }]) => {
		return [`--${option}${value ? ` ${value}` : ''}`, help] as const;
	});
	const width = Math.max(...rows.map(([option]) => option.length));
	const usage = `${name} [-- options]${othersFor ? ` [-- arguments of ${othersFor}]` : ''}`;
	const explained = rows.map(([option, help]) => `  ${option.padEnd(width)}  ${help}`).join('\n');
	return [usage, summary, explained, notes].filter(Boolean).join('\n\n');
}
