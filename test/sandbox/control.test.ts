import { createSeed, DEMO_CLIENT, READ_ONLY_CLIENT, startSandbox } from '../../sandbox';
import type { Sandbox } from '../../sandbox';
import { DocumentedClient } from './documentedClient';
import { until } from '../support/until';

let sandbox: Sandbox;
let client: DocumentedClient;

beforeEach(async () => {
	sandbox = await startSandbox({ faults: { rules: [{ fault: 'http503', path: '/v1/voip/dss/gtw/12' }] } });
	client = new DocumentedClient(sandbox);
});
afterEach(async () => await sandbox.close());

const control = (method: string, path: string, body?: unknown) => client.callFreely(method, `/_sandbox/${path}`, { body, token: null });
const inFlight = (count: number, of = sandbox) => until(() => of.state().counters.inFlight === count, `${count} requests are in flight`);
/** A reply is logged when it has ended, which may be just after the client has seen its end. */
const settled = (of = sandbox) => inFlight(0, of);

it('says that it is well, without a token', async () => {
	expect(await control('GET', 'health')).toMatchObject({ status: 200, data: { status: 'ok' } });
});

it('says of another path that it is none', async () => {
	expect(await control('GET', 'stat')).toMatchObject({ status: 404, data: { status: 'Not Found', message: 'There is no such control path', errors: 'Nothing answers GET /_sandbox/stat' } });
	expect((await control('POST', 'state')).status).toBe(404);
});

it('replaces, adds and removes a gateway, which the API itself can\'t', async () => {
	const changed = { id: '12', name: 'Moved', type: 'elastic-sip-trunk', organizationId: 30, terminationUri: 'moved.sip.sandbox.example' };
	expect((await control('PUT', 'gateways', changed)).status).toBe(204);
	expect(sandbox.state().gateways.filter(({ id }) => id === '12')).toEqual([changed]);
	await control('PUT', 'gateways', { ...changed, id: '99' });
	expect(sandbox.state().gateways.map(({ id }) => id)).toContain('99');
	expect((await control('DELETE', 'gateways', { id: '12' })).status).toBe(204);
	expect((await client.gateway('99')).data).toMatchObject({ name: 'Moved' });
	expect((await client.gateway('12')).status).not.toBe(200);
	expect(sandbox.state().gateways.map(({ id }) => id)).not.toContain('12');
	sandbox.reset();
	expect(sandbox.state().gateways.map(({ id }) => id)).toEqual(createSeed().gateways.map(({ id }) => id));
});

it('keeps further fields of a gateway', async () => {
	const gateway = { ...createSeed().gateways[0], notes: { any: ['thing'] } };
	expect((await control('PUT', 'gateways', gateway)).status).toBe(204);
	expect(sandbox.state().gateways).toContainEqual(gateway);
});

