import { operations } from '../../sandbox/operations';
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

it('describes each operation that the sandbox has a behavior for', async () => {
	const described = (await openApiDocument()).getOperations().map(({ operationId }) => operationId);
	expect(described).toEqual(expect.arrayContaining(Object.keys(operations)));
});

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
	const refused = (body: unknown, operationId: string, status: number) =>
		document.validateResponse(body, operationId, status).errors !== null;
	const gateway = { id: '1', name: 'x', type: 'pbx', organizationId: 10 };
	expect([gateway, { ...gateway, terminationUri: null }].map((body) => refused(body, 'getGateway', 200))).toEqual([false, false]);
	expect([{ terminationUri: 5 }, { id: 1 }].map((wrong) => refused({ ...gateway, ...wrong }, 'getGateway', 200))).toEqual([true, true]);
	for (const errors of ['text', [], [{ field: 'a', message: 'b' }], {}, { any: 'thing' }]) {
		expect([errors, refused({ status: 'a', message: 'b', errors }, 'setPremium', 400)]).toEqual([errors, false]);
	}
	for (const errors of [42, null, undefined, ['text'], [{ field: 'a' }]]) {
		expect([errors, refused({ status: 'a', message: 'b', errors }, 'setPremium', 400)]).toEqual([errors, true]);
	}
	expect(refused('text', 'setPremium', 204)).toBe(true);
});
