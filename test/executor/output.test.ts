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
	['a value that is not an object as data', 42, [{ data: 42 }]],
	['elements that are not objects as data', ['x', null], [{ data: 'x' }, { data: null }]],
])('a response gives %s, paired with its input item', async (_name, body, expected) => {
	const service = await startService((_request, response) => json(response, 200, body));
	const { output } = await execute({
		items: numbered(2),
		parameters: addCustomer('IT{{ $json.n }}', { options: { validateVatNumber: false, allowDuplicates: true } }),
		credential: credentialFor(service.url),
	});
	expect(output).toEqual([0, 1].flatMap((item) => expected.map((given) => ({ json: given, pairedItem: { item } }))));
});

// n8n itself takes an item of only these for a failed one. What else says so is a table of `unit`.
test.each<[body: unknown, message: string]>([
	[{ error: true, message: 'Already exists' }, 'Already exists'],
	[{ status: 503, message: 'Try later', errors: [] }, 'Try later'],
])('a create whose 200 says that it failed is on the error output, as unknown: %j', async (body, says) => {
	const service = await startService((_request, response) => json(response, 200, body));
	const { output, errors } = await execute({
		parameters: addCustomer('IT12345678903'),
		credential: credentialFor(service.url),
		settings: { onError: 'continueErrorOutput' },
	});
	const error = {
		code: 'invalid_response',
		outcome: 'unknown',
		httpCode: '200',
		message: `${says}. The customer with VAT number IT12345678903 may already exist`,
	};
	expect([output, errors]).toMatchObject([[], [{ json: { error } }]]);
	expect(service.requests).toHaveLength(1);
});

test.each(['text', 7, false, [null], [[{ id: 1 }]], [{ id: 1 }, { id: 2 }], { name: 'A' }, { id: null }, { id: ' ' }])(
	'a gateway is none without an id: %j',
	async (body) => {
		const service = await startService((_request, response) => json(response, 200, body));
		const { error } = await execute({ parameters: getGateway('1'), credential: credentialFor(service.url) });
		expect(error?.context).toMatchObject({ code: 'invalid_response', outcome: 'unknown' });
	},
);

test.each([{ id: 0, name: 'A' }, { id: '1' }, [{ id: 1, error: '', maintenance: true, status: 'error' }]])(
	'a gateway is given as the service returned it: %j',
	async (body) => {
		const service = await startService((_request, response) => json(response, 200, body));
		const { output } = await execute({ parameters: getGateway('1'), credential: credentialFor(service.url) });
		expect(output.map(({ json }) => json)).toEqual([body].flat());
	},
);

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
