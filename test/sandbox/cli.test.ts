import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import axios from 'axios';

import { createSeed, READ_ONLY_CLIENT, startSandbox } from '../../sandbox';
import { AS_USER, evaluate, inTemporaryFolder, ROOT, testAsUser } from '../scripts/run';
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
	const { organizations, trunks, gateways } = createSeed();
	const contents = organizations.map(({ id, name }) => {
		const [trunkIds, gatewayIds] = [trunks.filter(({ broken }) => !broken), gateways].map((all) =>
			all.filter(({ organizationId }) => organizationId === id).map((one) => one.id),
		);
		return `Organization ${id}, ${name}: trunks ${trunkIds![0]} to ${trunkIds!.at(-1)}, gateways ${gatewayIds![0]} to ${gatewayIds!.at(-1)}`;
	});
	const credential = ['Production Base URL', 'demo-client', 'demo-key-not-a-secret', clientId, clientSecret];
	for (const text of [...credential, ...contents, `in a browser: ${url}/`]) {
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

/** What the command makes of its arguments. @param folder in which npm was called */
const read = (args: string[], folder = '.') =>
	evaluate('commands/sandbox.mts', `module.sandbox.program.parse(${JSON.stringify(args)}, { from: 'user' }).opts()`, {
		INIT_CWD: folder,
	});

it('takes every option, faults from a file of the folder in which npm was called too, and has port 3456 without one', async () => {
	await inTemporaryFolder(async (folder) => {
		writeFileSync(join(folder, 'faults.json'), '[{"fault":"unavailable","ms":5}]');
		const options = '--port 0 --host 0.0.0.0 --token-ttl 0.5 --latency 20 --faults @faults.json'.split(' ');
		const given = {
			port: 0,
			host: '0.0.0.0',
			tokenTtl: 0.5,
			latency: 20,
			faults: { rules: [{ fault: 'unavailable', ms: 5 }] },
		};
		expect(await read(options, folder)).toEqual(given);
		expect(await read([])).toEqual({ port: 3456, host: '127.0.0.1', tokenTtl: 3600, latency: 0 });
	});
});

it('says in one sentence that the port is in use', async () => {
	const other = await startSandbox();
	const advice = 'Stop the program that uses it, or choose another port (--port).';
	const errors = `\nPort ${other.port} on 127.0.0.1 is already in use. ${advice}\n`;
	expect(await start('--port', String(other.port)).ended()).toEqual({ code: 1, output: '', errors });
	await other.close();
});

testAsUser('says in one sentence that a port is reserved for the administrator', async () => {
	const listening = await evaluate('../sandbox/index.ts', `${AS_USER} module.default.startSandbox({ port: 80 })`);
	expect(listening).toBe(
		'Port 80 on 127.0.0.1 is reserved for the administrator, as those below 1024 usually are. Choose a higher one (--port).',
	);
});

it.each([
	[['--port', 'http'], 'It takes a number from 0 to 65535.'],
	[['--port', '70000'], 'It takes a number from 0 to 65535.'],
	[['--token-ttl', '0'], 'It takes a number from 0.1'],
	[['--token-ttl', '1h'], 'It takes a number from 0.1'],
	[['--latency=-1'], 'It takes a number from 0 to 600000.'],
	[['--faults', '@/no/such/file'], 'ENOENT'],
	[['--faults', '[{"fault": "nope"}]'], "rules.0.fault: Invalid discriminator value. Expected 'latency'"],
])('rejects %j with a sentence', async (args, sentence) => {
	const { errors, ...rest } = await start(...args).ended();
	expect(rest).toEqual({ code: 1, output: '' });
	expect(errors).toContain(`${args[0]!.split('=')[0]} <`);
	expect(errors).toContain(sentence);
});
