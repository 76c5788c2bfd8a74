import { READ_ONLY_CLIENT, startSandbox } from '../../sandbox';
import type { Sandbox } from '../../sandbox';
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
afterEach(() => sandbox.reset());
afterAll(async () => await sandbox.close());

describe('an operation that is described and has no behavior', () => {
	it('is answered by its example, whatever is asked', async () => {
		const { status, data } = await client.gateway('999');
		expect([status, data]).toEqual([200, { id: '1', name: 'Milano Elastic 1', type: 'elastic-sip-trunk', organizationId: 10, terminationUri: 'milano-1.sip.sandbox.example' }]);
	});

	it('has the status of its success', async () => {
		const { status, data } = await client.addCustomer({ vatNumber: '1' });
		expect([status, data.companyName]).toEqual([201, 'Rossi S.r.l.']);
	});

	it('has no body where none is described', async () => {
		const { status, data, headers } = await client.setPremium({ idTrunk: 1, iso: 'IT' });
		expect([status, data, headers['content-type']]).toEqual([204, '', undefined]);
	});

	it('needs a token, and the permission that is described', async () => {
		expect((await client.gateway('1', { token: null })).status).toBe(401);
		expect((await client.setPremium({ idTrunk: 1, iso: 'IT' }, { token: await client.tokenOf(READ_ONLY_CLIENT) })).status).toBe(403);
	});

	it('rejects what the document does', async () => {
		const { status, data } = await client.setPremium({ idTrunk: 'x', iso: 'IT' });
		expect([status, data.errors]).toEqual([400, [{ field: 'idTrunk', message: 'must be integer' }]]);
	});

	it('gets faults', async () => {
		sandbox.setFaults({ rules: [{ fault: 'http503', path: '/v1/voip/dss/gtw', count: 1 }] });
		expect([(await client.gateway('1')).status, (await client.gateway('1')).status]).toEqual([503, 200]);
	});
});
