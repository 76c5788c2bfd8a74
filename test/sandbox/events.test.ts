import { DEMO_CLIENT, startSandbox } from '../../sandbox';
import type { Sandbox } from '../../sandbox';
import { MOST_WATCHERS } from '../../sandbox/live/events';
import { until } from '../support/until';
import { DocumentedClient } from './documentedClient';
import { Listener } from './listener';

let sandbox: Sandbox;
let client: DocumentedClient;
let token: string;
let listener: Listener;

beforeEach(async () => {
	sandbox = await startSandbox({ latencyMs: 1, tokenTtlSeconds: 60 });
	client = new DocumentedClient(sandbox);
	token = await client.tokenOf(DEMO_CLIENT);
	sandbox.reset();
	listener = await Listener.to(sandbox);
});
afterEach(async () => {
	listener.leave();
	await sandbox.close();
});

it('begin with all that there is', async () => {
	expect(listener.response.headers['content-type']).toBe('text/event-stream; charset=utf-8');
	const { customers: _, counters, ...books } = sandbox.state();
	const [snapshot] = listener.snapshots;
	const { organizations, gateways } = books;
	const settings = { latencyMs: 1, tokenTtlSeconds: 60 };
	expect(snapshot).toMatchObject({ organizations, gateways, counters, customers: [], requests: [], plan: {}, counts: [], settings });
	expect(snapshot?.trunks.map(({ id, premiumCount }) => [id, premiumCount])).toEqual(books.trunks.map(({ id }) => [id, 0]));
});

it('tell requests, premium countries and customers as they come, and only these', async () => {
	await client.setPremium({ idTrunk: 1004, iso: 'fr', sbcId: 2 }, { token });
	await client.addCustomer({ vatNumber: 'IT12345678903', companyName: 'Rossi', address: { city: 'Milano' } }, { token });
	await client.gateway('99', { token });
	await listener.hearsOf(3);
	expect(listener.changes.flatMap(({ requests = [] }) => requests)).toEqual(sandbox.requests());
	expect(listener.changes.flatMap(({ trunks = [] }) => trunks)).toEqual([expect.objectContaining({ id: 1004, premiumCountries: [{ iso: 'FR', sbcId: 2 }], premiumCount: 1 })]);
	expect(listener.changes.flatMap(({ customers = [] }) => customers)).toMatchObject([
		{ id: 1, vatNumber: 'IT12345678903', fields: [{ name: 'companyName', value: 'Rossi' }, { name: 'address', value: '{"city":"Milano"}' }] },
	]);
	expect(listener.changes.at(-1)?.customerCount).toBe(1);
	expect(listener.snapshots).toHaveLength(1);
});

it('tell that a request is under way before it has ended', async () => {
	sandbox.setFaults({ rules: [{ fault: 'neverEnds' }] });
	await until(() => listener.changes.some(({ plan }) => plan), 'the fault is told');
	const endless = client.callFreely('GET', '/v1/voip/dss/gtw/1', { token }).catch(() => 'ended');
	await until(() => listener.changes.at(-1)?.counters.inFlight === 1, 'a request is under way');
	await sandbox.close();
	expect(await endless).toBe('ended');
});

it('tell the faults that were set, by whatever way, and how often they struck', async () => {
	await client.callFreely('PUT', '/_sandbox/faults', { body: [{ fault: 'http503', count: 2 }], token: null });
	await client.gateway('1', { token });
	await listener.hearsOf(1);
	expect(listener.changes.find(({ plan }) => plan)?.plan).toEqual({ rules: [{ fault: 'http503', count: 2 }] });
	expect(listener.changes.at(-1)?.counts).toEqual([{ matched: 1, struck: 1 }]);
	await client.callFreely('DELETE', '/_sandbox/faults/http503', { token: null });
	await until(() => listener.changes.at(-1)?.plan?.rules?.length === 0, 'the fault is told as off');
});

it('begin anew after a reset, and say what it took away', async () => {
	await client.setPremium({ idTrunk: 1001, iso: 'IT' }, { token });
	await client.addCustomer({ vatNumber: '1' }, { token });
	await listener.hearsOf(2);
	sandbox.reset();
	await until(() => listener.snapshots.length === 2, 'a second snapshot is told');
	const undone = { requests: 2, customers: 1, premiumCountries: 1 };
	expect(listener.snapshots[1]).toMatchObject({ undone, customers: [], requests: [], counters: { requests: 0 } });
	expect(listener.snapshots[1]?.trunks.every(({ premiumCount }) => premiumCount === 0)).toBe(true);
});

it('hold no token and no key, wherever someone has put one', async () => {
	const { clientSecret } = DEMO_CLIENT;
	await client.callFreely('GET', `/v1/voip/dss/gtw/${token}?key=${clientSecret}`, { token });
	await client.setPremium({ idTrunk: 1001, iso: 'IT', premium_available: `Bearer ${token}` }, { token });
	await client.addCustomer({ vatNumber: clientSecret, note: `x ${token}`, password: 'hunter2', [clientSecret]: 1 }, { token });
	sandbox.setFaults({ rules: [{ fault: 'http400', bodyContains: clientSecret, message: token }] });
	await until(() => listener.changes.some(({ plan }) => plan) && listener.changes.at(-1)?.counters.inFlight === 0, 'it is told');
	const late = await Listener.to(sandbox);
	for (const { raw } of [listener, late]) {
		expect(raw).toContain('[access token]');
		expect(raw).toContain('[API key]');
		for (const secret of [...token.split('.'), clientSecret, 'hunter2']) expect(raw).not.toContain(secret);
	}
	late.leave();
});

