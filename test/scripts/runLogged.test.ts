import { evaluate } from './run';

/** Prints more than a pipe holds and ends at once, as n8n does with an execution. */
const PRINTER = 'process.stdout.write("x".repeat(1_000_000) + "the end"); process.exit(3)';

it('what a program prints before it exits at once arrives to the last byte, however busy this process is', async () => {
	const ended = await evaluate(
		'setup/run-logged.mjs',
		`(async () => {
			const { ended } = module.startLogged(process.execPath, ['-e', ${JSON.stringify(PRINTER)}], { log: 'test-run-logged', cwd: process.cwd(), env: process.env, wholeStdout: true });
			const busyUntil = Date.now() + 500;
			while (Date.now() < busyUntil) {}
			const { code, stdout, output } = await ended;
			return { code, length: stdout.length, end: stdout.slice(-7), endOfOutput: output.slice(-7) };
		})()`,
	);
	expect(ended).toEqual({ code: 3, length: 1_000_007, end: 'the end', endOfOutput: 'the end' });
});
