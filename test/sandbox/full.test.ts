import { startSandbox } from '../../sandbox';
import { Store, MAX_STORED } from '../../sandbox/store/store';
import { DocumentedClient } from './documentedClient';

it('stores 100,000 customers of the usual size', () => {
	const store = new Store();
	for (let number = 1; number <= 100_000; number += 1) store.addCustomer({ vatNumber: `IT${String(number).padStart(11, '0')}`, companyName: 'Rossi S.r.l.', email: 'rossi@example.com' });
	expect(store.customerCount).toBe(100_000);
});

it('rejects customers, gateways and premium countries when it is full, changes nothing then, and is empty after a reset', async () => {
	const sandbox = await startSandbox();
	const client = new DocumentedClient(sandbox);
	const customer = { vatNumber: '1', note: 'x'.repeat(1_000_000) };
	const stored = Math.floor(MAX_STORED / 1_000_200);
	for (let count = 0; count < stored; count += 1) expect((await client.addCustomer(customer)).status).toBe(201);
	const full = { status: 507, data: { status: 'Insufficient Storage', message: 'The sandbox is full', errors: expect.stringContaining('/_sandbox/reset') } };
	expect(await client.addCustomer(customer)).toMatchObject(full);
	expect(await client.setPremium({ idTrunk: 1001, iso: 'IT', premium_available: customer.note })).toMatchObject(full);
	expect(await client.callFreely('PUT', '/_sandbox/gateways', { token: null, body: { id: '99', name: customer.note, type: 'pbx', organizationId: 10 } })).toMatchObject(full);
	const { customers, gateways, trunks } = sandbox.state();
	expect([customers.length, gateways.length, trunks[0]?.premiumCountries]).toEqual([stored, 12, []]);
	expect((await client.callFreely('POST', '/_sandbox/reset', { token: null })).status).toBe(204);
	expect((await client.addCustomer(customer)).status).toBe(201);
	await sandbox.close();
});

it('counts empty objects as more than their two characters, as a million of them take much memory', () => {
	const store = new Store();
	expect(() => store.addCustomer({ vatNumber: '1', nested: Array.from({ length: MAX_STORED / 100 }, () => ({})) })).toThrow('The sandbox is full');
	expect(store.customerCount).toBe(0);
});

it('makes room for what replaces and what is taken away', () => {
	const store = new Store();
	const gateway = { id: '12', name: 'x'.repeat(MAX_STORED * 0.9), type: 'pbx', organizationId: 30 } as const;
	const trunk = store.findTrunk(1001)!;
	for (let times = 0; times < 3; times += 1) {
		store.putGateway(gateway);
		store.removeGateway('12');
		store.removeGateway('12');
	}
	for (let times = 0; times < 3; times += 1) store.setPremium(trunk, { idTrunk: 1001, iso: 'IT', premium_available: gateway.name });
	expect(() => store.putGateway(gateway)).toThrow('The sandbox is full');
});
