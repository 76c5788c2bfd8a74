import { createRecords, DEMO_CLIENT, type Sandbox, startSandbox } from '../../sandbox';
import { until } from '../support/until';
import { DocumentedClient } from './documentedClient';

let sandbox: Sandbox;
let client: DocumentedClient;

beforeEach(async () => {
	sandbox = await startSandbox({ faults: [{ fault: 'http', status: 503, path: '/v1/voip/dss/gtw/12' }] });
	client = new DocumentedClient(sandbox);
});
afterEach(async () => await sandbox.close());

const control = (method: string, path: string, body?: unknown) =>
	client.callFreely(method, `/_sandbox/${path}`, { body, token: null });
const inFlight = (count: number) =>
	until(() => sandbox.getRecordsAndCounters().counters.inFlight === count, `${count} requests are in flight`);
/** A reply is logged when it has ended, which may be just after the client has seen its end. */
const settled = () => inFlight(0);
const badRequest = (...fields: string[]) => {
	const errors = fields.map((field) => ({ field, message: expect.any(String) }));
	return { status: 400, data: { status: 'Bad Request', message: 'The request is not valid', errors } };
};

it('shows the store and counts what was asked of it', async () => {
	await client.setPremium({ idTrunk: 1001, iso: 'IT' });
	await client.addCustomer({ vatNumber: '1' });
	await client.gateway('1');
	await client.gateway('1/10');
	await client.gateway('2');
	for (const wrong of [{ clientId: 'wrong' }, { clientSecret: 'wrong' }])
		expect((await client.login({ ...DEMO_CLIENT, ...wrong })).status).toBe(401);
	await client.call('GET', '/nothing');
	await settled();
	const { data } = await control('GET', 'snapshot');
	sandbox.getRecordsAndCounters().trunks[0]!.premiumCountries.pop();
	const requests = sandbox.getRequests();
	const shown = { ...sandbox.getRecordsAndCounters(), ...sandbox.getFaults(), requests, customerCount: 1 };
	expect(data).toMatchObject(shown);
	expect(data.trunks[0].premiumCountries).toEqual([{ iso: 'IT' }]);
	expect(data.customers).toMatchObject([{ id: 1, vatNumber: '1' }]);
	const byOperation = { login: 3, setPremium: 1, addCustomer: 1, getGateway: 2, getGatewayOfOrganization: 1, none: 1 };
	expect(data.counters).toMatchObject({ requests: 9, byOperation, logins: 3, inFlight: 0 });
});

describe('a logged request', () => {
	const detail = async (index: number) => {
		await settled();
		return (await control('GET', `requests/${sandbox.getRequests().at(index)?.id}`)).data;
	};

	it('has no key and no token, neither in its path nor in its bodies', async () => {
		const token = await client.tokenOf(DEMO_CLIENT);
		await settled();
		await client.gateway(token, { token });
		await settled();
		await client.addCustomer({ apiKey: 'hunter2', note: `${'x'.repeat(9_960)}${token}` }, { token });
		const [login, get, add] = [await detail(-3), await detail(-2), await detail(-1)];
		expect(login).toMatchObject({
			requestBody: 'clientId=demo-client&clientSecret=[hidden]',
			responseBody: '{"access_token":"[hidden]"}',
		});
		expect(get).toMatchObject({
			path: '/v1/voip/dss/gtw/[access token]',
			responseBody: expect.stringContaining('the id [access token]'),
		});
		expect(add.requestBody).toMatch(/^\{"apiKey":"\[hidden\]","note":"x+\[acc.*…$/);
	});
});

it('begins again after a reset, and tokens stay valid', async () => {
	const token = await client.tokenOf(DEMO_CLIENT);
	await client.setPremium({ idTrunk: 1001, iso: 'IT' }, { token });
	await client.addCustomer({ vatNumber: '1' }, { token });
	await control('PUT', 'faults', [{ fault: 'latency', ms: 100 }]);
	const waiting = client.gateway('1', { token });
	await inFlight(1);
	expect((await control('POST', 'reset')).status).toBe(204);
	// what was in flight stays out of the new log
	expect((await waiting).status).toBe(200);
	await new Promise((resolve) => setImmediate(resolve));

	const { counters, ...stored } = sandbox.getRecordsAndCounters();
	expect(stored).toEqual(createRecords());
	expect(counters).toEqual({ requests: 0, byOperation: {}, logins: 0, inFlight: 0 });
	expect(sandbox.getRequests()).toEqual([]);
	expect(sandbox.getFaults().rules).toEqual([{ fault: 'http', status: 503, path: '/v1/voip/dss/gtw/12' }]);
	expect((await client.addCustomer({ vatNumber: '2' }, { token })).data.id).toBe(1);
});

it('takes rules of faults, shows them and counts how often they were injected; a mistake changes nothing', async () => {
	const token = await client.tokenOf(DEMO_CLIENT);
	const rules = [{ fault: 'http', status: 429, count: 1 }];
	expect(await control('PUT', 'faults', rules)).toMatchObject({
		status: 200,
		data: { rules, counts: [{ matchCount: 0, injectionCount: 0 }] },
	});
	for (const status of [429, 200]) expect((await client.gateway('1', { token })).status).toBe(status);
	const mistakes = {
		fault: [rules[0], { fault: 'nope' }],
		perSecond: [rules[0], { fault: 'rateLimit', perSecond: 0 }],
	};
	for (const [field, wrong] of Object.entries(mistakes))
		expect(await control('PUT', 'faults', wrong)).toMatchObject(badRequest(`rules.1.${field}`));
	expect(await control('PUT', 'faults', [{ ...rules[0], retryAfter: 3 }])).toMatchObject(badRequest('rules.0'));
	expect(await control('PUT', 'faults')).toMatchObject(badRequest('rules'));
	expect((await control('PUT', 'faults', '[{')).status).toBe(400);
	expect((await control('GET', 'faults')).data).toEqual({ rules, counts: [{ matchCount: 2, injectionCount: 1 }] });
	// as curl sends it
	const sent = { body: '[]', headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, token: null };
	expect((await client.callFreely('PUT', '/_sandbox/faults', sent)).data).toEqual({ rules: [], counts: [] });
});
