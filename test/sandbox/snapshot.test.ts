import { DEMO_CLIENT, startSandbox } from '../../sandbox';
import type { Sandbox } from '../../sandbox';
import type { Snapshot } from '../../sandbox/control/snapshot';
import { until } from '../support/until';
import { DocumentedClient } from './documentedClient';

let sandbox: Sandbox;
let client: DocumentedClient;

beforeEach(async () => {
	sandbox = await startSandbox();
	client = new DocumentedClient(sandbox);
});
afterEach(async () => await sandbox.close());

/** What the page gets, when no request is under way. */
async function snapshot(): Promise<Snapshot> {
	await until(() => sandbox.state().counters.inFlight === 0, 'no request is under way');
	return (await client.callFreely('GET', '/_sandbox/snapshot', { token: null })).data;
}

it('has all that there is: records, requests, faults and how often they were injected', async () => {
	await client.setPremium({ idTrunk: 1004, iso: 'fr', sbcId: 2 });
	await client.addCustomer({ vatNumber: 'IT12345678903', companyName: 'Rossi', address: { city: 'Milano' } });
	sandbox.setFaults({ rules: [{ fault: 'http503', count: 2 }] });
	await client.gateway('1');
	const shown = await snapshot();
	expect(shown).toMatchObject({ ...sandbox.state(), ...sandbox.faults(), requests: sandbox.requests(), customerCount: 1 });
	expect(shown.counts).toEqual([{ matched: 1, injected: 1 }]);
});

it('numbers the requests, rising, and no number comes twice, also after a reset', async () => {
	for (let sent = 0; sent < 3; sent += 1) await client.gateway('1');
	const before = (await snapshot()).requests;
	sandbox.reset();
	await client.gateway('1');
	const ids = [...before, ...(await snapshot()).requests].map(({ id }) => id);
	expect(ids).toEqual([...new Set(ids)].sort((one, other) => one - other));
});

it('shows that a request is under way', async () => {
	sandbox.setFaults({ rules: [{ fault: 'latency', ms: 600_000 }] });
	const endless = client.callFreely('GET', '/v1/voip/dss/gtw/1', { token: null }).catch(() => 'ended');
	await until(async () => (await client.callFreely('GET', '/_sandbox/snapshot', { token: null })).data.counters.inFlight === 1, 'a request is under way');
	await sandbox.close();
	expect(await endless).toBe('ended');
});

it('has the latest of 2,000 requests, and their counts in full', async () => {
	const token = await client.tokenOf(DEMO_CLIENT);
	await Promise.all(Array.from({ length: 2000 }, (_, index) => client.callFreely('POST', '/v1/customers/add', { token, body: { vatNumber: String(index) } })));
	const { requests, customers, customerCount, counters } = await snapshot();
	expect([requests.length, customers.length, customerCount, counters.requests]).toEqual([200, 100, 2000, 2001]);
});
