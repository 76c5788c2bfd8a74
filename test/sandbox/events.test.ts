import { DEMO_CLIENT, startSandbox } from '../../sandbox';
import type { Sandbox } from '../../sandbox';
import { until } from '../support/until';
import { DocumentedClient } from './documentedClient';
import { Listener } from './listener';

let sandbox: Sandbox;
let client: DocumentedClient;
let token: string;
let listener: Listener;

beforeEach(async () => {
	sandbox = await startSandbox();
	client = new DocumentedClient(sandbox);
	token = await client.tokenOf(DEMO_CLIENT);
	sandbox.reset();
	listener = await Listener.to(sandbox);
});
afterEach(async () => {
	listener.leave();
	await sandbox.close();
});

describe('events', () => {
	it('begin with all that there is', async () => {
		expect(listener.response.headers['content-type']).toBe('text/event-stream; charset=utf-8');
		expect(listener.snapshots).toMatchObject([{ ...sandbox.state(), requests: [], plan: {}, counts: [] }]);
	});

	it('send a snapshot again after requests, premium countries and customers have come', async () => {
		await client.setPremium({ idTrunk: 1004, iso: 'fr', sbcId: 2 }, { token });
		await client.addCustomer({ vatNumber: 'IT12345678903', companyName: 'Rossi', address: { city: 'Milano' } }, { token });
		await client.gateway('99', { token });
		await listener.hearsOf(3);
		const { requests, trunks, customers, customerCount } = listener.latest!;
		expect(requests).toEqual(sandbox.requests());
		expect(trunks).toContainEqual(expect.objectContaining({ id: 1004, premiumCountries: [{ iso: 'FR', sbcId: 2 }] }));
		expect(customers).toMatchObject([{ id: 1, vatNumber: 'IT12345678903', companyName: 'Rossi', address: { city: 'Milano' } }]);
		expect(customerCount).toBe(1);
	});

	it('number the requests, rising, and no number comes twice, also after a reset', async () => {
		const idsOf = async (count: number) => {
			for (let sent = 0; sent < count; sent += 1) await client.gateway('1', { token });
			await listener.hearsOf(count);
			return listener.latest!.requests.map(({ id }) => id);
		};
		const before = await idsOf(3);
		sandbox.reset();
		const all = [...before, ...(await idsOf(2))];
		expect(new Set(all).size).toBe(5);
		expect(all).toEqual([...all].sort((one, other) => one - other));
	});

	it('show that a request is under way before it has ended', async () => {
		sandbox.setFaults({ rules: [{ fault: 'neverEnds' }] });
		const endless = client.callFreely('GET', '/v1/voip/dss/gtw/1', { token }).catch(() => 'ended');
		await until(() => listener.latest?.counters.inFlight === 1, 'a request is under way');
		await sandbox.close();
		expect(await endless).toBe('ended');
	});

	it('show the faults that were set, by whatever way, and how often they were injected', async () => {
		await client.callFreely('PUT', '/_sandbox/faults', { body: [{ fault: 'http503', count: 2 }], token: null });
		await client.gateway('1', { token });
		await listener.hearsOf(1);
		expect(listener.latest).toMatchObject({ plan: { rules: [{ fault: 'http503', count: 2 }] }, counts: [{ matched: 1, injected: 1 }] });
		await client.callFreely('DELETE', '/_sandbox/faults/http503', { token: null });
		await until(() => listener.latest?.plan.rules?.length === 0, 'the fault is off');
	});

	it('are empty again after a reset', async () => {
		await client.setPremium({ idTrunk: 1001, iso: 'IT' }, { token });
		await client.addCustomer({ vatNumber: '1' }, { token });
		await listener.hearsOf(2);
		sandbox.reset();
		await until(() => listener.latest?.customerCount === 0, 'a snapshot is empty');
		expect(listener.latest).toMatchObject({ ...sandbox.state(), customers: [], requests: [] });
	});

	it('hold no token and no key, wherever someone has put one', async () => {
		const { clientSecret } = DEMO_CLIENT;
		await client.callFreely('GET', `/v1/voip/dss/gtw/${token}?key=${clientSecret}`, { token });
		await client.setPremium({ idTrunk: 1001, iso: 'IT', premium_available: `Bearer ${token}` }, { token });
		await client.addCustomer({ vatNumber: clientSecret, note: `x ${token}`, [clientSecret]: 1 }, { token });
		sandbox.setFaults({ rules: [{ fault: 'http400', bodyContains: clientSecret, message: token }] });
		await until(() => listener.latest?.plan.rules?.length === 1 && listener.latest.counters.inFlight === 0, 'the fault is shown');
		const late = await Listener.to(sandbox);
		for (const { raw } of [listener, late]) {
			expect(raw).toContain('[access token]');
			expect(raw).toContain('[API key]');
			for (const secret of [...token.split('.'), clientSecret]) expect(raw).not.toContain(secret);
		}
		late.leave();
	});

	it('show the latest of 2,000 requests, and their counts in full', async () => {
		await Promise.all(Array.from({ length: 2000 }, (_, index) => client.callFreely('POST', '/v1/customers/add', { token, body: { vatNumber: String(index) } })));
		await listener.hearsOf(2000);
		for (const { requests, customers } of listener.snapshots) {
			expect(requests.length).toBeLessThanOrEqual(200);
			expect(customers.length).toBeLessThanOrEqual(100);
		}
		expect([listener.latest?.requests.length, listener.latest?.customers.length, listener.latest?.customerCount]).toEqual([200, 100, 2000]);
	});

	it('wait for a listener that is slow, and send it only the newest snapshot then', async () => {
		listener.response.pause();
		// more than the sockets take in on their own
		for (let index = 1; index <= 20; index += 1) {
			sandbox.setFaults({ rules: [{ fault: 'http400', path: '/nowhere', message: `${index} ${'x'.repeat(900_000)}` }] });
			await new Promise((resolve) => setTimeout(resolve, 260));
		}
		await Promise.all(Array.from({ length: 500 }, (_, index) => client.callFreely('POST', '/v1/customers/add', { token, body: { vatNumber: String(index) } })));
		expect(sandbox.state().counters.requests).toBe(500);
		listener.response.resume();
		await listener.hearsOf(500);
		expect(listener.latest?.plan.rules?.[0]).toMatchObject({ message: expect.stringMatching(/^20 x/) });
		expect(listener.snapshots.length).toBeLessThan(20);
		const { requests, customers, customerCount } = listener.latest!;
		expect([requests.length, customers.length, customers.at(-1)?.id, customerCount]).toEqual([200, 100, 500, 500]);
	});

	it('end when the sandbox ends', async () => {
		const ended = new Promise((resolve) => listener.response.once('close', resolve));
		await sandbox.close();
		await ended;
	});
});
