import { Command as Program, CommanderError, InvalidArgumentError, Option, type OptionValues } from '@commander-js/extra-typings';

interface Context {
	/** Arguments that belong to no option. */
	others: string[];
	/** From now on, being stopped is the normal end (exit code 0) and not an interruption; `onStop` is called before it. */
	runsUntilStopped(onStop?: () => void): void;
}

/** A script of package.json. */
export interface Command<Values = unknown> {
	program: { parse(args: string[], from: { from: 'user' }): unknown; opts(): Values; args: string[] };
	/** @returns the exit code, 0 without one */
	run(values: Values, context: Context): Promise<number | void>;
}

/** A command, and what it does with the values of its options. */
export const defineCommand = <Values extends OptionValues>(program: Program<[], Values>, run: Command<Values>['run']): Command<Values> => ({ program, run });

/**
 * The command line of a script, to which its options are added.
 * @param name as its user types it, such as `npm start`
 * @param summary the first lines of --help
 * @param othersFor whose the arguments are that it does not know, such as `jest`; without it there may be none
 */
export const commandLine = (name: string, summary: string, othersFor?: string) =>
	new Program(name)
		.usage(othersFor ? `[-- [options] [arguments of ${othersFor}]]` : '[-- options]')
		.description(summary)
		.helpOption('-h, --help', 'this text')
		.configureOutput({ getOutHelpWidth: () => process.stdout.columns ?? 120 })
		.showHelpAfterError(`Options come after a double dash: ${name} -- --help lists them.`)
		.allowUnknownOption(othersFor !== undefined)
		.allowExcessArguments(othersFor !== undefined)
		.exitOverride();

/** Makes a number of an option's text, by default a whole one. */
export const numberFrom = (least: number, most: number, writing = /^\d+$/) => (text: string): number => {
	if (writing.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
	throw new InvalidArgumentError(`It takes a number from ${least} to ${most}.`);
};

/**
 * An option that may be repeated; its value is a list. Not commander's own: that takes all that comes after it.
 * @param without says what happens without it
 */
export function repeatable<Flags extends string>(flags: Flags, help: string, choices: readonly string[], without = 'all') {
	const add = (text: string, before: string[]): string[] => {
		if (choices.includes(text)) return [...before, text];
		throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.`);
	};
	return new Option(flags, help).choices(choices).argParser(add).default([] as string[], without);
}

/**
 * Reads a command line, and does what it asks for. Prints the help where it is asked for, and what is wrong with an argument.
 * @returns the exit code, 0 without one
 */
export async function runCommand<Values>({ program, run }: Command<Values>, args: string[], runsUntilStopped: Context['runsUntilStopped']) {
	try {
		program.parse(args, { from: 'user' });
	} catch (error) {
		if (error instanceof CommanderError) return error.exitCode;
		throw error;
	}
	// Where these are another program's, commander leaves them in their order.
	return await run(program.opts(), { others: program.args, runsUntilStopped });
}
