import { existsSync } from 'node:fs';
import { mkdir, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { evaluate, ROOT } from './run';

/** Runs a program of one line with its output logged, and gives what `expression` makes of its end. */
const logged = (program: string, expression: string, { log = 'test-run-logged', options = '', meanwhile = '' } = {}) =>
	evaluate(
		'bootstrap/processes.mjs',
		`(async () => {
			const { ended } = module.startLogged(process.execPath, ['-e', ${JSON.stringify(program)}], { log: '${log}', cwd: process.cwd(), env: process.env, ${options} });
			${meanwhile}
			const { code, stdout, output } = await ended;
			return ${expression};
		})()`,
	);

it('what a program prints before it exits at once arrives to the last byte, however busy this process is', async () => {
	// More than a pipe holds, at once: as n8n prints an execution.
	const program = 'process.stdout.write("x".repeat(1_000_000) + "the end"); process.exit(3)';
	const busy = 'const busyUntil = Date.now() + 500; while (Date.now() < busyUntil) {}';
	expect(await logged(program, '{ code, length: stdout.length, end: stdout.slice(-7), endOfOutput: output.slice(-7) }', { options: 'wholeStdout: true', meanwhile: busy })).toEqual({
		code: 3, length: 1_000_007, end: 'the end', endOfOutput: 'the end',
	});
});

it('of a long output only the end is kept in memory', async () => {
	const program = 'process.stdout.write("x".repeat(1_000_000) + "the end")';
	expect(await logged(program, '{ length: stdout.length, end: stdout.slice(-7), ofOutput: output.length }')).toEqual({ length: 200_000, end: 'the end', ofOutput: 200_000 });
});

it('a character whose bytes arrive one by one is whole', async () => {
	const program = 'const bytes = Buffer.from("caffè €"); (async () => { for (const byte of bytes) { process.stdout.write(Buffer.from([byte])); await new Promise((done) => setTimeout(done, 30)); } })()';
	expect(await logged(program, '[stdout, output]')).toEqual(['caffè €', 'caffè €']);
});

const FULL_DISK = '/dev/full';
(existsSync(FULL_DISK) ? it : it.skip)('a disk that is full ends the log, and not the command', async () => {
	const log = path.join(ROOT, '.cache', 'logs', 'test-run-logged-full.log');
	await mkdir(path.dirname(log), { recursive: true });
	await rm(log, { force: true });
	await symlink(FULL_DISK, log);
	const program = 'process.stdout.write("the beginning"); setTimeout(() => process.stdout.write("the end"), 2_000)';
	const ended = (await logged(program, '{ code, stdout, output }', { log: 'test-run-logged-full' })) as { code: number; stdout: string; output: string };
	await rm(log);
	expect([ended.code, ended.stdout]).toEqual([0, 'the beginningthe end']);
	expect(ended.output).toContain(`(${log} could not be written: ENOSPC)`);
});
