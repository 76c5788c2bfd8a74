import { spawn } from 'node:child_process';
import { join } from 'node:path';
import axios from 'axios';
import { READ_ONLY_CLIENT, startSandbox } from '../../sandbox';
import { ROOT } from '../scripts/run';
import { until } from '../support/until';

/** Starts the sandbox as `npm run sandbox` does, in a process of its own. */
function start(...args: string[]) {
	const child = spawn(process.execPath, [join('scripts', 'run.mjs'), 'sandbox', ...args], { cwd: ROOT });
	let [output, errors] = ['', ''];
	child.stdout.on('data', (chunk) => {
		output += chunk;
	});
	child.stderr.on('data', (chunk) => {
		errors += chunk;
	});
	const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
	return {
		/** The match, once the output has it. */
		shows: async (pattern: RegExp) => await until(() => pattern.exec(output), `the output has ${pattern}`),
		stop: (signal: NodeJS.Signals) => child.kill(signal),
		/** Its exit code, and what it has printed by then. */
		ended: async () => ({ code: await ended, output, errors }),
	};
}

it('shows what to paste into n8n and what there is, and stops cleanly on Ctrl-C', async () => {
	const sandbox = start('--port', '0');
	const { input: output, 1: url } = await sandbox.shows(/listens on (http:\/\/127\.0\.0\.1:\d+)[\s\S]*Ctrl-C/);
	const { clientId, clientSecret } = READ_ONLY_CLIENT;
	const credential = ['Production Base URL', 'demo-client', 'demo-key-not-a-secret', clientId, clientSecret];
	for (const text of [...credential, `in a browser: ${url}/`]) {
		expect(output).toContain(text);
	}
	sandbox.stop('SIGINT');
	expect(await sandbox.ended()).toMatchObject({ code: 0, errors: '' });
});

it('prints each request, and does what its flags say', async () => {
	const sandbox = start('--port=0', '--faults', '[{"fault": "http", "status": 503, "count": 1}]');
	const [, url] = await sandbox.shows(/listens on (http:\S+)/);
	for (let sent = 0; sent < 2; sent += 1) await axios.get(`${url}/v1/voip/dss/gtw/1`, { validateStatus: () => true });
	await sandbox.shows(
		/GET \/v1\/voip\/dss\/gtw\/1 503 [\d.]+ ms \(fault: http\)\nGET \/v1\/voip\/dss\/gtw\/1 401 [\d.]+ ms\n/,
	);
	sandbox.stop('SIGTERM');
	expect(await sandbox.ended()).toMatchObject({ code: 0, errors: '' });
});

it('explains each fault and its fields in --help', async () => {
	const { output } = await start('--help').ended();
	expect(output).toMatch(
		/\n +rateLimit +Requests above .*\n +perSecond +requests a second\n[^]*\n +bodyContains +only requests /,
	);
	expect(output).not.toContain('undefined');
});

it('says in one sentence that the port is in use', async () => {
	const other = await startSandbox();
	const advice = 'End that program, or choose another port (--port).';
	const errors = `\nPort ${other.port} is in use by another program. ${advice}\n`;
	expect(await start('--port', String(other.port)).ended()).toEqual({ code: 1, output: '', errors });
	await other.close();
});

it.each([
	[['--port', 'http'], 'It takes a number from 0 to 65535.'],
	[['--faults', '[{"fault": "nope"}]'], "rules.0.fault: Invalid discriminator value. Expected 'latency'"],
	[
		['--host', '192.0.2.1', '--port', '0'],
		'It takes an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of them.\n',
	],
])('rejects %j with a sentence', async (args, sentence) => {
	const { errors, ...rest } = await start(...args).ended();
	expect(rest).toEqual({ code: 1, output: '' });
	expect(errors).toContain(`${args[0]!} `);
	expect(errors).not.toContain('    at ');
	expect(errors).toContain(sentence);
});
