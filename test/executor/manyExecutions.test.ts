import { sleep } from 'n8n-workflow';

import { READ_ONLY_CLIENT, type Sandbox, startSandbox } from '../../sandbox';
import { credentialFor } from '../support/executor/credentialStore';
import { execute, type Result } from '../support/executor/execute';
import { getGateway, numbered } from '../support/operations';
import { sandboxOfEachTest } from '../support/executor/sandboxOfEachTest';
import { until } from '../support/until';

let sandbox: Sandbox;

sandboxOfEachTest((started) => { sandbox = started; });

const gatewayOfItem = getGateway('={{ $json.n % 12 + 1 }}');

const gateways = async (items: number, options = {}): Promise<Result> =>
	await execute({ items: numbered(items), parameters: { ...gatewayOfItem, options }, credential: credentialFor(sandbox.url) });

/** Long enough for all that may be in flight to arrive meanwhile, on a busy machine too. */
const SLOW_MS = 1_500;

/** Times at which requests arrived below a path, in ms. */
const arrivals = (path: string) => sandbox.requests().filter((request) => request.path.startsWith(path))
	.map(({ time }) => Date.parse(time));

/** The first request of the path is answered 429 and asks to wait a second. */
const pauseOnce = (path: string) => sandbox.setFaults({ rules: [{ fault: 'http429', path, retryAfterSeconds: 1, count: 1 }] });

/** Until a request has been answered 429, and the node has read it. */
async function rejected(): Promise<void> {
	await until(() => sandbox.requests().some(({ status }) => status === 429), 'one is answered 429');
	await sleep(100);
}

describe('many executions with the same API key', () => {
	test('lose no item behind 100 requests a second, log in once, and waste fewer than half as many requests', async () => {
		sandbox.setFaults({ rateLimit: { perSecond: 100, burst: 5 }, rules: [{ fault: 'latency', ms: 50 }] });
		const results = await Promise.all(Array.from({ length: 40 }, async () => await gateways(10)));
		expect(results.flatMap(({ output }) => output)).toHaveLength(400);
		expect(results.filter(({ error }) => error)).toEqual([]);
		const { requests, logins } = sandbox.state().counters;
		expect(logins).toBe(1);
		const wasted = requests - logins - 400;
		// Some 12 on an idle machine, more on a busy one. With a limiter for each of them, more were wasted than served.
		expect(wasted).toBeLessThan(200);
		expect(wasted).toBeGreaterThan(0);
	});

	test('share one limit of concurrent requests', async () => {
		sandbox.setFaults({ rules: [{ fault: 'latency', ms: SLOW_MS }] });
		// All are sent before 25 successes raise the limit.
		await Promise.all(Array.from({ length: 5 }, async () => await gateways(9)));
		expect(sandbox.state().counters.peakInFlight).toBe(25);
	});

	test('one that is cancelled takes only its own requests out', async () => {
		sandbox.setFaults({ rules: [{ fault: 'latency', ms: 100 }] });
		let cancel = () => {};
		const cancelled = execute({ items: numbered(1_000), parameters: gatewayOfItem, credential: credentialFor(sandbox.url),
			onStart: (now) => (cancel = now) });
		const other = gateways(200);
		await until(() => sandbox.requests().length > 50, '50 requests have been answered');
		cancel();
		await cancelled;
		expect((await other).output).toHaveLength(200);
		expect(sandbox.requests().length).toBeLessThan(600);
	});
});

describe('a pause that the service asks for', () => {
	test('holds all executions with the key, and a request that only waited keeps its attempts', async () => {
		pauseOnce('/v1');
		const first = gateways(1);
		await rejected();
		// Without a retry of their own: should they be sent, and get a 429, they would fail.
		const others = await Promise.all(Array.from({ length: 5 }, async () => await gateways(3, { maxRetries: 0 })));
		expect(others.map(({ output }) => output.length)).toEqual([3, 3, 3, 3, 3]);
		expect((await first).error).toBeUndefined();
		const [first429, ...later] = arrivals('/v1');
		expect(Math.min(...later) - first429!).toBeGreaterThanOrEqual(990);
	});

	test('holds logins, and all requests that wait for one, which keep their attempts', async () => {
		pauseOnce('/auth');
		const results = await Promise.all([gateways(20, { maxRetries: 0 }), gateways(20, { maxRetries: 0 })]);
		expect(results.map(({ output }) => output.length)).toEqual([20, 20]);
		const [first429, login, ...none] = arrivals('/auth');
		expect(none).toEqual([]);
		expect(login! - first429!).toBeGreaterThanOrEqual(990);
	});

	test('does not end in requests of an execution that was cancelled while they waited for a login', async () => {
		pauseOnce('/auth');
		let cancel = () => {};
		const cancelled = execute({ items: numbered(50), parameters: gatewayOfItem, credential: credentialFor(sandbox.url),
			onStart: (now) => (cancel = now) });
		await rejected();
		cancel();
		await cancelled;
		await until(() => arrivals('/auth').length === 2, 'the login, for which others may wait, is sent again');
		// Long enough for several of them to be sent.
		await sleep(500);
		expect(arrivals('/v1')).toEqual([]);
	});

	test('holds nobody with another key, nor with another service', async () => {
		sandbox.setFaults({ rules: [{ fault: 'http429', method: 'GET', path: '/v1', retryAfterSeconds: 60, count: 1 }] });
		let cancel = () => {};
		const paused = execute({ parameters: getGateway('1'), credential: credentialFor(sandbox.url), onStart: (now) => (cancel = now) });
		await rejected();
		const { clientId, clientSecret } = READ_ONLY_CLIENT;
		const otherKey = await execute({ parameters: getGateway('1'), credential: credentialFor(sandbox.url, { clientId, clientSecret }) });
		expect(otherKey.output).toHaveLength(1);
		const otherService = await startSandbox();
		const { output } = await execute({ parameters: getGateway('1'), credential: credentialFor(otherService.url) });
		await otherService.close();
		expect(output).toHaveLength(1);
		cancel();
		await paused;
	});
});
