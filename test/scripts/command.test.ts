import { evaluate, runNode, runScript } from './run';

/** A command that returns its options and arguments in place of an exit code. */
const command = (others?: string) => `module.defineCommand(
	module.commandLine('npm run demo', 'Shows it.', ${JSON.stringify(others)})
		.addOption(module.repeatableOption('--n8n <VERSION>', '', ['1', '2']))
		.option('--port <N>', '', module.numberFrom(1, 65535), 5678)
		.option('--once', '', false)
		.option('--no-open', ''),
	async (values, { others }) => ({ values, others }),
)`;
const UNSET = { n8n: [], port: 5678, once: false, open: true };
const reading = (args: string[], others?: string) => `module.runCommand(${command(others)}, ${JSON.stringify(args)})`;
const read = async (args: string[], others?: string) => await evaluate('commands/command.mts', reading(args, others));

/** What is printed for a command line that is not run, and the exit code as its last line. */
async function printed(...args: string[]): Promise<string> {
	const program = `import('./scripts/commands/command.mts').then(async (module) => console.log(await ${reading(args)}))`;
	return (await runNode(['--import', 'tsx', '--eval', program])).output;
}

describe('the options of a command', () => {
	it('have their defaults', async () => {
		expect(await read([])).toEqual({ values: UNSET, others: [] });
	});

	it('are read in any order and both writings, the repeated ones into a list', async () => {
		const given = { n8n: ['1', '2'], once: true, port: 80, open: false };
		expect(await read(['--once', '--n8n', '1', '--port=80', '--n8n=2', '--no-open'])).toEqual({
			values: given,
			others: [],
		});
	});

	it('are listed by -h and --help, and the command is not run', async () => {
		const help =
			/^Usage: npm run demo [^]*\(choices: "1", "2", default: all\)[^]*--port <N> +\(default: 5678\)[^]*\n0\n$/;
		expect(await printed('--once', '-h')).toMatch(help);
	});

	it.each([
		[['--onec'], "unknown option '--onec'\n(Did you mean --once?)"],
		[['--once', '5678'], 'too many arguments. Expected 0 arguments but got 1.'],
		[['--n8n'], "option '--n8n <VERSION>' argument missing"],
		[['--n8n', '--once'], "option '--n8n <VERSION>' argument '--once' is invalid. Allowed choices are 1, 2."],
		[['--once=false'], "unknown option '--once=false'"],
		[['--port', '65536'], "option '--port <N>' argument '65536' is invalid. It takes a number from 1 to 65535."],
		[['--port', '1e3'], "option '--port <N>' argument '1e3' is invalid. It takes a number from 1 to 65535."],
	])('refuse %j', async (args, sentence) => {
		const hint = 'Options come after a double dash: npm run demo -- --help lists them.';
		expect(await printed(...args)).toBe(`error: ${sentence}\n${hint}\n1\n`);
	});

	it.each(['{', '{}', 'null', '[1]'])('refuse the world %j in a sentence', async (world) => {
		const { code, output } = await runScript('simulate', ['--world', world]);
		expect(code).toBe(1);
		expect(output).toMatch(/^error: option '--world <JSON>' argument .* is invalid\. It takes a world in JSON,/);
		expect(output).not.toContain('    at ');
	});

	it('leave to another program what they do not know, in its order', async () => {
		const args = ['-t=phone', '-t', 'wrong key', '--n8n', '1', 'test/e2e/login', '--verbose', '--n8n=2'];
		expect(await read(args, 'jest arguments')).toEqual({
			values: { ...UNSET, n8n: ['1', '2'] },
			others: ['-t=phone', '-t', 'wrong key', 'test/e2e/login', '--verbose'],
		});
	});
});

test('a second n8n is tried if the first one fails', async () => {
	const attempt =
		"async (title) => { if (title === 'first') throw new Error('no n8n'); return { title, passed: true }; }";
	expect(await evaluate('commands/e2e.mts', `module.testEach(['first', 'second'], ${attempt})`)).toEqual([
		{ title: 'first', passed: false, summary: expect.any(String) as unknown },
		{ title: 'second', passed: true },
	]);
});
