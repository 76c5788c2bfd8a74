import { CommanderError, InvalidArgumentError, Option as CommanderOption, Command as Program } from 'commander';

/** An option of a command. */
interface Option {
	/** What --help says of it. */
	help: string;
	/** What stands for its value in --help, such as `N`; without it, it has none and is true or false. */
	value?: string;
	/** The value where it is not given; undefined, or an empty list, without it. */
	default?: unknown;
	/** Whether it may be given several times; the value is a list then. */
	multiple?: true;
	/** The only values that it takes. */
	choices?: readonly string[];
	/** Makes a value of its text. @throws {InvalidArgumentError} that says what it takes */
	parse?: (text: string) => unknown;
}
type Options = Record<string, Option>;

type Parsed<O> = O extends { parse: (text: string) => infer Result } ? Result : string;
type Given<O> = O extends { multiple: true } ? Array<Parsed<O>> : O extends { default: unknown } ? Parsed<O> : Parsed<O> | undefined;
/** The values of options, by their names. */
export type Values<O> = { [Name in keyof O]: O[Name] extends { value: string } ? Given<O[Name]> : boolean };

/** A script of package.json. */
export interface Command<O extends Options = Options> {
	/** As its user types it, such as `npm start`. */
	name: string;
	/** What it does, the first lines of --help. */
	summary: string;
	options?: O;
	/** Whose the arguments are that it does not know, such as `jest`; without it there may be none. */
	othersFor?: string;
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

/** For an option that takes numbers, by default whole ones. */
export const numberFrom = (least: number, most: number, writing = /^\d+$/) => (text: string): number => {
	if (writing.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
	throw new InvalidArgumentError(`It takes a number from ${least} to ${most}.`);
};

/** Reads a command line, and does what it asks for. @returns the exit code, 0 without one */
export async function runCommand<O extends Options>(command: Command<O>, args: string[], endsWell: Context['endsWell']) {
	const { values, others, exitCode } = readArguments(command, args);
	return exitCode ?? (await command.run(values, { others, endsWell }));
}

/**
 * Reads a command line. Prints the help where it is asked for, and what is wrong with an argument.
 * @returns others: all arguments that belong to no option; exitCode: if the command is not to run
 */
export function readArguments<O extends Options>({ name, summary, options, othersFor, notes }: Command<O>, args: string[]) {
	const program = new Program(name)
		.usage(othersFor ? `[-- [options] [arguments of ${othersFor}]]` : '[-- options]')
		.description(summary)
		.helpOption('-h, --help', 'this text')
		.addHelpText('after', notes ? `\n${notes}` : '')
		.configureOutput({ getOutHelpWidth: () => process.stdout.columns ?? 120 })
		.showHelpAfterError(`Options come after a double dash: ${name} -- --help lists them.`)
		.allowUnknownOption(othersFor !== undefined)
		.allowExcessArguments()
		.exitOverride();
	const all = Object.entries<Option>(options ?? {}).map(([option, definition]) => ({ option, definition, asked: optionOf(option, definition) }));
	for (const { asked } of all) program.addOption(asked);
	try {
		program.parse(args, { from: 'user' });
		// Where these are another program's, commander leaves them in their order.
		if (program.args.length > 0 && !othersFor) program.error(`error: ${name} takes no argument '${program.args[0]}'`);
	} catch (error) {
		if (error instanceof CommanderError) return { values: {} as Values<O>, others: [], exitCode: error.exitCode };
		throw error;
	}
	const values = all.map(({ option, definition: { value, multiple }, asked }) => {
		const given: unknown = program.getOptionValue(asked.attributeName());
		// commander has --no-open as an `open` that is true without it.
		return [option, value === undefined ? Boolean(given) !== asked.negate : (given ?? (multiple ? [] : undefined))];
	});
	return { values: Object.fromEntries(values) as Values<O>, others: program.args };
}

function optionOf(name: string, { help, value, default: unlessGiven, multiple, choices = [], parse = (text) => text }: Option): CommanderOption {
	const option = new CommanderOption(`--${name}${value ? ` <${value}>` : ''}`, help).default(unlessGiven);
	if (choices.length > 0) option.choices(choices);
	const { parseArg: checkChoice } = option;
	if (value === undefined) return option;
	return option.argParser((text: string, before: unknown) => {
		checkChoice?.(text, undefined);
		// commander takes the next option for the value of one that lacks its own.
		if (text.startsWith('--')) throw new InvalidArgumentError('It needs a value before the next option.');
		return multiple ? [...((before ?? []) as unknown[]), parse(text)] : parse(text);
	});
}
