import { startSandbox } from '../../sandbox';
import { AS_USER, evaluate, ROOT, runScript, testAsUser } from './run';

const start = (...args: string[]) => runScript('start', args);

describe('npm start', () => {
	it.each([
		[['--port', '4000', '--sandbox-port', '4000'], "n8n and the sandbox can't share port 4000"],
		[['--n8n', '1.0.0'], "'1.0.0' is invalid. Allowed choices are 2.8.4, 2.41.1, newest."],
	])('refuses %j', async (args, sentence) => {
		expect(await start(...args)).toEqual({ code: 1, output: expect.stringContaining(sentence) });
	});

	it.each([
		['--sandbox-port', '--port'],
		['--port', '--sandbox-port'],
	])('says that the port of %s is in use, before it installs anything', async (option, otherOption) => {
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

testAsUser('npm start says that a port is reserved for the administrator', async () => {
	expect(await evaluate('servers/ports.mts', `${AS_USER} module.requireFreePort(80, '--sandbox-port')`)).toBe(
		'Port 80 is reserved for the administrator, as those below 1024 usually are. Choose a higher one (--sandbox-port).',
	);
});

test('the browser tests end at once without a Chromium, and say what to install, and how to name one that is elsewhere', async () => {
	const { code, output } = await runScript('e2e:browser', [], { CHROMIUM: '/nowhere/chromium' });
	expect(code).toBe(1);
	expect(output).toContain('Chromium or Chrome was not found: no /nowhere/chromium.');
	expect(output).toContain('apt-get install chromium. Or name one that is elsewhere by the variable CHROMIUM.');
	expect(output).not.toContain('    at ');
});

it.each([
	['prebuild-install warn ENOTFOUND downloads.example\ngyp ERR! not ok', 'It needs python3, make and g++'],
	['something else', 'n8n 2.8.4 could not be installed; the lines above say why.'],
])('an install that fails after %j says so', async (output, words) => {
	const result = JSON.stringify({ log: `${ROOT}/.cache/logs/x.log`, output });
	expect(await evaluate('bootstrap/failure.mjs', `module.installFailure('n8n 2.8.4', ${result}).message`)).toContain(
		words,
	);
});