describe('the body of a control path', () => {
	const gateway = { id: '12', name: 'Moved', type: 'pbx', organizationId: 30 };
	const wrong = [null, true, 5, -1.5, '', 'x', [], {}, [[1]], { a: 1 }];
	/** Each field, how it stands in a body, and which of the wrong values are right for it. */
	const fields: Array<[method: string, path: string, field: string, around: (value: unknown) => unknown, accepted?: unknown[]]> = [
		['PUT', 'gateways', 'id', (id) => ({ ...gateway, id }), ['x']],
		['PUT', 'gateways', 'name', (name) => ({ ...gateway, name }), ['', 'x']],
		['PUT', 'gateways', 'type', (type) => ({ ...gateway, type })],
		['PUT', 'gateways', 'organizationId', (organizationId) => ({ ...gateway, organizationId }), [5]],
		['PUT', 'gateways', 'terminationUri', (terminationUri) => ({ ...gateway, terminationUri }), [null, '', 'x']],
		['DELETE', 'gateways', 'id', (id) => ({ id }), ['x']],
		['PUT', 'faults', 'seed', (seed) => ({ seed }), [5]],
		['PUT', 'faults', 'perSecond', (perSecond) => ({ rateLimit: { perSecond } }), [5]],
		['PUT', 'faults', 'burst', (burst) => ({ rateLimit: { perSecond: 1, burst } }), [5]],
		['PUT', 'faults', 'fault', (fault) => [{ fault }]],
		['PUT', 'faults/http503', 'fault', (fault) => ({ fault })],
		['PUT', 'faults/rateLimit', 'perSecond', (perSecond) => ({ perSecond }), [5]],
		['PUT', 'faults/latency', 'ms', (ms) => ({ ms }), [5]],
		...['rate', 'path', 'method', 'bodyContains', 'count', 'after', 'message', 'errors', 'retryAfterSeconds', 'retryAfterAs'].map(
			(field): (typeof fields)[number] => ['PUT', 'faults/http503', field, (value) => ({ [field]: value }), {
				bodyContains: ['', 'x'], message: ['', 'x'], errors: ['', 'x', [], {}, [[1]], { a: 1 }], count: [5], after: [5], retryAfterSeconds: [5],
			}[field]],
		),
	];

	it.each(fields)('of %s %s: a wrong "%s" gives a 400 that names it, what was given and what is accepted', async (method, path, field, around, accepted = []) => {
		const before = sandbox.state().gateways;
		for (const value of wrong.filter((one) => !accepted.some((other) => JSON.stringify(other) === JSON.stringify(one)))) {
			const { status, data } = await control(method, path, around(value));
			expect([value, status, data]).toEqual([value, 400, { status: 'Bad Request', message: expect.stringMatching(/^The (gateway is|faults are) not valid$/), errors: expect.stringMatching(/(is|are) .*; (expected|there is) /) }]);
			expect(data.errors).toMatch(new RegExp(`"${field}" is |no fault `));
			expect(data.errors).toContain(JSON.stringify(value));
		}
		expect(sandbox.state().gateways).toEqual(before);
		for (const value of accepted) expect([value, (await control(method, path, around(value))).status < 300]).toEqual([value, true]);
	});

	it.each([
		['PUT', 'gateways'], ['DELETE', 'gateways'], ['PUT', 'faults'], ['PUT', 'faults/http503'], ['PUT', 'faults/rateLimit'],
	])('of %s %s has to be an object with known fields', async (method, path) => {
		for (const body of ['null', '5', '"x"', 'true', '[5]', '[null]', '[', '{"a":', '{"rules":{}}', '{"rules":[null]}', '{"rateLimit":5}', '{"rateLimit":[]}']) expect([body, await control(method, path, body)]).toMatchObject([body, { status: 400, data: { status: 'Bad Request' } }]);
	});

	it('has to have all fields of a gateway', async () => {
		expect(await control('PUT', 'gateways', { id: '12', type: 'pbx', organizationId: 30 })).toMatchObject({ status: 400, data: { errors: '"name" is missing; expected a string' } });
		expect(await control('DELETE', 'gateways', {})).toMatchObject({ status: 400, data: { errors: '"id" is missing; expected a string of at most 100 characters that is not blank' } });
		expect(await control('PUT', 'gateways')).toMatchObject({ status: 400, data: { errors: 'undefined was given; expected an object with id, name, type, organizationId, terminationUri' } });
	});
});

it('shows the store and counts what was asked of it', async () => {
	await client.setPremium({ idTrunk: 1001, iso: 'IT' });
	await client.addCustomer({ vatNumber: '1' });
	await client.gateway('1');
	await client.gateway('1/10');
	await client.gateway('2');
	await client.login({ clientId: 'demo-client', clientSecret: 'wrong' });
	await client.call('GET', '/nothing');
	await settled();
	const { data } = await control('GET', 'state');
	expect(data).toEqual(sandbox.state());
	expect(data.trunks[0].premiumCountries).toEqual([{ iso: 'IT' }]);
	expect(data.customers).toMatchObject([{ id: 1, vatNumber: '1' }]);
	expect(data.counters).toMatchObject({
		requests: 8,
		byOperation: { login: 2, setPremium: 1, addCustomer: 1, getGateway: 2, getGatewayOfOrganization: 1, none: 1 },
		logins: 2,
		inFlight: 0,
	});
});

it('gives a copy of its store, not the store', () => {
	sandbox.state().trunks[0]?.premiumCountries.push({ iso: 'XX' });
	expect(sandbox.state().trunks[0]?.premiumCountries).toEqual([]);
});

it('bears 2,000 requests at once, and knows how many were in flight at most', async () => {
	const token = await client.tokenOf(DEMO_CLIENT);
	const send = () => client.callFreely('GET', '/v1/voip/dss/gtw/1', { token }).then(({ status }) => status, () => 'ended');
	expect(await Promise.all(Array.from({ length: 2000 }, send))).toEqual(Array(2000).fill(200));

	sandbox.setFaults({ rules: [{ fault: 'latency', ms: 600_000 }] });
	const waiting = Array.from({ length: 2000 }, send);
	await inFlight(2000);
	expect(sandbox.state().counters.peakInFlight).toBe(2000);
	await sandbox.close();
	expect(await Promise.all(waiting)).toEqual(Array(2000).fill('ended'));
	await settled();
	expect(sandbox.state().counters.peakInFlight).toBe(2000);
});

