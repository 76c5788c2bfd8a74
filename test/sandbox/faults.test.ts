import { STATUS_CODES } from 'node:http';
import { DEMO_CLIENT, type FaultRule, type Sandbox, startSandbox } from '../../sandbox';
import { type DocumentedClient, expectDocumented, sandboxOfFile } from './documentedClient';
import { until } from '../support/until';

let sandbox: Sandbox;
let client: DocumentedClient;
let token: string;
sandboxOfFile((...own) => ([sandbox, client] = own));
beforeAll(async () => void (token = await client.tokenOf(DEMO_CLIENT)));

const setRules = (...rules: FaultRule[]) => sandbox.setFaults(rules);
const addCustomer = () => client.callFreely('POST', '/v1/customers/add', { body: { vatNumber: '1' }, token });
const getGateway = (path = '1') => client.callFreely('GET', `/v1/voip/dss/gtw/${path}`, { token });
const customersStored = () => sandbox.getRecordsAndCounters().customers.length;
/** A reply is logged when it has ended, which may be just after the client has seen its end. */
const loggedStatuses = async (count: number) => {
	await until(() => sandbox.getRequests().length >= count, `${count} requests are logged`);
	return sandbox.getRequests().map(({ status }) => status);
};

/** A rule, its status and Retry-After, and how many customers it leaves. */
it.each<[object, number, unknown, number]>([
	...[400, 401, 403, 404, 408].map((status): [object, number, unknown, number] => [
		{ fault: 'http', status },
		status,
		undefined,
		0,
	]),
	[{ fault: 'http', status: 500, processed: true }, 500, undefined, 1],
	[{ fault: 'http', status: 429 }, 429, '1', 0],
	[{ fault: 'http', status: 429, retryAfterSeconds: 7 }, 429, '7', 0],
	[{ fault: 'http', status: 429, retryAfterAs: 'none' }, 429, undefined, 0],
	[{ fault: 'http', status: 503 }, 503, undefined, 0],
	[{ fault: 'http', status: 520 }, 520, undefined, 0],
	[{ fault: 'htmlPage' }, 502, undefined, 0],
	[{ fault: 'pageAfter' }, 503, '5', 1],
])(
	'%j answers %i with the error body or a page, says when to try again, and processes the request or does not',
	async (rule, answered, retryAfter, count) => {
		setRules(rule as FaultRule);
		const { status, headers, data } = await addCustomer();
		expect([status, headers['retry-after'], customersStored()]).toEqual([answered, retryAfter, count]);
		const isPage = headers['content-type'] === 'text/html; charset=utf-8';
		expect(isPage).toBe(/page/i.test(JSON.stringify(rule)));
		if (isPage) return expect(data).toMatch(/^<!DOCTYPE html>/);
		const errors = 'A sandbox fault caused this error on purpose';
		expect(data).toEqual({ status: STATUS_CODES[status] ?? 'Unknown', message: expect.any(String), errors });
	},
);

it('an error of the API takes the message and the details of its rule', async () => {
	const errors = [{ field: 'iso', message: 'is wrong' }];
	setRules({ fault: 'http', status: 503, message: 'Down', errors });
	const response = await getGateway();
	expect(response.data).toEqual({ status: 'Service Unavailable', message: 'Down', errors });
	await expectDocumented('GET', '/v1/voip/dss/gtw/1', response);
});

it.each([
	['resetBefore', 0],
	['resetAfter', 1],
] as const)('%s leaves %i customers, and the client knows of none', async (fault, count) => {
	setRules({ fault });
	await expect(addCustomer()).rejects.toMatchObject({ code: 'ECONNRESET' });
	expect(customersStored()).toBe(count);
	expect(await loggedStatuses(1)).toEqual(['reset']);
});

it('latency ends when the client has gone, although the request was processed', async () => {
	setRules({ fault: 'latency', ms: 600_000 });
	const gone = new AbortController();
	const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
	const sent = fetch(`${sandbox.url}/v1/customers/add`, {
		method: 'POST',
		headers,
		body: '{}',
		signal: gone.signal,
	}).catch(() => 'gone');
	await until(() => customersStored() === 1, 'the customer is stored');
	gone.abort();
	expect(await sent).toBe('gone');
	expect([await loggedStatuses(1), sandbox.getRecordsAndCounters().counters.inFlight]).toEqual([['aborted'], 0]);
});

