import { spawn } from 'node:child_process';
import { join } from 'node:path';

import { ROOT } from '../scripts/run';
import { until } from '../support/until';

/** A run of the command line. */
export interface Run {
	output: () => string;
	errors: () => string;
	/** Resolves with the exit code once the process has ended. */
	ended: Promise<number | null>;
	/** Resolves with the match once the output has it; fails if the process ends before. */
	shows: (pattern: RegExp) => Promise<RegExpMatchArray>;
	stop: (signal: NodeJS.Signals) => void;
}

/** Starts the sandbox as `npm run sandbox` does, in a process of its own. */
export function run(...args: string[]): Run {
	const child = spawn(process.execPath, [join('scripts', 'run.mjs'), 'sandbox', ...args], { cwd: ROOT });
	let output = '';
	let errors = '';
	child.stdout.on('data', (chunk) => { output += chunk; });
	child.stderr.on('data', (chunk) => { errors += chunk; });
	const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
	const shows = async (pattern: RegExp) =>
		await until(() => {
			if (child.exitCode !== null && !pattern.test(output)) throw new Error(`ended without ${pattern}: ${output}${errors}`);
			return pattern.exec(output);
		}, `the output has ${pattern}`);
	return { output: () => output, errors: () => errors, ended, shows, stop: (signal) => child.kill(signal) };
}
