import {
	Command as Program,
	CommanderError,
	InvalidArgumentError,
	Option,
	type OptionValues,
} from '@commander-js/extra-typings';

interface CommandContext {
	/** Arguments that aren't options of this command. */
	otherArgs: string[];
	/** From now on, Ctrl-C is the normal end (exit code 0) and not an interruption. `onStop` is called before the processes are stopped. */
	expectStop(onStop?: () => void): void;
}

/** A script of package.json. */
export interface Command<Values = unknown> {
	program: { parse(args: string[], from: { from: 'user' }): unknown; opts(): Values; args: string[] };
	/** @returns the exit code; undefined is 0 */
	run(values: Values, context: CommandContext): Promise<number | void>;
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
 * @param argumentsName the name of further arguments in --help, such as `jest arguments`; without it, they are errors
 */
export const createProgram = (name: string, summary: string, argumentsName?: string) =>
	new Program(name)
		.usage(argumentsName ? `[-- [options] [${argumentsName}]]` : '[-- options]')
		.description(summary)
		.helpOption('-h, --help', 'this text')
		.configureOutput({ getOutHelpWidth: () => process.stdout.columns ?? 120 })
		.showHelpAfterError(`Options come after a double dash: ${name} -- --help lists them.`)
		.allowUnknownOption(argumentsName !== undefined)
		.allowExcessArguments(argumentsName !== undefined)
		.exitOverride();

/** A parser for an option's number, by default a whole one. */
export const createNumberParser =
	(min: number, max: number, format = /^\d+$/) =>
	(text: string): number => {
		if (format.test(text) && Number(text) >= min && Number(text) <= max) return Number(text);
		throw new InvalidArgumentError(`It takes a number from ${min} to ${max}.`);
	};

/**
 * An option that may be repeated; its value is an array. A variadic option of commander would take all arguments after it.
 * @param defaultText the default in --help
 */
export function createListOption<Flags extends string>(
	flags: Flags,
	help: string,
	choices: readonly string[],
	defaultText = 'all',
) {
	const addValue = (text: string, previousValues: string[]): string[] => {
		if (choices.includes(text)) return [...previousValues, text];
		throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.`);
	};
	return new Option(flags, help)
		.choices(choices)
		.argParser(addValue)
		.default([] as string[], defaultText);
}

/**
 * Parses the arguments and runs the command. Prints --help, and errors in the arguments.
 * @returns the exit code; undefined is 0
 */
export async function runCommand<Values>(
	{ program, run }: Command<Values>,
	args: string[],
	expectStop: CommandContext['expectStop'],
) {
	try {
		program.parse(args, { from: 'user' });
	} catch (error) {
		if (error instanceof CommanderError) return error.exitCode;
		throw error;
	}
	// commander keeps the order of unknown arguments.
	return await run(program.opts(), { otherArgs: program.args, expectStop });
}