it('tell a storm of 2,000 requests in few events of bounded size, and its counts in full', async () => {
	await Promise.all(Array.from({ length: 2000 }, (_, index) => client.callFreely('POST', '/v1/customers/add', { token, body: { vatNumber: String(index) } })));
	await listener.hearsOf(2000);
	for (const { requests = [], customers = [] } of listener.changes) {
		expect(requests.length).toBeLessThanOrEqual(200);
		expect(customers.length).toBeLessThanOrEqual(100);
	}
	expect(listener.changes.at(-1)).toMatchObject({ customerCount: 2000, counters: { requests: 2000 } });
	expect(listener.changes.length).toBeLessThan(2000 / 5);
	const late = await Listener.to(sandbox);
	expect([late.snapshots[0]?.requests.length, late.snapshots[0]?.customers.length, late.snapshots[0]?.customerCount]).toEqual([200, 100, 2000]);
	late.leave();
});

it('cut what is long', async () => {
	await client.addCustomer({ vatNumber: 'x'.repeat(100_000), ...Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`field${index}`, 'y'.repeat(1000)])) }, { token });
	await listener.hearsOf(1);
	const [customer] = listener.changes.flatMap(({ customers = [] }) => customers);
	expect([customer?.vatNumber?.length, customer?.fields.length, customer?.fieldCount]).toEqual([121, 12, 500]);
	for (let index = 0; index < 100; index += 1) await client.setPremium({ idTrunk: 1001, iso: String(index).padStart(3, '0') }, { token });
	await listener.hearsOf(101);
	const trunk = listener.changes.flatMap(({ trunks = [] }) => trunks).at(-1);
	expect([trunk?.premiumCountries.length, trunk?.premiumCountries.at(-1)?.iso, trunk?.premiumCount]).toEqual([60, '099', 100]);
});

it('wait for a listener that is slow, and tell it then how things are, in an event of bounded size', async () => {
	listener.response.pause();
	// more than the sockets take in on their own
	for (let index = 1; index <= 40; index += 1) {
		sandbox.setFaults({ rules: [{ fault: 'http400', path: '/nowhere', message: `${index} ${'x'.repeat(900_000)}` }] });
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
	await Promise.all(Array.from({ length: 500 }, (_, index) => client.callFreely('POST', '/v1/customers/add', { token, body: { vatNumber: String(index) } })));
	expect(sandbox.state().counters.requests).toBe(500);
	listener.response.resume();
	await listener.hearsOf(500);
	expect(listener.changes.filter(({ plan }) => plan).at(-1)?.plan?.rules?.[0]).toMatchObject({ message: expect.stringMatching(/^40 x/) });
	expect(listener.changes.filter(({ plan }) => plan).length).toBeLessThan(40);
	const { requests = [], customers = [], customerCount } = listener.changes.at(-1)!;
	expect([requests.length, customers.length, customers.at(-1)?.id, customerCount]).toEqual([200, 100, 500, 500]);
});

it('are for so many listeners and no more; one that leaves makes room', async () => {
	const others = await Promise.all(Array.from({ length: MOST_WATCHERS - 1 }, () => Listener.to(sandbox)));
	expect(await client.callFreely('GET', '/_sandbox/events', { token: null })).toMatchObject({ status: 503, data: { errors: `At most ${MOST_WATCHERS} clients can listen; close one` } });
	others[0]?.leave();
	const deadline = Date.now() + 10_000;
	let late: Listener | undefined;
	const after200Ms = () => new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 200));
	while (!late && Date.now() < deadline) late = await Promise.race([Listener.to(sandbox).catch(() => undefined), after200Ms()]);
	expect(late?.snapshots).toHaveLength(1);
	for (const one of [...others, late]) one?.leave();
});

it('end when the sandbox ends', async () => {
	const ended = new Promise((resolve) => listener.response.once('close', resolve));
	await sandbox.close();
	await ended;
});

it.each([
	['a gateway whose name is no text', 'PUT', '/_sandbox/gateways', '{"id":"12","name":5}'],
	['a customer of 50,000 levels', 'POST', '/v1/customers/add', `{"vatNumber":"1","nested":${'['.repeat(50_000)}${']'.repeat(50_000)}}`],
	['a fault of 50,000 levels', 'PUT', '/_sandbox/faults', `[{"fault":"http400","errors":${'['.repeat(50_000)}${']'.repeat(50_000)}}]`],
])('go on after %s, which is refused', async (_, method, path, body) => {
	expect(await client.callFreely(method, path, { body, token })).toMatchObject({ status: 400, data: { status: 'Bad Request' } });
	// what can't be told would end the process when it is told, a little later
	await new Promise((resolve) => setTimeout(resolve, 200));
	await client.addCustomer({ vatNumber: '2' }, { token });
	await until(() => listener.changes.some(({ customers = [] }) => customers.some(({ vatNumber }) => vatNumber === '2')), 'a customer is told');
});
