import { openApiDocument } from './documentedClient';

/**
 * The statuses of the provider's own documentation. Of an operation that is not listed it is the success, if any; all
 * others are the sandbox's choice.
 */
const shownByTheProvider: Record<string, string[]> = {
	login: ['200'],
	setPremium: ['204', '400', '403', '404', '500'],
	getGateway: ['200'],
	getGatewayOfOrganization: ['200'],
	addCustomer: [],
};

it('marks every status that the provider does not show, and none that it does', async () => {
	for (const { operationId = '', responses = {} } of (await openApiDocument()).getOperations()) {
		const unmarked = Object.entries(responses).filter(([, response]) => !('x-not-in-spec' in response)).map(([status]) => status);
		const shown = shownByTheProvider[operationId] ?? unmarked.filter((status) => status.startsWith('2'));
		expect([operationId, unmarked]).toEqual([operationId, shown]);
	}
});

it('marks every field of a gateway but the termination URI', async () => {
	const document = await openApiDocument();
	const { Gateway } = (document.definition.components?.schemas ?? {}) as Record<string, { properties: Record<string, object> }>;
	const unmarked = Object.entries(Gateway?.properties ?? {}).filter(([, field]) => !('x-not-in-spec' in field));
	expect(unmarked.map(([name]) => name)).toEqual(['terminationUri']);
});

it('is strict enough to tell a wrong reply from a right one', async () => {
	const document = await openApiDocument();
	const isRight = (body: unknown, operationId: string, status: number) => !document.validateResponse(body, operationId, status).errors;
	const gateway = { id: '1', name: 'x', type: 'pbx', organizationId: 10 };
	const gateways = [{}, { terminationUri: null }, { terminationUri: 5 }, { id: 1 }];
	expect(gateways.filter((more) => isRight({ ...gateway, ...more }, 'getGateway', 200))).toEqual(gateways.slice(0, 2));
	const details = ['text', [], [{ field: 'a', message: 'b' }], {}, { any: 'thing' }, 42, null, undefined, ['text'], [{ field: 'a' }]];
	const accepted = details.filter((errors) => isRight({ status: 'a', message: 'b', errors }, 'setPremium', 400));
	expect(accepted).toEqual(details.slice(0, 5));
	expect(isRight('text', 'setPremium', 204)).toBe(false);
});
