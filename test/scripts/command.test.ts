import { evaluate, runNode } from './run';

const COMMAND = `{
	name: 'npm run demo',
	summary: 'Shows it.',
	options: {
		n8n: { value: 'VERSION', multiple: true, help: '' },
		port: { value: 'N', default: 5678, parse: module.numberFrom(1, 65535), help: '' },
		size: { value: 'SIZE', choices: ['small', 'large'], help: '' },
		once: { help: '' },
		'no-open': { help: '' },
	},
}`;
const UNSET = { n8n: [], port: 5678, once: false, 'no-open': false };
const readBy = (command: string, args: string[]) =>
	evaluate('commands/command.mts', `module.readArguments(${command}, ${JSON.stringify(args)})`);
const read = (...args: string[]) => readBy(COMMAND, args);

/** What is printed for a command line that is not run, and the exit code as its last line. */
async function printed(...args: string[]): Promise<string> {
	const reading = `module.readArguments(${COMMAND}, ${JSON.stringify(args)}).exitCode`;
	const program = `import('./scripts/commands/command.mts').then((module) => console.log(${reading}))`;
	return (await runNode(['--import', 'tsx', '--eval', program])).output;
}

describe('the options of a command', () => {
	it('have their defaults', async () => {
		expect(await read()).toEqual({ values: UNSET, others: [] });
	});

	it('are read in any order and both writings, the repeated ones into a list', async () => {
		const given = { n8n: ['1', '2'], once: true, port: 80, 'no-open': true };
		expect(await read('--once', '--n8n', '1', '--port=80', '--n8n=2', '--no-open')).toEqual({ values: given, others: [] });
	});

	it('are listed by -h and --help, and the command is not run', async () => {
		const help = /^Usage: npm run demo [^]*--port <N> +\(default: 5678\)[^]*\(choices: "small", "large"\)[^]*\n0\n$/;
		expect(await printed('--once', '-h')).toMatch(help);
	});

	it.each([
		[['--onec'], "unknown option '--onec'\n(Did you mean --once?)"],
		[['--once', '5678'], "npm run demo takes no argument '5678'"],
		[['--n8n'], "option '--n8n <VERSION>' argument missing"],
		[['--n8n', '--once'], "option '--n8n <VERSION>' argument '--once' is invalid. It needs a value before the next option."],
		[['--once=false'], "unknown option '--once=false'"],
		[['--size', 'constructor'], "option '--size <SIZE>' argument 'constructor' is invalid. Allowed choices are small, large."],
		[['--port', '65536'], "option '--port <N>' argument '65536' is invalid. It takes a number from 1 to 65535."],
		[['--port', '1e3'], "option '--port <N>' argument '1e3' is invalid. It takes a number from 1 to 65535."],
	])('refuse %j', async (args, sentence) => {
		const hint = 'Options come after a double dash: npm run demo -- --help lists them.';
		expect(await printed(...args)).toBe(`error: ${sentence}\n${hint}\n1\n`);
	});

	it('leave to another program what they do not know, in its order', async () => {
		const args = ['-t=phone', '-t', 'wrong key', '--n8n', '1', 'test/e2e/login', '--verbose', '--n8n=2'];
		expect(await readBy(`{ ...${COMMAND}, othersFor: 'jest' }`, args)).toEqual({
			values: { ...UNSET, n8n: ['1', '2'] },
			others: ['-t=phone', '-t', 'wrong key', 'test/e2e/login', '--verbose'],
		});
	});
});
