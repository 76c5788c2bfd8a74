import { DEMO_CLIENT, startSandbox } from '../../sandbox';
import type { FaultRule, Sandbox } from '../../sandbox';
import { DocumentedClient, expectDocumented } from './documentedClient';
import { until } from '../support/until';

let sandbox: Sandbox;
let client: DocumentedClient;
let token: string;

beforeAll(async () => {
	sandbox = await startSandbox();
	client = new DocumentedClient(sandbox);
	token = await client.tokenOf(DEMO_CLIENT);
});
beforeEach(() => sandbox.reset());
afterAll(async () => await sandbox.close());

const setRules = (...rules: FaultRule[]) => sandbox.setFaults({ rules });
const addCustomer = () => client.callFreely('POST', '/v1/customers/add', { body: { vatNumber: '1' }, token });
const getGateway = (path = '1') => client.callFreely('GET', `/v1/voip/dss/gtw/${path}`, { token });
const customersStored = () => sandbox.state().customers.length;
const loggedStatuses = () => sandbox.requests().map(({ status }) => status);
/** A reply is logged when it has ended, which may be just after the client has seen its end. */
const untilLogged = (count: number) => until(() => sandbox.requests().length >= count, `${count} requests are logged`);

describe('an error of the API', () => {
	it.each([400, 401, 403, 404, 429, 500, 502, 503, 504] as const)('%s has the error body, and no request is processed', async (status) => {
		setRules({ fault: `http${status}` });
		const { status: given, data } = await addCustomer();
		expect(given).toBe(status);
		expect(data).toEqual({ status: expect.any(String), message: expect.any(String), errors: expect.any(String) });
		expect(customersStored()).toBe(0);
	});

	it('may come although the request was processed', async () => {
		setRules({ fault: 'http500', processed: true });
		expect((await addCustomer()).status).toBe(500);
		expect(customersStored()).toBe(1);
	});

	const details = ['a text', [{ field: 'iso', message: 'is wrong' }], { reason: 'maintenance', until: 7 }];
	it.each(details.map((errors) => [errors]))('takes the message and the details %j', async (errors) => {
		setRules({ fault: 'http503', message: 'Down', errors });
		const response = await getGateway();
		expect(response.data).toEqual({ status: 'Service Unavailable', message: 'Down', errors });
		await expectDocumented('GET', '/v1/voip/dss/gtw/1', response);
	});

	it('says when to try again: in seconds, as a date, or not', async () => {
		const retryAfter = async (rule: FaultRule) => {
			setRules(rule);
			return (await getGateway()).headers['retry-after'];
		};
		expect(await retryAfter({ fault: 'http429' })).toBe('1');
		expect(await retryAfter({ fault: 'http429', retryAfterSeconds: 7 })).toBe('7');
		expect(await retryAfter({ fault: 'http429', retryAfterAs: 'none' })).toBeUndefined();
		expect(await retryAfter({ fault: 'http503' })).toBeUndefined();
		expect(await retryAfter({ fault: 'http503', retryAfterSeconds: 0 })).toBe('0');
		const date = (await retryAfter({ fault: 'http429', retryAfterSeconds: 3600, retryAfterAs: 'date' })) as string;
		expect(date).toMatch(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/);
		expect(Date.parse(date)).toBeGreaterThan(Date.now());
	});
});

it.each([['resetBefore', 0], ['resetAfter', 1]] as const)('%s leaves %i customers, and the client knows of none', async (fault, count) => {
	setRules({ fault });
	await expect(addCustomer()).rejects.toMatchObject({ code: 'ECONNRESET' });
	expect(customersStored()).toBe(count);
	await untilLogged(1);
	expect(loggedStatuses()).toEqual(['reset']);
});