it('logs what was asked and what was answered', async () => {
	const token = await client.tokenOf(DEMO_CLIENT);
	sandbox.reset();
	await client.gateway('%31', { token });
	await client.gateway('12', { token });
	await client.call('GET', '/nothing', { token });
	await settled();
	const { data } = await control('GET', 'requests');
	expect(data).toEqual(sandbox.requests());
	const common = { id: expect.any(Number), time: expect.stringMatching(/^\d{4}-.*Z$/), milliseconds: expect.any(Number), method: 'GET' };
	expect(data).toEqual([
		{ ...common, path: '/v1/voip/dss/gtw/%31', status: 200, operationId: 'getGateway' },
		{ ...common, path: '/v1/voip/dss/gtw/12', status: 503, operationId: 'getGateway', fault: 'http503' },
		{ ...common, path: '/nothing', status: 404, operationId: null },
	]);
});

describe('a logged request', () => {
	const detail = async (index: number) => {
		await settled();
		return await control('GET', `requests/${sandbox.requests().at(index)?.id}`);
	};

	it('is shown with its bodies', async () => {
		const { data } = await client.addCustomer({ vatNumber: '1' });
		const { data: shown } = await detail(-1);
		expect(shown).toEqual({ ...sandbox.requests().at(-1), requestBody: '{"vatNumber":"1"}', responseBody: JSON.stringify(data) });
		await client.gateway('1');
		expect((await detail(-1)).data).not.toHaveProperty('requestBody');
	});

	it('has long bodies cut, and says so', async () => {
		await client.addCustomer({ vatNumber: '1', note: 'é'.repeat(100_000) });
		const { data } = await detail(-1);
		expect([data.requestBody, data.responseBody]).toEqual([expect.stringMatching(/^.{10000}…$/), expect.stringMatching(/^.{10000}…$/)]);
	});

	it('has no key and no token in its bodies, also no key of a login that failed', async () => {
		const token = await client.tokenOf(DEMO_CLIENT);
		await client.login({ clientId: 'x', clientSecret: 'a/b key&=of someone' });
		await client.addCustomer({ apiKey: 'hunter"2', nested: { password: 'hunter2' }, vatNumber: token, note: `${'x'.repeat(9_850)}${DEMO_CLIENT.clientSecret.repeat(9)}` }, { token });
		const texts = await Promise.all([-3, -2, -1].map(async (index) => JSON.stringify((await detail(index)).data)));
		expect(texts[2]).toContain('[hidden]');
		expect(texts[0]).toContain('clientId=demo-client&clientSecret=[hidden]');
		expect(texts[1]).toContain('clientId=x&clientSecret=[hidden]');
		for (const secret of [...token.split('.'), 'demo-key', 'of+someone', 'a%2Fb', 'hunter']) expect(texts.join('')).not.toContain(secret);
	});

	it('shows what a fault has sent', async () => {
		sandbox.setFaults({ rules: [{ fault: 'htmlPage' }] });
		await client.callFreely('GET', '/v1/voip/dss/gtw/1', { token: null });
		expect((await detail(-1)).data).toMatchObject({ fault: 'htmlPage', responseBody: expect.stringContaining('<h1>') });
	});

	it('is not found when it is unknown, or was forgotten', async () => {
		await client.gateway('1');
		await settled();
		const { id } = sandbox.requests().at(-1)!;
		sandbox.reset();
		for (const unknown of [id, 0, -1, 'x', '1.5']) {
			expect(await control('GET', `requests/${unknown}`)).toMatchObject({ status: 404, data: { status: 'Not Found', message: expect.any(String), errors: `No request that is kept has the id ${unknown}` } });
		}
	});
});

it('keeps no key and no token, in the log as well as in the state and the lines', async () => {
	const lines: string[] = [];
	const logging = await startSandbox({ log: (line) => lines.push(line) });
	const careless = new DocumentedClient(logging);
	const token = await careless.tokenOf(DEMO_CLIENT);
	await careless.gateway(`1?access_token=${token}&clientSecret=${DEMO_CLIENT.clientSecret}`, { token });
	await careless.setPremium({ idTrunk: 1001, iso: token }, { token });
	await careless.tokenOf(READ_ONLY_CLIENT);
	await settled(logging);
	await logging.close();
	const kept = JSON.stringify([logging.requests(), logging.state(), logging.faults(), lines]);
	expect(lines).toHaveLength(4);
	expect(lines[1]).toMatch(/^GET \/v1\/voip\/dss\/gtw\/1\?… 400 [\d.]+ ms$/);
	for (const secret of [token, DEMO_CLIENT.clientSecret, READ_ONLY_CLIENT.clientSecret, 'Bearer']) expect(kept).not.toContain(secret);
});

