import { READ_ONLY_CLIENT, type Sandbox, startSandbox } from '../../sandbox';
import { credentialFor } from '../support/executor/credentialStore';
import { execute, logLines } from '../support/executor/execute';
import { getGateway, numbered } from '../support/operations';
import { sandboxOfEachTest } from '../support/executor/sandboxOfEachTest';
import { startCrowded } from '../support/executor/startService';
import { until } from '../support/until';

let sandbox: Sandbox;

const run = sandboxOfEachTest((started) => { sandbox = started; });
afterEach(() => jest.restoreAllMocks());

const gatewayOfItem = getGateway('={{ $json.n % 12 + 1 }}');

const gateways = async (items: number, options = {}) => await run({ items: numbered(items), parameters: { ...gatewayOfItem, options } });

/** Times at which requests arrived below a path, in ms. */
const arrivals = (path: string) => sandbox.requests().filter((request) => request.path.startsWith(path))
	.map(({ time }) => Date.parse(time));

/** The first request of the path is answered 429 and asks to wait. @returns what waits until the node has read that */
function pauseOnce(path: string, retryAfterSeconds = 1): () => Promise<unknown> {
	sandbox.setFaults({ rules: [{ fault: 'http429', path, retryAfterSeconds, count: 1 }] });
	const lines = logLines();
	return async () => await until(() => lines.some((line) => line.includes('service asks to wait')), 'the node has read the 429');
}

/** An execution with a function that cancels it. */
function cancellable(items: number) {
	let cancel = () => {};
	const ended = run({ items: numbered(items), parameters: gatewayOfItem, onStart: (now) => (cancel = now) });
	return { ended, cancel: () => cancel() };
}

describe('many executions with the same API key', () => {
	test('log in once, and share one limit of concurrent requests', async () => {
		const { service, peak } = await startCrowded(25);
		const execution = { items: numbered(9), parameters: gatewayOfItem, credential: credentialFor(service.url) };
		await Promise.all(Array.from({ length: 5 }, async () => await execute(execution)));
		expect([service.logins.length, service.requests.length, peak()]).toEqual([1, 45, 25]);
	});

	test('lose nothing by one of them that is cancelled', async () => {
		sandbox.setFaults({ rules: [{ fault: 'latency', ms: 20 }] });
		const { ended, cancel } = cancellable(1_000);
		const other = gateways(200);
		await until(() => sandbox.requests().length > 50, '50 requests have been answered');
		cancel();
		expect((await ended).run.status).toBe('canceled');
		expect((await other).output).toHaveLength(200);
	});
});

describe('a pause that the service asks for', () => {
	test('holds all executions with the key, and a request that only waited keeps its attempts', async () => {
		const rejected = pauseOnce('/v1');
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

	test('ends at once for an execution that is cancelled while its login waits, and nothing more of it is sent', async () => {
		const rejected = pauseOnce('/auth');
		const { ended, cancel } = cancellable(50);
		await rejected();
		cancel();
		expect((await ended).run.status).toBe('canceled');
		// The next one has to log in for itself.
		expect((await gateways(1)).output).toHaveLength(1);
		expect([arrivals('/auth').length, arrivals('/v1').length]).toEqual([2, 1]);
	});

	test('holds nobody with another key, nor with another service', async () => {
		const rejected = pauseOnce('/v1', 60);
		const { ended, cancel } = cancellable(1);
		await rejected();
		const { clientId, clientSecret } = READ_ONLY_CLIENT;
		const otherService = await startSandbox();
		for (const credential of [credentialFor(sandbox.url, { clientId, clientSecret }), credentialFor(otherService.url)]) {
			expect((await execute({ parameters: getGateway('1'), credential })).output).toHaveLength(1);
		}
		await otherService.close();
		cancel();
		await ended;
	});
});
