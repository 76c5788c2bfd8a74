import {
	addCustomer,
	credentialFor,
	execute,
	getGateway,
	json,
	numbered,
	raw,
	setPremium,
	startService,
} from '../support/executor';

test.each<[string, unknown, unknown[]]>([
	['an item per element of an array', [{ a: 1 }, { a: 2 }], [{ a: 1 }, { a: 2 }]],
	['a value that is not an object as data', 42, [{ data: 42 }]],
	['elements that are not objects as data', ['x', null], [{ data: 'x' }, { data: null }]],
])('a response gives %s, paired with its input item', async (_name, body, expected) => {
	const service = await startService((_request, response) => json(response, 200, body));
	const { output } = await execute({
		items: numbered(2),
		parameters: getGateway('1'),
		credential: credentialFor(service.url),
	});
	expect(output).toEqual([0, 1].flatMap((item) => expected.map((given) => ({ json: given, pairedItem: { item } }))));
});

test.each(['', '[]', '{}', 'null'])(
	'a response without a value gives success and the fields that were sent, but no gateway: %j',
	async (empty) => {
		const service = await startService((_request, response) => raw(response, 200, 'text/plain', empty));
		const credential = credentialFor(service.url);
		const got = await execute({ parameters: getGateway(7), credential });
		expect(got.error).toMatchObject({
			message: expect.stringMatching(/^The service returned 200 with /),
			context: { code: 'invalid_response' },
		});
		const set = await execute({ parameters: setPremium(7, 'IT'), credential });
		expect(set.output[0]?.json).toEqual({ success: true, idTrunk: 7, iso: 'IT' });
		const added = await execute({
			parameters: addCustomer('', { otherFields: '{"piva":"1","a":2,"success":false}' }),
			credential,
		});
		expect(added.output[0]?.json).toEqual({ success: true, vatNumber: '1', a: 2 });
	},
);
