import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { ROOT } from './run';

const script = JSON.stringify(pathToFileURL(path.join(ROOT, 'scripts', 'lib', 'lock.mts')).href);
let folder: string;

beforeAll(async () => {
	folder = await mkdtemp(path.join(os.tmpdir(), 'lock-'));
});

afterAll(async () => {
	await rm(folder, { recursive: true });
});

/** A process that asks for the lock, says what came of it, and stays until its input ends. */
function ask(): { pid?: number; said: Promise<string>; end: () => Promise<void> } {
	const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', `
		const { takeLock } = await import(${script});
		try { takeLock('npm start', ${JSON.stringify(path.join(folder, 'running.json'))}); console.log('runs'); } catch (error) { console.log(error.message); }
		process.stdin.resume().on('end', () => process.exit());
	`], { cwd: ROOT, stdio: ['pipe', 'pipe', 'inherit'] });
	return {
		pid: child.pid,
		said: new Promise((resolve) => child.stdout.once('data', (data: Buffer) => resolve(data.toString().trim()))),
		end: async () => await new Promise((resolve) => { child.once('exit', () => resolve()); child.stdin.end(); }),
	};
}

test('one npm start runs in a clone at a time, and the next one when it has ended', async () => {
	const first = ask();
	expect(await first.said).toBe('runs');
	const second = ask();
	expect(await second.said).toBe(`npm start is already running in this clone (process ${first.pid}). End it with Ctrl-C first, or make a second clone.`);
	await second.end();
	await first.end();
	const third = ask();
	expect(await third.said).toBe('runs');
	await third.end();
});

test('of many that find the lock of one that was killed, one runs', async () => {
	const dead = spawn(process.execPath, ['--version']);
	await new Promise((resolve) => dead.once('exit', resolve));
	await writeFile(path.join(folder, 'running.json'), JSON.stringify({ pid: dead.pid }));
	const all = Array.from({ length: 12 }, ask);
	const said = await Promise.all(all.map((one) => one.said));
	expect(said.filter((words) => words === 'runs')).toHaveLength(1);
	expect(said.filter((words) => /^npm start is already running in this clone \(process \d+\)/.test(words))).toHaveLength(11);
	await Promise.all(all.map((one) => one.end()));
	expect(await readdir(folder)).toEqual([]);
});
