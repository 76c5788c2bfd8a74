import type { Sandbox } from '../../sandbox';
import { CredentialStore, credentialFor } from '../support/executor/credentialStore';
import { execute } from '../support/executor/execute';
import { addCustomer, getGateway, numbered, setPremium } from '../support/operations';
import { json, Recorder } from '../support/recorder';
import { sandboxOfEachTest } from '../support/executor/sandboxOfEachTest';
import { until } from '../support/until';

let sandbox: Sandbox;

sandboxOfEachTest((started) => { sandbox = started; });

const gatewayOfItem = getGateway('={{ $json.n % 12 + 1 }}');
/** A VAT number of its own for each item. */
const customerWith = (options: { maxConcurrency?: number }) => addCustomer('={{ "C" + $json.n }}', { options });
const customerOfItem = customerWith({});
const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 };
const createdCustomers = () => sandbox.state().customers.map(({ vatNumber }) => vatNumber);

describe('concurrency', () => {
	test.each([
		[2, 100],
		[10, 2],
	])("is that of the first item's Max Concurrency for the whole run: %i, where the others have %i", async (first, others) => {
		sandbox.setFaults({ rules: [{ fault: 'latency', ms: 300 }] });
		await execute({
			items: numbered(24),
			parameters: { ...gatewayOfItem, options: { maxConcurrency: `={{ $json.n === 0 ? ${first} : ${others} }}` } },
			credential: credentialFor(sandbox.url),
		});
		expect(sandbox.state().counters.peakInFlight).toBe(first);
	});
});

describe('retry', () => {
	test.each<[string, object]>([
		['429', { fault: 'http429', retryAfterSeconds: 0 }],
		['503', { fault: 'http503' }],
		['a connection reset after', { fault: 'resetAfter' }],
	])('%s: a PUT is sent again and succeeds', async (_name, fault) => {
		sandbox.setFaults({ rules: [{ ...fault, method: 'PUT', count: 2 } as never] });
		const { output, error } = await execute({ parameters: setPremium(1001, 'IT'), credential: credentialFor(sandbox.url) });
		expect(error).toBeUndefined();
		expect(output[0]?.json).toEqual({ success: true, idTrunk: 1001, iso: 'IT' });
		expect(sandbox.requests().filter(({ method }) => method === 'PUT')).toHaveLength(3);
	});

	test.each(['http429', 'http503'] as const)('after a %s with Retry-After, the whole run waits for that long', async (fault) => {
		sandbox.setFaults({ rules: [{ fault, retryAfterSeconds: 1, method: 'GET', after: 3, count: 1 }] });
		const parameters = { ...gatewayOfItem, options: { maxConcurrency: 1 } };
		const { error } = await execute({ items: numbered(10), parameters, credential: credentialFor(sandbox.url) });
		expect(error).toBeUndefined();
		const gets = sandbox.requests().filter(({ method }) => method === 'GET');
		expect(gets.map(({ status }) => status)).toEqual([200, 200, 200, Number(fault.slice(4)), ...Array<number>(7).fill(200)]);
		const times = gets.map(({ time }) => Date.parse(time));
		expect(times[4]! - times[3]!).toBeGreaterThanOrEqual(990);
	});

	test('a create that was answered 429 is sent again', async () => {
		sandbox.setFaults({ rules: [{ fault: 'http429', retryAfterAs: 'none', method: 'POST', path: '/v1', count: 2 }] });
		const { error } = await execute({ parameters: addCustomer('1'), credential: credentialFor(sandbox.url) });
		expect(error).toBeUndefined();
		expect(createdCustomers()).toEqual(['1']);
	});

	test('an endless response times out', async () => {
		const service = await Recorder.start(({ method }, response) => {
			if (method === 'POST') return json(response, 200, {});
			response.writeHead(200, { 'Content-Type': 'application/json' });
			const trickle = setInterval(() => response.write(' '), 20);
			response.once('close', () => clearInterval(trickle));
		});
		// The login is over before the time of the request begins.
		const { store } = await execute({ parameters: addCustomer('1'), credential: credentialFor(service.url) });
		const { error } = await execute({ parameters: { ...getGateway('1'), options: { maxRetries: 0 }, requestOptions: { timeout: 200 } }, credential: store });
		expect(error?.message).toBe(`The service at ${service.url} did not answer in time; if it never does, check the base URL and n8n's proxy`);
		await service.close();
	});
});

describe('stop on error', () => {
	test('after the first failure no queued request is sent', async () => {
		sandbox.setFaults({ rules: [{ fault: 'http404', method: 'POST', path: '/v1', after: 10 }] });
		const { error, output } = await execute({
			items: numbered(100),
			parameters: customerWith({ maxConcurrency: 5 }),
			credential: credentialFor(sandbox.url),
		});
		expect(error?.httpCode).toBe('404');
		expect(error?.context).toMatchObject({ itemIndex: 10 });
		expect(output).toEqual([]);
		expect(sandbox.requests().filter(({ operationId }) => operationId === 'addCustomer').length).toBeLessThanOrEqual(15);
	});

	test('with a concurrency of 1, exactly the items before the failure are created', async () => {
		// The service would create those that follow.
		sandbox.setFaults({ rules: [{ fault: 'http500', method: 'POST', path: '/v1', after: 3, count: 1 }] });
		await execute({
			items: numbered(20),
			parameters: customerWith({ maxConcurrency: 1 }),
			credential: credentialFor(sandbox.url),
		});
		expect(createdCustomers()).toEqual(['C0', 'C1', 'C2']);
	});
});

