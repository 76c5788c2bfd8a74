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
