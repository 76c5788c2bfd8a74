import { startSandbox } from '../../sandbox';
import { runScript } from './run';

const start = (...args: string[]) => runScript('start', args);

describe('npm start', () => {
	it.each([
		[['--port', '4000', '--sandbox-port', '4000'], "n8n and the sandbox can't share port 4000"],
		[['--n8n', '1.0.0'], "'1.0.0' is invalid. Allowed choices are 2.8.4, 2.41.1, newest."],
	])('refuses %j', async (args, sentence) => {
		expect(await start(...args)).toEqual({ code: 1, output: expect.stringContaining(sentence) });
	});

	it('says that a port is in use, before it installs anything', async () => {
		const [option, otherOption] = ['--port', '--sandbox-port'];
		const taken = await startSandbox();
		const { port } = taken;
		// Below those that the system gives to another test meanwhile.
		const otherPort = 11_000 + Math.floor(Math.random() * 20_000);
		const { code, output } = await start(option, String(port), otherOption, String(otherPort));
		await taken.close();
		expect(code).toBe(1);
		expect(output.trim()).toBe(
			`Port ${port} is in use by another program. End that program, or choose another port (${option}).`,
		);
	});
});
