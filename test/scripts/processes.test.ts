import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { until } from '../support/until';
import { inTemporaryFolder, ROOT } from './run';

/** A command with a child that has a child of its own and ignores being asked to end. */
function program(pidFile: string): string {
	const module = (name: string) => JSON.stringify(pathToFileURL(path.join(ROOT, 'scripts', name)).href);
	return `
		import { runToEnd } from ${module('bootstrap/runToEnd.mjs')};
		import { runProcess } from ${module('bootstrap/processes.mjs')};
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
