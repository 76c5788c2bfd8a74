import net from 'node:net';

import { startSandbox } from '../../sandbox';
import type { Sandbox, SandboxOptions } from '../../sandbox';
import { bodyWithoutSecrets } from '../../sandbox/control/redact';
import { until } from '../support/until';

let sandbox: Sandbox;
const start = async (options?: SandboxOptions) => (sandbox = await startSandbox(options));
afterEach(async () => await sandbox?.close());

/** Sends text as it is, in one connection; gives what came back when the other side has ended it or `done` says so. */
async function raw(text: string, done: (reply: string) => boolean = () => false): Promise<string> {
	const socket = net.connect(sandbox.port, '127.0.0.1');
	let reply = '';
	await new Promise<void>((resolve) => {
		socket.on('data', (chunk) => {
			reply += chunk.toString();
			if (done(reply)) resolve();
		});
		socket.once('error', () => resolve()).once('close', () => resolve());
		socket.write(text);
	});
	socket.destroy();
	return reply;
}

const request = (line: string, headers = '', body = '') => `${line} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${body.length}\r\n${headers}\r\n${body}`;
const statuses = (reply: string) => [...reply.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));

it.each([[400, undefined], [503, 'http503' as const]])('a path that cannot be decoded is logged with the status that was sent: %i', async (status, fault) => {
	await start({ faults: { rules: fault ? [{ fault }] : [] } });
	const reply = await raw(request('GET /v1/voip/dss/gtw/%zz'), (text) => text.includes('HTTP/1.1'));
	expect(statuses(reply)).toEqual([status]);
	await until(() => sandbox.requests().length === 1, 'it is logged');
	expect(sandbox.requests()[0]).toMatchObject({ status });
});

it.each(['json', ';', 'text/plain', 'application/x-www-form-urlencoded'])('a control path takes JSON whatever its content type: %j', async (type) => {
	await start();
	const fault = await raw(request('PUT /_sandbox/faults', `Content-Type: ${type}\r\n`, '[{"fault":"http503"}]'), (text) => text.includes('"counts"'));
	expect(statuses(fault)).toEqual([200]);
});

it('who resets the sandbox may send any body, and a body that is not valid does not end the connection', async () => {
	await start();
	const reply = await raw(
		request('PUT /_sandbox/faults', '', 'no json') + request('POST /_sandbox/reset', '', 'no json') + request('GET /_sandbox/health'),
		(text) => text.includes('"ok"'),
	);
	expect(statuses(reply)).toEqual([400, 204, 200]);
});

it('what is no HTTP does not end the sandbox', async () => {
	await start();
	expect(statuses(await raw('NONSENSE\r\n\r\n'))).toEqual([400]);
	expect(statuses(await raw(request('GET /_sandbox/health'), (text) => text.includes('"ok"')))).toEqual([200]);
});

it.each(['{"password":123456}', '{"apiKey":{"value":"REAL"}}', '{"clientSecret"          :"RE\\"AL"}', 'clientId=a&clientSecret=REAL', 'clientSecret: REAL'])(
	'a body is shown without its secret: %j',
	(body) => {
		const shown = bodyWithoutSecrets(body);
		expect(shown).not.toMatch(/REAL|RE\\"AL|123456/);
		expect(shown).toContain('[hidden]');
	},
);

it.each(['{"number":12345678901234567890}', 'vatNumber=IT1&name=Rossi', 'plain text'])('a body without a secret is shown as it is: %j', (body) => {
	expect(bodyWithoutSecrets(body)).toBe(body);
});