it('shows no key and no token over HTTP, wherever someone has put one', async () => {
	const token = await client.tokenOf(DEMO_CLIENT);
	const { clientSecret } = DEMO_CLIENT;
	await client.callFreely('GET', `/v1/voip/dss/gtw/${token}`, { token });
	await client.callFreely('GET', `/v1/voip/dss/gtw/${clientSecret}`, { token });
	await client.addCustomer({ vatNumber: clientSecret, note: `Bearer ${token}` }, { token });
	await control('PUT', 'faults', [{ fault: 'http400', bodyContains: clientSecret, message: token }]);
	await settled();
	for (const path of ['state', 'snapshot', 'requests', 'faults']) {
		const text = JSON.stringify((await control('GET', path)).data);
		expect(text).toContain('[access token]');
		expect(text).toContain('[API key]');
		for (const secret of [...token.split('.'), clientSecret]) expect(text).not.toContain(secret);
	}
});

it('begins again after a reset, and tokens stay valid', async () => {
	const token = await client.tokenOf(DEMO_CLIENT);
	await client.setPremium({ idTrunk: 1001, iso: 'IT' }, { token });
	await client.addCustomer({ vatNumber: '1' }, { token });
	await control('PUT', 'faults', [{ fault: 'http500' }]);
	await settled();
	expect((await control('POST', 'reset')).status).toBe(204);

	const { counters, ...stored } = sandbox.state();
	expect(stored).toEqual({ ...createSeed(), customers: [] });
	expect(counters).toEqual({ requests: 0, byOperation: {}, logins: 0, inFlight: 0, peakInFlight: 0 });
	expect(sandbox.requests()).toEqual([]);
	expect(sandbox.faults().plan).toEqual({ rules: [{ fault: 'http503', path: '/v1/voip/dss/gtw/12' }] });
	expect((await client.gateway('1', { token })).status).toBe(200);
	expect((await client.addCustomer({ vatNumber: '2' }, { token })).data.id).toBe(1);
});

it('leaves a request that was in flight at a reset out of the new log', async () => {
	const token = await client.tokenOf(DEMO_CLIENT);
	sandbox.setFaults({ rules: [{ fault: 'latency', ms: 100 }] });
	const waiting = client.gateway('1', { token });
	await inFlight(1);
	sandbox.reset();
	expect((await waiting).status).toBe(200);
	await new Promise((resolve) => setImmediate(resolve));
	expect(sandbox.state().counters).toMatchObject({ requests: 0, inFlight: 0 });
	expect(sandbox.requests()).toEqual([]);
});

it('makes tokens expire on demand', async () => {
	const token = await client.tokenOf(DEMO_CLIENT);
	expect((await control('POST', 'expire-tokens')).status).toBe(204);
	expect((await client.gateway('1', { token })).status).toBe(401);
});

it('an error of its own is answered with 500 and told on stderr without secrets, and the next request is answered', async () => {
	const token = await client.tokenOf(DEMO_CLIENT);
	const log = jest.spyOn(console, 'error').mockImplementation(() => {});
	jest.spyOn(sandbox, 'state').mockImplementationOnce(() => { throw new Error(`Broken ${token}`); });
	expect(await control('GET', 'state')).toMatchObject({ status: 500, data: { status: 'Internal Server Error', message: 'Internal error of the sandbox' } });
	expect(log.mock.calls).toEqual([[expect.stringMatching(/^Internal error of the sandbox: Error: Broken \[access token\]\n/)]]);
	expect((await control('GET', 'state')).status).toBe(200);
	jest.restoreAllMocks();
});

it('takes a plan of faults, shows it and counts how often it was injected', async () => {
	const token = await client.tokenOf(DEMO_CLIENT);
	const plan = { seed: 3, rules: [{ fault: 'http429', count: 1 }] };
	expect(await control('PUT', 'faults', plan)).toMatchObject({ status: 200, data: { plan, counts: [{ matched: 0, injected: 0 }] } });
	expect((await client.gateway('1', { token })).status).toBe(429);
	expect((await client.gateway('1', { token })).status).toBe(200);
	expect((await control('GET', 'faults')).data).toEqual({ plan, counts: [{ matched: 2, injected: 1 }] });
	expect((await control('PUT', 'faults', [])).data).toEqual({ plan: { rules: [] }, counts: [] });
});