describe('a spoilt reply', () => {
	it('may be a page of HTML', async () => {
		setRules({ fault: 'htmlPage' });
		const { status, data, headers } = await addCustomer();
		expect([status, headers['content-type']]).toEqual([502, 'text/html; charset=utf-8']);
		expect(data).toMatch(/^<!DOCTYPE html>/);
		expect(customersStored()).toBe(0);
	});

	it('may be JSON cut in its middle, in a reply that is complete', async () => {
		setRules({ fault: 'truncatedJson' });
		const { status, data, headers } = await addCustomer();
		expect([status, headers['content-type']]).toEqual([201, 'application/json; charset=utf-8']);
		expect(data).toMatch(/^\{"id":1,/);
		expect(() => JSON.parse(data)).toThrow(SyntaxError);
		expect(headers['content-length']).toBe(String(data.length));
	});

	it('is cut JSON with 200 where the right reply would have been empty', async () => {
		setRules({ fault: 'truncatedJson' });
		const path = '/v1/voip/dss/trunk/country/setpremium';
		const { status, data } = await client.callFreely('PUT', path, { body: { idTrunk: 1001, iso: 'IT' }, token });
		expect(status).toBe(200);
		expect(() => JSON.parse(data)).toThrow(SyntaxError);
	});

	it('may be as long as was asked for', async () => {
		setRules({ fault: 'hugeBody', megabytes: 2 });
		const { status, data, headers } = await getGateway();
		expect(status).toBe(200);
		expect(data.name).toHaveLength(2e6);
		expect(Number(headers['content-length'])).toBe(JSON.stringify(data).length);
	});
});

describe('latency', () => {
	it('adds to other faults, and to itself', async () => {
		setRules({ fault: 'latency', ms: 20 }, { fault: 'latency', ms: 30, jitterMs: 5 }, { fault: 'http503' });
		expect((await getGateway()).status).toBe(503);
		await untilLogged(1);
		// a timer may fire up to a millisecond early
		expect(sandbox.requests()[0]?.milliseconds).toBeGreaterThanOrEqual(49);
		expect(sandbox.faults().counts.map(({ injected }) => injected)).toEqual([1, 1, 1]);
	});

	it('ends when the client has gone, although the request was processed', async () => {
		setRules({ fault: 'latency', ms: 600_000 });
		const gone = new AbortController();
		const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
		const sent = fetch(`${sandbox.url}/v1/customers/add`, { method: 'POST', headers, body: '{}', signal: gone.signal }).catch(() => 'gone');
		await until(() => customersStored() === 1, 'the customer is stored');
		gone.abort();
		expect(await sent).toBe('gone');
		await untilLogged(1);
		expect(loggedStatuses()).toEqual(['aborted']);
		expect(sandbox.state().counters.inFlight).toBe(0);
	});
});

describe('tokens that expire after some requests', () => {
	it('give 401 from then on, each token for itself', async () => {
		setRules({ fault: 'tokenExpires', afterRequests: 2 });
		for (let login = 0; login < 2; login += 1) {
			const fresh = await client.tokenOf(DEMO_CLIENT);
			const statuses = [];
			for (let use = 0; use < 4; use += 1) statuses.push((await client.gateway('1', { token: fresh })).status);
			expect(statuses).toEqual([200, 200, 401, 401]);
		}
	});
});

describe('which requests get a fault', () => {
	it('those whose body holds a text', async () => {
		setRules({ fault: 'http500', bodyContains: '"C30"' });
		const statusOf = async (vatNumber: string) =>
			(await client.callFreely('POST', '/v1/customers/add', { body: { vatNumber }, token })).status;
		expect([await statusOf('C3'), await statusOf('C30'), await statusOf('C300')]).toEqual([201, 500, 201]);
	});

	const statusesOf = async (count: number, path?: string) => {
		const statuses: number[] = [];
		for (let sent = 0; sent < count; sent += 1) statuses.push((await getGateway(path)).status);
		return statuses;
	};

	it('is the first so many, after so many that pass', async () => {
		setRules({ fault: 'http503', after: 1, count: 2 });
		expect(await statusesOf(5)).toEqual([200, 503, 503, 200, 200]);
	});

	it('is decided by the first rule that is drawn, and a rule counts requests that another one took', async () => {
		setRules({ fault: 'http429', count: 2 }, { fault: 'http503', after: 1, count: 2 });
		expect(await statusesOf(5)).toEqual([429, 429, 503, 503, 200]);
		expect(sandbox.faults().counts).toEqual([{ matched: 5, injected: 2 }, { matched: 5, injected: 2 }]);
	});

	it('depends on the path: itself and those below it', async () => {
		setRules({ fault: 'http503', path: '/v1/voip/dss/gtw/1' });
		expect((await client.login(DEMO_CLIENT)).status).toBe(200);
		expect(await statusesOf(1, '1')).toEqual([503]);
		expect(await statusesOf(1, '1/10')).toEqual([503]);
		expect(await statusesOf(1, '10')).toEqual([200]);
	});

	it('depends on the method', async () => {
		setRules({ fault: 'http503', method: 'post' });
		expect((await addCustomer()).status).toBe(503);
		expect((await getGateway()).status).toBe(200);
	});

	it('never is a control path', async () => {
		setRules({ fault: 'resetBefore' });
		expect((await client.callFreely('GET', '/_sandbox/health', { token: null })).status).toBe(200);
	});

	it('is about the share that was asked for, and the same for the same seed', async () => {
		const sequenceOf = async (seed: number) => {
			sandbox.setFaults({ seed, rules: [{ fault: 'http503', rate: 0.3 }, { fault: 'http429', rate: 0.1 }] });
			return await statusesOf(200);
		};
		const first = await sequenceOf(42);
		const share = first.filter((status) => status === 503).length / first.length;
		expect(share).toBeGreaterThan(0.2);
		expect(share).toBeLessThan(0.4);
		expect(first).toContain(429);
		expect(await sequenceOf(42)).toEqual(first);
		expect(await sequenceOf(43)).not.toEqual(first);
	});

	it('is not changed by another rule', async () => {
		const hitBy503 = async (...others: FaultRule[]) => {
			sandbox.setFaults({ seed: 5, rules: [{ fault: 'http503', rate: 0.3 }, ...others] });
			return (await statusesOf(50)).map((status) => status === 503);
		};
		expect(await hitBy503({ fault: 'http500', rate: 0.5 })).toEqual(await hitBy503());
	});
});

describe('the rate limit', () => {
	it('rejects what comes too early and says when to come back', async () => {
		sandbox.setFaults({ rateLimit: { perSecond: 0.01, burst: 3 } });
		const statuses: number[] = [];
		for (let sent = 0; sent < 5; sent += 1) statuses.push((await client.gateway('1', { token })).status);
		expect(statuses).toEqual([200, 200, 200, 429, 429]);
		const { headers, data } = await client.gateway('1', { token });
		expect(Number(headers['retry-after'])).toBeGreaterThan(90);
		expect(Number(headers['retry-after'])).toBeLessThanOrEqual(100);
		expect(data.errors).toBe('At most 0.01 requests a second are accepted');
		sandbox.setFaults({});
		expect((await client.gateway('1', { token })).status).toBe(200);
	});
});
