import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import axios from 'axios';

import { createSeed, READ_ONLY_CLIENT, startSandbox } from '../../sandbox';
import { parseCliArguments } from '../../sandbox/arguments';
import { run } from './runCli';

it('shows what to paste into n8n and what there is, and stops cleanly on Ctrl-C', async () => {
	const sandbox = run('--port', '0');
	const [, url] = await sandbox.shows(/listens on (http:\/\/127\.0\.0\.1:\d+)[\s\S]*Ctrl-C/);
	const { clientId, clientSecret } = READ_ONLY_CLIENT;
	const { organizations, trunks, gateways } = createSeed();
	const contents = organizations.map(({ id, name }) => {
		const [trunkIds, gatewayIds] = [trunks.filter(({ broken }) => !broken), gateways].map((all) =>
			all.filter(({ organizationId }) => organizationId === id).map((one) => one.id));
		return `Organization ${id}, ${name}: trunks ${trunkIds![0]} to ${trunkIds!.at(-1)}, gateways ${gatewayIds![0]} to ${gatewayIds!.at(-1)}`;
	});
	const credential = ['Production Base URL', 'demo-client', 'demo-key-not-a-secret', clientId, clientSecret];
	for (const text of [...credential, ...contents, `in a browser: ${url}/ (the API document: ${url}/docs)`]) {
		expect(sandbox.output()).toContain(text);
	}
	sandbox.stop('SIGINT');
	expect([await sandbox.ended, sandbox.errors()]).toEqual([0, '']);
});

it('prints each request, and does what its flags say', async () => {
	const sandbox = run('--port=0', '--faults', '[{"fault": "http503", "count": 1}]');
	const [, url] = await sandbox.shows(/listens on (http:\S+)/);
	for (let sent = 0; sent < 2; sent += 1) await axios.get(`${url}/v1/voip/dss/gtw/1`, { validateStatus: () => true });
	await sandbox.shows(/GET \/v1\/voip\/dss\/gtw\/1 503 [\d.]+ ms \(fault: http503\)\nGET \/v1\/voip\/dss\/gtw\/1 401 [\d.]+ ms\n/);
	sandbox.stop('SIGTERM');
	expect(await sandbox.ended).toBe(0);
});

it('reads faults from a file of the folder in which npm was called', () => {
	const folder = (process.env.INIT_CWD = mkdtempSync(join(tmpdir(), 'sandbox-cli-')));
	writeFileSync(join(folder, 'faults.json'), '[{"fault": "http503"}]');
	expect(parseCliArguments(['--faults', '@faults.json'])?.faults).toEqual({ rules: [{ fault: 'http503' }] });
	rmSync(folder, { recursive: true });
});

it('says in one sentence that the port is in use', async () => {
	const other = await startSandbox();
	const late = run('--port', String(other.port));
	expect(await late.ended).toBe(1);
	const advice = 'Stop the program that uses it, or choose another port (--port).';
	expect(late.errors()).toBe(`Port ${other.port} on 127.0.0.1 is already in use. ${advice}\n`);
	await other.close();
});

it('ends with code 2 and a sentence if a flag is wrong', async () => {
	const wrong = run('--port', 'http');
	expect([await wrong.ended, wrong.errors(), wrong.output()]).toEqual([2, '--port: Expected number, received nan\nSee --help.\n', '']);
});

it.each([
	[['--port', '70000'], '--port: Number must be less than or equal to 65535'],
	[['--port'], '--port'], [['--prot', '1'], '--prot'], [['3456'], '3456'],
	[['--token-ttl', '0'], '--token-ttl: Number must be greater than 0'], [['--token-ttl', '1h'], '--token-ttl: Expected number'],
	[['--latency=-1'], '--latency: Number must be greater than or equal to 0'],
	[['--faults', '@/no/such/file'], '--faults: ENOENT'],
])('rejects %j', (argv, sentence) => {
	expect(() => parseCliArguments(argv)).toThrow(sentence);
});

it('takes every flag, and has port 3456 without one', () => {
	const flags = '--port 0 --host 0.0.0.0 --token-ttl 0.5 --latency 20 --faults [{"fault":"away","ms":5}]'.split(' ');
	const numbers = { port: 0, tokenTtlSeconds: 0.5, latencyMs: 20 };
	expect(parseCliArguments(flags)).toEqual({ ...numbers, host: '0.0.0.0', faults: { rules: [{ fault: 'away', ms: 5 }] } });
	expect(parseCliArguments([])).toEqual({ port: 3456 });
});
