import { operations } from '../../sandbox/operations';
import { type DocumentedClient, sandboxOfFile } from './documentedClient';

// As for an operation that is only described: without the behavior that these have. Before the API is loaded.
for (const operationId of ['getGateway', 'setPremium', 'addCustomer']) delete operations[operationId];

let client: DocumentedClient;
sandboxOfFile((_, own) => (client = own));

it('an operation that is described and has no behavior is answered by the example of its success, whatever is asked', async () => {
	expect(await client.gateway('999')).toMatchObject({ status: 200, data: { name: 'Milano Elastic 1' } });
	expect(await client.addCustomer({ vatNumber: '1' })).toMatchObject({
		status: 201,
		data: { companyName: 'Rossi S.r.l.' },
	});
	const { headers, ...premium } = await client.setPremium({ idTrunk: 1, iso: 'IT' });
	expect(premium).toMatchObject({ status: 204, data: '' });
	expect(headers).not.toHaveProperty('content-type');
});
