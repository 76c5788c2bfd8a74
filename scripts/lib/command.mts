import os from 'node:os';
import { printFailure } from '../bootstrap/failure.mjs';
import { silenceSteps } from '../bootstrap/progress.mjs';
import { onEndAsked } from '../bootstrap/watchdog.mjs';
import { type Options, readArguments, readOptions, type Values } from './options.mts';
import { killProcesses, stopProcesses } from '../bootstrap/processes.mjs';

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

/**
 * Runs a command to its end: exit code 0, the number it returns, or 1 after a failure; children never stay.
 * A signal, or the death of the npm that started us, ends everything.
 */
export async function runCommand<O extends Options>(command: Command<O>, args: string[]): Promise<void> {
	let onNormalEnd: (() => void) | undefined;
	let stopping = false;

	const stop = async (signal: NodeJS.Signals) => {
		if (stopping) return killProcesses();
		stopping = true;
		silenceSteps();
		if (onNormalEnd) onNormalEnd();
		else console.error('\nStopped before the end; run the command again to go on.');
		await stopProcesses();
		process.exit(onNormalEnd ? 0 : 128 + os.constants.signals[signal]);
	};
	onEndAsked((signal) => void stop(signal));
	// Without a terminal to write to there is still something to end in order.
	for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

	let code;
	let failure;
	try {
		code = await readAndRun(command, args, (onStop = () => {}) => (onNormalEnd = onStop));
	} catch (error) {
		failure = { error };
	}
	// Children that we are ending make the command fail: not news.
	if (stopping) return;
	stopping = true;
	await stopProcesses();
	if (failure) printFailure(failure.error);
	process.exit(failure ? 1 : (code ?? 0));
}

async function readAndRun<O extends Options>(command: Command<O>, args: string[], endsWell: Context['endsWell']): Promise<number | void> {
	const { name, othersFor, forwards, options = {} as O } = command;
	const read = forwards ? [] : args;
	const { values, others } = othersFor ? readArguments(name, read, options) : { values: readOptions(name, read, options), others: [] };
	if (values.help) console.log(helpOf(command));
	else return await command.run(values, { others: forwards ? args : others, endsWell });
}

/** What --help prints. */
function helpOf<O extends Options>({ name, summary, options, othersFor, notes }: Command<O>): string {
	const rows = Object.entries<Options[string]>({ ...options, help: { type: 'boolean', help: 'this text' } }).map(([option, { value, help }]) => [`--${option}${value ? ` ${value}` : ''}`, help]);
	const width = Math.max(...rows.map(([option = '']) => option.length));
	return [
		`${name} [-- options]${othersFor ? ` [-- arguments of ${othersFor}]` : ''}`,
		summary,
		rows.map(([option = '', help]) => `  ${option.padEnd(width)}  ${help}`).join('\n'),
		...(notes ? [notes] : []),
	].join('\n\n');
}
