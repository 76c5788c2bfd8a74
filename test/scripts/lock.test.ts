import { spawn } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { ROOT } from './run';

const lock = JSON.stringify(pathToFileURL(path.join(ROOT, 'scripts', 'bootstrap', 'lock.mjs')).href);

/** A process that asks for the lock, says what came of it, and stays. */
function ask() {
	const child = spawn(process.execPath, ['--input-type=module', '-e', `
		const { takeLock } = await import(${lock});
		await takeLock('npm start', 'lock.test').then(() => console.log('runs'), (error) => console.log(error.message));
		process.stdin.resume();
	`], { cwd: ROOT, stdio: ['pipe', 'pipe', 'inherit'] });
	return {
		said: new Promise<string>((resolve) => child.stdout.once('data', (data: Buffer) => resolve(data.toString().trim()))),
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
