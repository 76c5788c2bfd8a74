import { READ_ONLY_CLIENT, type Sandbox, startSandbox } from '../../sandbox';
import { operations } from '../../sandbox/operations';
import { DocumentedClient } from './documentedClient';

// As for an operation that is only described: without the behavior that these have. Before the API is loaded.
for (const operationId of ['getGateway', 'setPremium', 'addCustomer']) delete operations[operationId];

let sandbox: Sandbox;
let client: DocumentedClient;

beforeAll(async () => {
	sandbox = await startSandbox();
	client = new DocumentedClient(sandbox);
});
afterAll(async () => await sandbox.close());

describe('an operation that is described and has no behavior', () => {
	it('is answered by the example of its success, whatever is asked', async () => {
		const { status, data } = await client.gateway('999');
		expect([status, data.name]).toEqual([200, 'Milano Elastic 1']);
		expect(await client.addCustomer({ vatNumber: '1' })).toMatchObject({ status: 201, data: { companyName: 'Rossi S.r.l.' } });
		const { headers, ...premium } = await client.setPremium({ idTrunk: 1, iso: 'IT' });
		expect(premium).toMatchObject({ status: 204, data: '' });
		expect(headers).not.toHaveProperty('content-type');
	});

	it('needs the permission and the fields that are described', async () => {
		const token = await client.tokenOf(READ_ONLY_CLIENT);
		expect((await client.setPremium({ idTrunk: 1, iso: 'IT' }, { token })).status).toBe(403);
		expect((await client.setPremium({ idTrunk: 'x', iso: 'IT' })).status).toBe(400);
	});
});
