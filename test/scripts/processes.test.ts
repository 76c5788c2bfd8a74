import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { until } from '../support/until';
import { inTemporaryFolder, ROOT } from './run';

/** The address of a module, in quotes. */
const bootstrap = (name: string) => JSON.stringify(pathToFileURL(path.join(ROOT, 'scripts', 'bootstrap', name)).href);

/** A command with a child that has a child of its own and ignores being asked to end. */
function program(pidFile: string): string {
	return `
		import { runToEnd } from ${bootstrap('runToEnd.mjs')};
		import { runProcess } from ${bootstrap('processes.mjs')};
		const grandchild = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);";
		const child = 'const { spawn } = require("child_process");'
			+ 'const one = spawn(process.execPath, ["-e", ' + JSON.stringify(grandchild) + ']);'
			+ 'require("fs").writeFileSync(' + ${JSON.stringify(JSON.stringify(pidFile))} + ', process.pid + " " + one.pid);'
			+ 'setInterval(() => {}, 1000);';
		const run = async () => {
			await runProcess(process.execPath, ['-e', child], { cwd: process.cwd(), env: process.env, stdout: 'ignore', stderr: 'ignore' });
		};
		await runToEnd(run);
	`;
}

/** Whether a process runs; one that has ended and waits to be noticed by its parent does not. */
async function runs(pid: number): Promise<boolean> {
	try {
		return !/^\d+ \(.*\) Z/s.test(await readFile(`/proc/${pid}/stat`, 'utf8'));
	} catch {
		return false;
	}
}

describe('a command that is ended', () => {
	it.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const)('by %s leaves no process behind', async (signal) => {
		await inTemporaryFolder(async (folder) => {
			const pidFile = path.join(folder, 'pids');
			const script = path.join(folder, 'command.mjs');
			await writeFile(script, program(pidFile));
			const command = spawn(process.execPath, [script], { stdio: 'ignore' });
			const ended = new Promise((resolve) => command.once('exit', resolve));
			const pids = await until(async () => {
				const text = await readFile(pidFile, 'utf8').catch(() => '');
				return text.includes(' ') && text.split(' ').map(Number);
			}, 'both processes run');
			expect(await Promise.all(pids.map(runs))).toEqual([true, true]);

			command.kill(signal);
			await ended;
			await until(async () => (await Promise.all(pids.map(runs))).every((running) => !running), 'both have ended');
		});
	});
});

/** A process that asks for the lock, says what came of it, and stays. */
function ask() {
	const child = spawn(
		process.execPath,
		[
			'--input-type=module',
			'-e',
			`
		const { takeLock } = await import(${bootstrap('lock.mjs')});
		await takeLock('npm start', 'lock.test').then(() => console.log('runs'), (error) => console.log(error.message));
		process.stdin.resume();
	`,
		],
		{ cwd: ROOT, stdio: ['pipe', 'pipe', 'inherit'] },
	);
	return {
		said: new Promise<string>((resolve) =>
			child.stdout.once('data', (data: Buffer) => resolve(data.toString().trim())),
		),
		kill: async () => await new Promise((resolve) => child.once('exit', resolve).kill('SIGKILL')),
	};
}

test('one npm start runs in a clone at a time, and the next one when it was killed', async () => {
	const first = ask();
	expect(await first.said).toBe('runs');
	const others = [ask(), ask()];
	const sentence = 'npm start is already running in this clone. End it with Ctrl-C first, or make a second clone.';
	for (const { said } of others) expect(await said).toBe(sentence);
	await first.kill();
	const next = ask();
	expect(await next.said).toBe('runs');
	for (const each of [...others, next]) await each.kill();
});
