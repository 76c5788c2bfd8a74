import { evaluate } from './run';

const COMMAND = `{
	name: 'npm run demo',
	options: {
		n8n: { type: 'string', multiple: true, help: '' },
		port: { type: 'string', default: '5678', range: [1, 65535], help: '' },
		size: { type: 'string', choices: ['small', 'large'], help: '' },
		once: { type: 'boolean', help: '' },
	},
}`;
const HINT = 'Put options after a double dash, as in npm run demo -- --help, which lists them.';
const readBy = (command: string, args: string[]) =>
	evaluate('commands/command.mts', `module.readArguments(${command}, ${JSON.stringify(args)})`);
const read = (...args: string[]) => readBy(COMMAND, args);

describe('the options of a command', () => {
	it('have their defaults', async () => {
		expect(await read()).toEqual({ values: { help: false, n8n: [], once: false, port: 5678 }, others: [] });
	});

	it('are read in any order and both writings, the repeated ones into a list', async () => {
		const { values } = (await read('--once', '--n8n', '1', '--port=80', '--n8n=2', '-h')) as { values: object };
		expect(values).toEqual({ help: true, n8n: ['1', '2'], once: true, port: 80 });
	});

	it.each([
		[['--onec'], `npm run demo does not accept --onec. ${HINT}`],
		[['--once', '5678'], `npm run demo does not accept 5678. ${HINT}`],
		[['--n8n', '--once'], 'The option --n8n needs a value. npm run demo -- --help lists the options.'],
		[['--once=false'], 'The option --once takes no value. npm run demo -- --help lists the options.'],
		[['--size', 'constructor'], '--size takes small or large, not constructor.'],
		[['--port', '65536'], '--port takes a number from 1 to 65535, not 65536.'],
		[['--port', '1e3'], '--port takes a number from 1 to 65535, not 1e3.'],
	])('refuse %j', async (args, sentence) => {
		expect(await read(...args)).toBe(sentence);
	});

	it('leave to another program what they do not know, in its order', async () => {
		const args = ['-t=phone', '-t', 'wrong key', '--n8n', '1', 'test/e2e/login', '--verbose', '--n8n=2'];
		expect(await readBy(`{ ...${COMMAND}, othersFor: 'jest' }`, args)).toEqual({
			values: { help: false, n8n: ['1', '2'], once: false, port: 5678 },
			others: ['-t=phone', '-t', 'wrong key', 'test/e2e/login', '--verbose'],
		});
	});
});
