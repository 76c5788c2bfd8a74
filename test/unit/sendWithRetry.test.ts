import { parseCredential } from '../../nodes/VoiceAdmin/transport/auth/credential';
import { limiterOf } from '../../nodes/VoiceAdmin/transport/flow/limiters';
import { RunQueue } from '../../nodes/VoiceAdmin/transport/flow/runQueue';
import { type RequestContext, sendWithRetry } from '../../nodes/VoiceAdmin/transport/sendWithRetry';
import { type Sandbox, startSandbox } from '../../sandbox';
import { credentialFor } from '../support/credentialStore';
import { Polling } from '../support/poll';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox();
});

afterAll(async () => await sandbox.close());

/** What a run sends with; n8n's helpers are those of a trigger. */
function contextOf(queue: RunQueue): RequestContext {
	const data = credentialFor(sandbox.url);
	return { context: new Polling({ gatewayIds: '1' }, data).context, credential: parseCredential(data), connection: {}, queue, maxRetries: 0, stopsOnFailure: false };
}

const getGateway = { method: 'GET', path: '/v1/voip/dss/gtw/1', sent: {} } as const;

test('a permit is released whatever goes wrong with a response', async () => {
	const queue = new RunQueue(200);
	const context = contextOf(queue);
	const read = () => {
		throw new Error('unforeseen');
	};
	// More than there are permits at first: if they stayed, the last ones would wait for ever.
	for (let n = 0; n < 30; n++) await expect(sendWithRetry(context, getGateway, read)).rejects.toThrow('unforeseen');
	expect(queue.inFlight).toBe(0);
	expect(limiterOf(context.credential).idleMs).toBeDefined();
});

test('no permit is held while a request waits for a login', async () => {
	sandbox.setFaults({ rules: [{ fault: 'latency', path: '/auth', ms: 300 }] });
	const queue = new RunQueue(1);
	const context = contextOf(queue);
	// A key of its own, and so no token yet.
	const credential = parseCredential(credentialFor(sandbox.url, { clientSecret: 'not the key' }));
	const sending = sendWithRetry({ ...context, credential }, getGateway, () => undefined);
	await new Promise((resolve) => setTimeout(resolve, 100));
	expect(queue.inFlight).toBe(0);
	const result = await sending;
	expect(result).toMatchObject({ failure: { code: 'login_failed', outcome: 'not_sent' } });
});
