import { evaluate, runScript } from './run';

/** A command that returns its options and arguments in place of an exit code. */
const command = (others?: string) => `module.defineCommand(
	module.createProgram('npm run demo', 'Shows it.', ${JSON.stringify(others)})
		.addOption(module.createListOption('--n8n <VERSION>', '', ['1', '2']))
		.option('--port <N>', '', module.createNumberParser(1, 65535), 5678),
	async (values, { otherArgs }) => ({ values, otherArgs }),
)`;
const UNSET = { n8n: [], port: 5678 };
const reading = (args: string[], others?: string) => `module.runCommand(${command(others)}, ${JSON.stringify(args)})`;
const read = async (args: string[], others?: string) => await evaluate('commands/command.mts', reading(args, others));

describe('the options of a command', () => {
	it('leave to another program what they do not know, in its order', async () => {
		const args = ['-t=phone', '-t', 'wrong key', '--n8n', '1', 'test/e2e/login', '--verbose', '--n8n=2'];
		expect(await read(args, 'jest arguments')).toEqual({
			values: { ...UNSET, n8n: ['1', '2'] },
			otherArgs: ['-t=phone', '-t', 'wrong key', 'test/e2e/login', '--verbose'],
		});
	});
});

test.each([
	['simulate', ['--accept'], '--throughput'],
	['simulate', ['--throughput', '--seed', '1'], '--throughput'],
	['simulate', ['--world', '{"seed":1,"runs":[]}', '--worlds', '2'], '--worlds'],
	['test', ['--listTests'], '--listTests is not for a run of tests'],
	['e2e:page', ['test/page', '--watch'], '--watch is not for a run of tests'],
])('npm run %s refuses %j', async (script, args, words) => {
	expect(await runScript(script, args)).toEqual({ code: 1, output: expect.stringContaining(words) });
});

test('a second n8n is tried if the first one fails', async () => {
	const first = `{ name: 'first', test: async () => { throw new Error('no n8n'); } }`;
	const second = `{ name: 'second', test: async () => ({ title: 'second', passed: true }) }`;
	expect(await evaluate('commands/e2e.mts', `module.testEach([${first}, ${second}])`)).toEqual([
		{ title: 'first', passed: false, summary: expect.any(String) as unknown },
		{ title: 'second', passed: true },
	]);
});
