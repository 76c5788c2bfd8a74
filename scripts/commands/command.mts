import {
	Command as Program,
	CommanderError,
	InvalidArgumentError,
	Option,
	type OptionValues,
} from '@commander-js/extra-typings';

interface Context {
	/** Arguments that aren't options of this command. */
	others: string[];
	/** From now on, Ctrl-C is the normal end (exit code 0) and not an interruption. `onStop` is called before the processes are stopped. */
	runsUntilStopped(onStop?: () => void): void;
}

/** A script of package.json. */
export interface Command<Values = unknown> {
	program: { parse(args: string[], from: { from: 'user' }): unknown; opts(): Values; args: string[] };
	/** @returns the exit code; undefined is 0 */
	run(values: Values, context: Context): Promise<number | void>;
}

/** Pairs a command line with the function that gets its options. */
export const defineCommand = <Values extends OptionValues>(
	program: Program<[], Values>,
	run: Command<Values>['run'],
): Command<Values> => ({ program, run });

/**
 * The command line of a script, before its options are added.
 * @param name what the user types, such as `npm start`
 * @param summary the first lines of --help
 * @param others the name of further arguments in --help, such as `jest arguments`; without it, they are errors
 */
export const commandLine = (name: string, summary: string, others?: string) =>
	new Program(name)
		.usage(others ? `[-- [options] [${others}]]` : '[-- options]')
		.description(summary)
		.helpOption('-h, --help', 'this text')
		.configureOutput({ getOutHelpWidth: () => process.stdout.columns ?? 120 })
		.showHelpAfterError(`Options come after a double dash: ${name} -- --help lists them.`)
		.allowUnknownOption(others !== undefined)
		.allowExcessArguments(others !== undefined)
		.exitOverride();

/** A parser for an option's number, by default a whole one. */
export const numberFrom =
	(min: number, max: number, format = /^\d+$/) =>
	(text: string): number => {
		if (format.test(text) && Number(text) >= min && Number(text) <= max) return Number(text);
		throw new InvalidArgumentError(`It takes a number from ${min} to ${max}.`);
	};

/**
 * An option that may be repeated; its value is an array. A variadic option of commander would take all arguments after it.
 * @param defaultText the default in --help
 */
export function repeatableOption<Flags extends string>(
	flags: Flags,
	help: string,
	choices: readonly string[],
	defaultText = 'all',
) {
	const add = (text: string, before: string[]): string[] => {
		if (choices.includes(text)) return [...before, text];
		throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.`);
	};
	return new Option(flags, help)
		.choices(choices)
		.argParser(add)
		.default([] as string[], defaultText);
}

/**
 * Parses the arguments and runs the command. Prints --help, and errors in the arguments.
 * @returns the exit code; undefined is 0
 */
export async function runCommand<Values>(
	{ program, run }: Command<Values>,
	args: string[],
	runsUntilStopped: Context['runsUntilStopped'],
) {
	try {
		program.parse(args, { from: 'user' });
	} catch (error) {
		if (error instanceof CommanderError) return error.exitCode;
		throw error;
	}
	// commander keeps the order of unknown arguments.
	return await run(program.opts(), { others: program.args, runsUntilStopped });
}