it('tokens that expire after some requests give 401 from then on, each token for itself', async () => {
	setRules({ fault: 'tokenExpires', afterRequests: 2 });
	for (let login = 0; login < 2; login += 1) {
		const fresh = await client.tokenOf(DEMO_CLIENT);
		const statuses = [];
		for (let use = 0; use < 4; use += 1) statuses.push((await client.gateway('1', { token: fresh })).status);
		expect(statuses).toEqual([200, 200, 401, 401]);
	}
});

it('a fault is for the method, the path and the body of a request, and for no control path', async () => {
	setRules(
		{ fault: 'http', status: 503, method: 'post', path: '/v1/customers', bodyContains: '"1"' },
		{ fault: 'resetBefore', path: '/_sandbox' },
	);
	expect([(await addCustomer()).status, (await getGateway('1?x=customers')).status, customersStored()]).toEqual([
		503, 400, 0,
	]);
	expect((await client.callFreely('GET', '/_sandbox/health', { token: null })).status).toBe(200);
	expect(sandbox.getFaults().counts).toEqual([
		{ matchCount: 1, injectionCount: 1 },
		{ matchCount: 0, injectionCount: 0 },
	]);
});

it('every nth request gets a fault, counted from the first one', async () => {
	setRules({ fault: 'http', status: 503, every: 3 });
	const statuses = [];
	for (let nth = 0; nth < 6; nth += 1) statuses.push((await client.gateway('1', { token })).status);
	expect(statuses).toEqual([200, 200, 503, 200, 200, 503]);
});

it('the rate limit rejects what comes too early and says when to come back', async () => {
	setRules({ fault: 'rateLimit', perSecond: 0.01 });
	for (const status of [200, 429]) expect((await client.gateway('1', { token })).status).toBe(status);
	const { headers, data } = await client.gateway('1', { token });
	expect(Number(headers['retry-after'])).toBeGreaterThan(90);
	expect(Number(headers['retry-after'])).toBeLessThanOrEqual(100);
	expect(data.errors).toBe('At most 0.01 requests a second are accepted');
	sandbox.setFaults([]);
	expect((await client.gateway('1', { token })).status).toBe(200);
});

describe('an outage', () => {
	it('answers with pages from the n-th request on, until its time is over', async () => {
		setRules({ fault: 'unavailable', ms: 3_000, after: 1 });
		expect([(await addCustomer()).status, (await addCustomer()).status, (await getGateway()).status]).toEqual([
			201, 502, 502,
		]);
		await until(async () => (await getGateway()).status === 200, 'the service is back');
		expect([(await addCustomer()).status, customersStored()]).toEqual([201, 2]);
	});

	it.each([200, 302, 404, 503])('may be a maintenance page with %i', async (status) => {
		setRules({ fault: 'unavailable', ms: 60_000, status });
		const { headers, data, ...page } = await getGateway();
		expect([page.status, headers['content-type'], headers.location]).toEqual([
			status,
			'text/html; charset=utf-8',
			status === 302 ? '/maintenance.html' : undefined,
		]);
		expect(data).toMatch(/^<!DOCTYPE html>/);
	});

	it('refuses connections, but for those that are there when it begins, until its time is over', async () => {
		// Longer than 60 requests take on a busy machine.
		setRules({ fault: 'refused', ms: 5_000, method: 'POST' });
		const statuses = (await Promise.all(Array.from({ length: 60 }, addCustomer))).map(({ status }) => status);
		expect(statuses).toEqual(Array(60).fill(201));
		await expect(getGateway()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
		expect((await until(async () => await getGateway().catch(() => undefined), 'it listens again')).status).toBe(200);
		expect([(await addCustomer()).status, customersStored()]).toEqual([201, 61]);
	});

	it('refuses connections at every address of a name', async () => {
		const own = await startSandbox({ host: 'localhost', faults: [{ fault: 'refused', ms: 60_000 }] });
		expect((await fetch(`${own.url}/v1`)).status).toBe(404);
		await expect(fetch(`${own.url}/_sandbox/health`)).rejects.toThrow('fetch failed');
		await own.close();
	});
});
