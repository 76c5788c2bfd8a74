import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

export const ROOT = path.resolve(__dirname, '..', '..');

/** How a program ended and what it printed, stdout and stderr together. */
export interface Ended {
	code: number | null;
	output: string;
}

/** Runs a program to its end. */
export function run(command: string, args: string[], env: NodeJS.ProcessEnv = {}, cwd = ROOT): Promise<Ended> {
	return new Promise((resolve, reject) => {
		const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
		let output = '';
		for (const stream of [child.stdout, child.stderr])
			stream.on('data', (chunk: Buffer) => {
				output += chunk.toString();
			});
		child.once('error', reject);
		child.once('close', (code) => resolve({ code, output }));
	});
}

/** Runs a file with this Node. */
export function runNode(args: string[], env: NodeJS.ProcessEnv = {}, cwd = ROOT): Promise<Ended> {
	return run(process.execPath, args, env, cwd);
}

/** Runs one of the project's commands, by its script in package.json. */
export function runScript(
	script: string,
	args: string[] = [],
	env: NodeJS.ProcessEnv = {},
	cwd = ROOT,
): Promise<Ended> {
	return runNode([path.join(ROOT, 'scripts', 'run.mjs'), script, ...args], env, cwd);
}

/**
 * Evaluates an expression with a module of `scripts/` as `module`. The scripts are ES modules, which jest does not load
 * here; Node itself does, with tsx.
 * @returns what the expression gave, or the message of what it threw
 */
export async function evaluate(script: string, expression: string, env: NodeJS.ProcessEnv = {}): Promise<unknown> {
	const url = pathToFileURL(path.join(ROOT, 'scripts', script)).href;
	const program = `
		import(${JSON.stringify(url)})
			.then(async (module) => ({ value: await (${expression}) }))
			.catch((error) => ({ error: error.message }))
			.then((result) => console.log('\\n' + JSON.stringify(result)));
	`;
	const { output } = await runNode(['--import', 'tsx', '--eval', program], env);
	const { value, error } = JSON.parse(output.trimEnd().split('\n').at(-1) ?? '') as { value?: unknown; error?: string };
	return error ?? value;
}

/** Makes a clone of its own, with its own locks, that has the sandbox, the scripts and these files, too. */
export async function copyClone(folder: string, ...files: string[]): Promise<void> {
	for (const name of ['package.json', 'sandbox', 'scripts', ...files]) {
		await cp(path.join(ROOT, name), path.join(folder, name), { recursive: true });
	}
	await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
}

/** A folder for one test, gone afterwards. */
export async function inTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
	const cache = path.join(ROOT, '.cache');
	await mkdir(cache, { recursive: true });
	const folder = await mkdtemp(path.join(cache, 'test-'));
	try {
		return await work(folder);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}