describe('created once', () => {
	test('under Retry On Fail, customers created in an earlier attempt are not created again', async () => {
		sandbox.setFaults({ rules: [{ fault: 'http400', method: 'POST', path: '/v1', after: 29, count: 1 }] });
		const { error, output } = await execute({
			items: numbered(50),
			parameters: customerOfItem,
			credential: credentialFor(sandbox.url),
			settings: RETRY,
		});
		expect(error).toBeUndefined();
		expect(output.map((item) => item.json.vatNumber)).toEqual(numbered(50).map(({ n }) => `C${n}`));
		expect(createdCustomers().sort()).toEqual(numbered(50).map(({ n }) => `C${n}`).sort());
	});

	test('another execution creates again', async () => {
		const store = new CredentialStore(credentialFor(sandbox.url));
		const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 10 };
		await execute({ parameters: addCustomer('x'), credential: store, settings });
		await execute({ parameters: addCustomer('x'), credential: store, settings });
		expect(createdCustomers()).toEqual(['x', 'x']);
	});

	test('an attempt of Retry On Fail sends all items, though the failure of the one before has stopped that one', async () => {
		sandbox.setFaults({
			rules: [
				{ fault: 'latency', ms: 20 },
				{ fault: 'http500', method: 'GET', after: 20, count: 1 },
			],
		});
		const { error, output } = await execute({
			items: numbered(60),
			parameters: gatewayOfItem,
			credential: credentialFor(sandbox.url),
			settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 10 },
		});
		expect(error).toBeUndefined();
		expect(output).toHaveLength(60);
		const statuses = sandbox.requests().filter(({ method }) => method === 'GET').map(({ status }) => status);
		expect(statuses.filter((status) => status === 500)).toHaveLength(1);
		// The first attempt is stopped with at most 25 more requests under way, and the second one sends 60.
		expect(statuses.length).toBeGreaterThan(80);
		expect(statuses.length).toBeLessThan(60 + 60);
	});

	test('a create is the same when its body changes between attempts', async () => {
		sandbox.setFaults({ rules: [{ fault: 'http400', bodyContains: '"C1"', count: 1 }] });
		const { error } = await execute({
			items: numbered(3),
			parameters: addCustomer('={{ "C" + $json.n }}', { otherFields: '={{ { at: $now.toMillis(), random: Math.random() } }}' }),
			credential: credentialFor(sandbox.url),
			settings: RETRY,
		});
		expect(error).toBeUndefined();
		expect(createdCustomers().sort()).toEqual(['C0', 'C1', 'C2']);
	});
});

describe('cancel', () => {
	const pause = async (ms: number) => await new Promise((resolve) => setTimeout(resolve, ms));

	test('a canceled execution sends no request that waits for a permit', async () => {
		sandbox.setFaults({ rules: [{ fault: 'latency', ms: 100 }] });
		let sentWhenCanceled = 0;
		const { run } = await execute({
			items: numbered(300),
			parameters: { ...gatewayOfItem, options: { maxConcurrency: 10 } },
			credential: credentialFor(sandbox.url),
			onStart: (cancel) =>
				void until(() => sandbox.state().counters.requests > 15 && sandbox.state().counters.inFlight === 10, 'each permit was used, and some twice').then(() => {
					sentWhenCanceled = sandbox.state().counters.requests;
					cancel();
				}),
		});
		expect(run.status).toBe('canceled');
		await pause(600);
		expect(sentWhenCanceled).toBeGreaterThan(10);
		expect(sandbox.state().counters.requests).toBe(sentWhenCanceled);
	});

	test('a canceled execution sends no request that waits for its retry', async () => {
		const waitMs = 2_000;
		sandbox.setFaults({ rules: [{ fault: 'http503', method: 'GET', retryAfterSeconds: waitMs / 1_000 }] });
		const getsSent = () => sandbox.requests().filter(({ method }) => method === 'GET').map(({ path }) => path);
		await execute({
			items: numbered(12),
			parameters: gatewayOfItem,
			credential: credentialFor(sandbox.url),
			onStart: (cancel) => void until(() => getsSent().length > 0, 'a request is answered').then(cancel),
		});
		await pause(waitMs + 500);
		expect(new Set(getsSent()).size).toBe(getsSent().length);
	});

	test('requests in flight are aborted', async () => {
		let aborted = 0;
		const service = await Recorder.start((_request, response) => {
			response.once('close', () => aborted++);
		});
		await execute({
			items: numbered(100),
			parameters: gatewayOfItem,
			credential: credentialFor(service.url),
			onStart: (cancel) => void until(() => service.requests.length === 25, 'the initial number of requests was in flight').then(cancel),
		});
		await until(() => aborted === 25, 'all of them are aborted');
		expect(service.requests).toHaveLength(25);
		await service.close();
	});
});

describe('large responses', () => {
	test('a body of 20 MB comes out whole', async () => {
		sandbox.setFaults({ rules: [{ fault: 'hugeBody', method: 'GET' }] });
		const { output, error } = await execute({ parameters: getGateway('1'), credential: credentialFor(sandbox.url) });
		expect(error).toBeUndefined();
		expect(JSON.stringify(output[0]?.json).length).toBeGreaterThan(19_000_000);
	});
});