it('rejects a plan of faults with a mistake, and keeps the old one', async () => {
	const before = sandbox.faults();
	expect(await control('PUT', 'faults', [{ fault: 'http418' }])).toMatchObject({
		status: 400,
		data: { message: 'The faults are not valid', errors: expect.stringMatching(/^rule 1: "fault" is "http418"; expected one of latency, /) },
	});
	expect((await control('PUT', 'faults', '[{')).status).toBe(400);
	expect((await control('PUT', 'faults')).status).toBe(400);
	expect(sandbox.faults()).toEqual(before);
});

describe('one fault', () => {
	const put = (fault: string, parameters?: unknown) => control('PUT', `faults/${fault}`, parameters);
	const status = async () => (await client.gateway('1')).status;
	/** Else the first request of the API would be a login. */
	beforeEach(async () => { await status(); });

	it('is switched on and off without touching the others', async () => {
		await control('PUT', 'faults', { seed: 5, rules: [{ fault: 'http500', count: 1 }, { fault: 'http503' }] });
		expect(await status()).toBe(500);
		// The one that is used up does not come again.
		expect(await put('latency', { ms: 1 })).toMatchObject({ status: 200, data: { plan: { seed: 5, rules: [{ fault: 'latency', ms: 1 }, { fault: 'http503' }] } } });
		expect((await control('DELETE', 'faults/latency')).data).toMatchObject({ plan: { rules: [{ fault: 'http503' }] } });
	});

	it('is the one that is injected, when it was switched on last', async () => {
		await control('PUT', 'faults', [{ fault: 'http500' }]);
		await put('http404', { count: 1 });
		expect([await status(), await status()]).toEqual([404, 500]);
	});

	it('is replaced, not doubled, when it is switched on again', async () => {
		await control('PUT', 'faults', [{ fault: 'latency', ms: 1 }, { fault: 'latency', ms: 2 }]);
		expect((await put('latency', { ms: 3 })).data.plan.rules).toEqual([{ fault: 'latency', ms: 3 }]);
	});

	it('needs no parameters where it has none', async () => {
		expect((await put('http503')).data.plan.rules[0]).toEqual({ fault: 'http503' });
	});

	it('may be the rate limit', async () => {
		await control('PUT', 'faults', []);
		await put('rateLimit', { perSecond: 0.001, burst: 1 });
		const statuses = async () => (await client.callFreely('GET', '/v1/voip/dss/gtw/1', { token: null })).status;
		expect([await statuses(), await statuses()]).toEqual([401, 429]);
		expect((await control('DELETE', 'faults/rateLimit')).data.plan).toEqual({ rules: [] });
		expect(await statuses()).toBe(401);
	});

	it('may be the expiry of tokens', async () => {
		const token = await client.tokenOf(DEMO_CLIENT);
		await put('tokenExpires', { afterRequests: 1 });
		expect([(await client.gateway('1', { token })).status, (await client.gateway('1', { token })).status]).toEqual([200, 401]);
		await control('DELETE', 'faults/tokenExpires');
		expect((await client.gateway('1', { token })).status).toBe(200);
	});

	it.each([
		['PUT', 'http418', {}, 'there is no fault "http418"; there are latency, '],
		['DELETE', 'http418', undefined, 'there is no fault "http418"; there are latency, '],
		['PUT', 'latency', {}, 'rule 1 (latency): "ms" is missing'],
		['PUT', 'http503', { rate: 2 }, 'rule 1 (http503): "rate" is 2'],
		['PUT', 'rateLimit', {}, 'rateLimit: "perSecond" is missing'],
		['PUT', 'http503', [1], '[1] was given; expected an object with the parameters of the fault'],
		['PUT', 'http503', { fault: 'http500' }, '"fault" is "http500"; expected "http503"'],
	])('is rejected when it has a mistake: %s %s %j', async (method, fault, body, sentence) => {
		const before = sandbox.faults();
		expect(await control(method, `faults/${fault}`, body)).toMatchObject({ status: 400, data: { errors: expect.stringContaining(sentence) } });
		expect(sandbox.faults()).toEqual(before);
	});
});

it('ends open connections when it closes', async () => {
	const token = await client.tokenOf(DEMO_CLIENT);
	sandbox.setFaults({ rules: [{ fault: 'latency', ms: 600_000 }] });
	const endless = client.callFreely('GET', '/v1/voip/dss/gtw/1', { token });
	const outcome = expect(endless).rejects.toThrow();
	await inFlight(1);
	await sandbox.close();
	await outcome;
	await expect(control('GET', 'health')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

it('shares nothing with another sandbox of the same process', async () => {
	const other = await startSandbox();
	await client.addCustomer({ vatNumber: '1' });
	expect(other.state().customers).toEqual([]);
	expect(other.state().counters.requests).toBe(0);
	await other.close();
});
