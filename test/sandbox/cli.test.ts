import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import axios from 'axios';

import { startSandbox } from '../../sandbox';
import { parseCliArguments } from '../../sandbox/cli/arguments';
import { run } from './runCli';

it('shows what to paste into n8n and what there is, and stops cleanly on Ctrl-C', async () => {
	const sandbox = run('--port', '0');
	const [, url] = await sandbox.shows(/listens on (http:\/\/127\.0\.0\.1:\d+)[\s\S]*Ctrl-C/);
	for (const text of ['Production Base URL', 'demo-client', 'demo-key-not-a-secret', 'demo-reader', 'demo-reader-key-not-a-secret', '1001', '1500', 'Palermo Reti']) {
		expect(sandbox.output()).toContain(text);
	}
	expect(sandbox.output()).toContain(`in a browser: ${url}/ (the API document: ${url}/docs)`);
	expect((await axios.get(`${url}/`)).data).toContain('<title>Voice Admin sandbox</title>');
	expect((await axios.get(`${url}/_sandbox/health`)).status).toBe(200);
	expect(sandbox.output()).not.toContain('GET /');
	sandbox.stop('SIGINT');
	expect(await sandbox.ended).toBe(0);
	expect(sandbox.errors()).toBe('');
});

it('prints each request if it is told to, and does what its flags say', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'sandbox-cli-'));
	const file = join(folder, 'faults.json');
	writeFileSync(file, '[{"fault": "http503", "count": 1}]');
	const sandbox = run('--port=0', '--verbose', '--faults', `@${file}`);
	const [, url] = await sandbox.shows(/listens on (http:\S+)/);
	await axios.get(`${url}/v1/voip/dss/gtw/1`, { validateStatus: () => true });
	await axios.get(`${url}/v1/voip/dss/gtw/1`, { validateStatus: () => true });
	await sandbox.shows(/GET \/v1\/voip\/dss\/gtw\/1 503 [\d.]+ ms \(fault: http503\)\nGET \/v1\/voip\/dss\/gtw\/1 401 [\d.]+ ms\n/);
	sandbox.stop('SIGTERM');
	expect(await sandbox.ended).toBe(0);
	rmSync(folder, { recursive: true });
});

it('explains itself with --help', async () => {
	const help = run('--help');
	expect(await help.ended).toBe(0);
	for (const text of ['--port', '--host', '--token-ttl', '--latency', '--faults', '--profile', 'spring-boot', 'resetAfter', 'tokenExpires']) expect(help.output()).toContain(text);
});

it('says in one sentence that the port is in use', async () => {
	const other = await startSandbox();
	const late = run('--port', String(other.port));
	expect(await late.ended).toBe(1);
	expect(late.errors()).toBe(`Port ${other.port} on 127.0.0.1 is already in use. Stop the program that uses it, or choose another port (--port).\n`);
	await other.close();
});

it('ends with code 2 and a sentence if a flag is wrong', async () => {
	const wrong = run('--port', 'http');
	expect(await wrong.ended).toBe(2);
	expect(wrong.errors()).toBe('--port is "http"; expected an integer from 0 to 65535\nSee --help.\n');
	expect(wrong.output()).toBe('');
});

it.each([
	[['--port', '70000'], '--port is "70000"; expected an integer from 0 to 65535'],
	[['--port'], '--port'],
	[['--prot', '1'], '--prot'],
	[['3456'], '3456'],
	[['--token-ttl', '0'], '--token-ttl is "0"; expected a number of seconds above 0'],
	[['--token-ttl', '1h'], '--token-ttl is "1h"; expected a number of seconds above 0'],
	[['--latency=-1'], '--latency is "-1"; expected a number of milliseconds from 0 to 600000'],
	[['--profile', 'rails'], '--profile is "rails"; expected one of documented, spring-boot'],
	[['--seed', '1.5'], '--seed is "1.5"; expected an integer'],
	[['--faults', '@/no/such/file'], '--faults: ENOENT'],
	[['--faults', 'http503'], '--faults: '],
	[['--faults', '[{"fault": "http503", "rate": 5}]'], '--faults: rule 1 (http503): "rate" is 5; expected a number from 0 to 1'],
])('rejects %j', (argv, sentence) => {
	expect(() => parseCliArguments(argv)).toThrow(sentence);
});

it('takes every flag, and has port 3456 without one', () => {
	const argv = ['--port', '0', '--host', '0.0.0.0', '--token-ttl', '0.5', '--latency', '20', '--seed=-3', '--profile', 'Laravel', '--faults', '{"rateLimit": {"perSecond": 5}}', '--verbose'];
	expect(parseCliArguments(argv)).toEqual({
		help: false,
		verbose: true,
		options: { port: 0, host: '0.0.0.0', tokenTtlSeconds: 0.5, latencyMs: 20, seed: -3, faults: { rateLimit: { perSecond: 5 } }, profile: expect.objectContaining({ name: 'laravel' }) },
	});
	expect(parseCliArguments([]).options.port).toBe(3456);
});
