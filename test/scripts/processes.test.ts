import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { until } from '../support/until';
import { evaluate, inTemporaryFolder, ROOT, runNode } from './run';

/** The address of a module, in quotes. */
const bootstrap = (name: string) => JSON.stringify(pathToFileURL(path.join(ROOT, 'scripts', 'bootstrap', name)).href);

/** Writes a command that works in a folder. @returns its file */
async function writeCommand(folder: string, work: string): Promise<string> {
	const script = path.join(folder, 'command.mjs');
	const text = `
		import { writeFileSync } from 'node:fs';
		import { runToEnd } from ${bootstrap('runToEnd.mjs')};
		import { runProcess } from ${bootstrap('processes.mjs')};
		import { withTemporaryFolder } from ${bootstrap('temporaryFolder.mjs')};
		const folder = ${JSON.stringify(folder)};
		process.chdir(folder);
		const run = (...args) => runProcess(process.execPath, ['-e', ...args], { cwd: folder, env: {}, stdout: 'ignore', stderr: 'ignore' });
		await runToEnd(async () => { ${work} });
	`;
	await writeFile(script, text);
	return script;
}

/** A child that has a child of its own, which ignores being asked to end. */
const CHILD = `
	const one = require('child_process').spawn(process.execPath, ['-e', "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);"]);
	require('fs').writeFileSync('pids', process.pid + ' ' + one.pid);
	setInterval(() => {}, 1000);
`;

/** Waits for processes that write their pids. */
const readPids = async (folder: string) =>
	await until(async () => {
		const text = await readFile(path.join(folder, 'pids'), 'utf8').catch(() => '');
		return text.includes(' ') && text.split(' ').map(Number);
	}, 'the processes run');

/** Whether a process runs; one that has ended and waits to be noticed by its parent does not. */
async function runs(pid: number): Promise<boolean> {
	try {
		return !/^\d+ \(.*\) Z/s.test(await readFile(`/proc/${pid}/stat`, 'utf8'));
	} catch {
		return false;
	}
}

describe('a command that is ended', () => {
	it.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const)('by %s leaves nothing behind', async (signal) => {
		await inTemporaryFolder(async (folder) => {
			const pending = `withTemporaryFolder(folder + '/temporary-', () => new Promise(() => {}))`;
			const next = `"require('fs').writeFileSync('next', '')"`;
			const slow = `run("process.on('SIGTERM', () => {}); setTimeout(() => {}, 1500);")`;
			const work = `await Promise.all([${pending}, ${slow}, run(${JSON.stringify(CHILD)}).then(() => run(${next}))])`;
			const command = spawn(process.execPath, [await writeCommand(folder, work)], { stdio: 'ignore' });
			const ended = new Promise((resolve) => command.once('exit', resolve));
			const pids = await readPids(folder);
			expect(await Promise.all(pids.map(runs))).toEqual([true, true]);

			command.kill(signal);
			await ended;
			await until(async () => (await Promise.all(pids.map(runs))).every((running) => !running), 'both have ended');
			const left = signal === 'SIGKILL' ? [expect.stringMatching('^temporary-')] : [];
			expect((await readdir(folder)).sort()).toEqual(['command.mjs', 'pids', ...left]);
		});
	});
});

describe('the npm that runs a command', () => {
	/** What npm does: runs a script in a shell, which bash replaces by the script, and dash does not. */
	const npm = (script: string, hasShell: boolean) => `
		const { spawn } = require('node:child_process');
		const [program, args] = ${hasShell}
			? ['/bin/sh', ['-c', '"$0" "$1"; :', process.execPath, ${JSON.stringify(script)}]]
			: [process.execPath, [${JSON.stringify(script)}]];
		spawn(program, args, { stdio: 'ignore', env: { ...process.env, npm_lifecycle_event: 'sandbox' } });
		setInterval(() => {}, 1000);
	`;

	/** Runs such an npm in the background of a shell that ends. @returns the pids of npm and of the command */
	async function inBackground(folder: string, hasShell: boolean) {
		const work = `writeFileSync('pids', process.pid + ' '); await new Promise(() => setInterval(() => {}, 1000));`;
		const script = npm(await writeCommand(folder, work), hasShell);
		const background = '"$0" -e "$1" >/dev/null 2>&1 & echo $!; read -r _';
		const shell = spawn('/bin/sh', ['-c', background, process.execPath, script]);
		const npmPid = Number(await once(shell.stdout, 'data'));
		const [pid] = await readPids(folder);
		shell.stdin.end();
		await once(shell, 'exit');
		return { npmPid, pid: pid! };
	}

	it.each([
		['a shell that stays', true],
		['a shell that the script replaces', false],
	])('may outlive the shell that started it, as with nohup, and not the command, in %s', async (_, hasShell) => {
		await inTemporaryFolder(async (folder) => {
			const { npmPid, pid } = await inBackground(folder, hasShell);
			// The command checks every second.
			await sleep(2_500);
			expect(await runs(pid)).toBe(true);
			process.kill(npmPid, 'SIGKILL');
			await until(async () => !(await runs(pid)), 'the command has ended');
		});
	});
});

test('a program that ignores being asked to end is killed', async () => {
	const start = `module.startWithLog('/bin/sh', ['-c', "trap '' TERM; echo on; sleep 60"], { log: 'stop', cwd: '/', env: {} })`;
	const stop = `while (!program.readOutput()) await new Promise(setImmediate); await program.stop();`;
	const program = `(async () => { const program = ${start}; ${stop} return (await program.exit).code; })()`;
	expect(await evaluate('bootstrap/processes.mjs', program)).toBeNull();
});

test.each([
	['when all of it is read', undefined, 1_000_000],
	['at a signal, with its own result', 'SIGINT' as const, expect.any(Number) as number],
])('a command whose output is read slowly ends %s', async (_, signal, length) => {
	await inTemporaryFolder(async (folder) => {
		const write = `process.stdout.write('x'.repeat(1e6)); process.stderr.write('x'.repeat(1e6));`;
		const script = await writeCommand(folder, `${write} return 3;`);
		const command = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'pipe'] });
		const ended = new Promise((resolve) => command.once('exit', (code) => resolve(code)));
		await once(command.stdout, 'readable');
		await sleep(1_000);
		if (signal) command.kill(signal);
		const texts = await Promise.all([textOf(command.stdout), textOf(command.stderr)]);
		expect([await ended, ...texts.map((each) => each.length)]).toEqual([3, length, length]);
		expect(texts.join('')).toMatch(/^x+$/);
	});
});

test('one npm start runs in a clone at a time, and the next one when it was killed', async () => {
	const take = `
		const { takeLock } = await import(${bootstrap('lock.mjs')});
		await takeLock('npm start', 'lock.test').then(() => console.log('runs'), (error) => console.log(error.message));
	`;
	const next = async () => (await runNode(['--input-type=module', '--eval', take])).output.trim();
	const first = spawn(process.execPath, ['--input-type=module', '--eval', `${take} process.stdin.resume();`]);
	expect(String(await once(first.stdout, 'data'))).toBe('runs\n');
	const sentence = 'npm start is already running in this clone. End it with Ctrl-C first, or make a second clone.';
	expect(await Promise.all([next(), next()])).toEqual([sentence, sentence]);
	first.kill('SIGKILL');
	await once(first, 'exit');
	expect(await next()).toBe('runs');
});
