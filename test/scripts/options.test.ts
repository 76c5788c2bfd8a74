import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { evaluate, runScript } from './run';

const OPTIONS = `{
	n8n: { type: 'string', multiple: true, example: '2.8.4' },
	port: { type: 'string', default: '5678', parse: module.portNumber },
	once: { type: 'boolean' },
}`;
const read = (...args: string[]) => evaluate('lib/options.mts', `module.readOptions('npm run demo', ${JSON.stringify(args)}, ${OPTIONS})`);
const readWithOthers = (...args: string[]) => evaluate('lib/options.mts', `module.readArguments('npm run demo', ${JSON.stringify(args)}, ${OPTIONS})`);

describe('the options of a script', () => {
	it('have their defaults', async () => {
		expect(await read()).toEqual({ help: false, n8n: [], once: false, port: 5678 });
	});

	it('are read in any order and both writings, the repeated ones into a list', async () => {
		expect(await read('--once', '--n8n', '1', '--port=80', '--n8n=2', '-h')).toEqual({ help: true, n8n: ['1', '2'], once: true, port: 80 });
	});

	it.each([
		[['--onec'], 'npm run demo does not accept --onec. Put options after a double dash, as in npm run demo -- --help, which lists them.'],
		[['--once', '5678'], 'npm run demo does not accept 5678. Put options after a double dash, as in npm run demo -- --help, which lists them.'],
		[['--constructor'], 'npm run demo does not accept --constructor. Put options after a double dash, as in npm run demo -- --help, which lists them.'],
		[['--port'], 'The option --port needs a value: npm run demo -- --port 5678'],
		[['--n8n', '--once'], 'The option --n8n needs a value: npm run demo -- --n8n 2.8.4'],
		[['--once=yes'], 'The option --once takes no value.'],
		[['--port', 'x'], '--port takes a port from 1 to 65535, not x.'],
	])('refuse %j', async (args, sentence) => {
		expect(await read(...args)).toBe(sentence);
	});

	it('leave to another program what they do not know, in its order', async () => {
		const { values, others } = (await readWithOthers('-t', 'wrong key', '--n8n', '1', 'test/e2e/login', '--verbose', '--n8n=2')) as { values: object; others: string[] };
		expect([values, others]).toEqual([{ help: false, n8n: ['1', '2'], once: false, port: 5678 }, ['-t', 'wrong key', 'test/e2e/login', '--verbose']]);
	});
});

describe('npm run created-once', () => {
	const createdOnce = (...args: string[]) => runScript('created-once', args);

	it('names itself when it is given an option of npm start', async () => {
		const { code, output } = await createdOnce('--once');
		expect([code, output.trim()]).toEqual([1, 'npm run created-once does not accept --once. Put options after a double dash, as in npm run created-once -- --help, which lists them.']);
	});

	it('names its own option when the port of the sandbox is in use', async () => {
		const server = createServer();
		await new Promise<void>((resolve) => server.listen({ port: 0, host: '127.0.0.1' }, resolve));
		const { port } = server.address() as AddressInfo;
		const { code, output } = await createdOnce('--sandbox-port', String(port));
		await new Promise((resolve) => server.close(resolve));
		expect(code).toBe(1);
		expect(output.trim()).toMatch(new RegExp(`^Port ${port}, which the sandbox needs, .* npm run created-once -- --sandbox-port ${port + 1}$`));
	});
});
