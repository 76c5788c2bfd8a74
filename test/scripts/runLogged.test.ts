import { evaluate } from './run';

it('what a program prints before it exits at once arrives to the last byte, and is read while it runs', async () => {
	const program = 'process.stdout.write("x".repeat(1_000_000) + "caffè €"); console.error("the end"); setTimeout(() => process.exit(3), 2_000)';
	const logged = `(async () => {
		const { ended, output } = module.startLogged(process.execPath, ['-e', ${JSON.stringify(program)}], { log: 'test-run-logged', cwd: process.cwd(), env: process.env });
		while (!output().endsWith('the end\\n')) await new Promise((resolve) => setTimeout(resolve, 50));
		const { code, output: whole } = await ended;
		return { code, length: whole.length, end: whole.slice(-15) };
	})()`;
	expect(await evaluate('bootstrap/processes.mjs', logged)).toEqual({ code: 3, length: 1_000_015, end: 'caffè €the end\n' });
});
