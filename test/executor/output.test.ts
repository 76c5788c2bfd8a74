import { BROKEN_TRUNK_ID, type Sandbox, startSandbox } from '../../sandbox';
import { credentialFor } from '../support/executor/credentialStore';
import { execute } from '../support/executor/execute';
import { addCustomer, getGateway, numbered, setPremium } from '../support/operations';
import { faultsNotInjected } from '../support/faults';
import { json, raw, Recorder } from '../support/recorder';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox();
});

afterEach(() => {
	sandbox.reset();
});

afterAll(async () => {
	await sandbox.close();
});

describe('output', () => {
	test('set premium: success and the fields that were sent, an item for each country in order', async () => {
		const { output } = await execute({
			parameters: setPremium(1001, 'it, FR,276', { additionalFields: { organizationId: 10 } }),
			credential: credentialFor(sandbox.url),
		});
		expect(output).toEqual(
			['IT', 'FR', '276'].map((iso) => ({
				json: { success: true, idTrunk: 1001, iso, organizationId: 10 },
				pairedItem: { item: 0 },
			})),
		);
		const trunk = sandbox.state().trunks.find(({ id }) => id === 1001);
		expect(trunk?.premiumCountries.map(({ iso }) => iso).sort()).toEqual(['276', 'FR', 'IT']);
	});

	test('set premium: a country from the list', async () => {
		const { output } = await execute({
			parameters: setPremium(1001, '', { iso: { __rl: true, mode: 'list', value: 'DE', cachedResultName: 'Germany (DE)' } }),
			credential: credentialFor(sandbox.url),
		});
		expect(output[0]?.json).toEqual({ success: true, idTrunk: 1001, iso: 'DE' });
	});

	test.each([
		['present', '1', { terminationUri: expect.stringContaining('sip') as string }],
		['null', '3', { terminationUri: null }],
	])('get gateway: a termination URI that is %s', async (_name, id, expected) => {
		const { output } = await execute({ parameters: getGateway(id), credential: credentialFor(sandbox.url) });
		expect(output[0]?.json).toMatchObject({ id, ...expected });
	});

	test('get gateway: a termination URI that is missing stays missing', async () => {
		const { output } = await execute({ parameters: getGateway('2'), credential: credentialFor(sandbox.url) });
		expect(output[0]?.json).toMatchObject({ id: '2' });
		expect(output[0]?.json).not.toHaveProperty('terminationUri');
	});

	test('add customer: the record as the service gives it', async () => {
		const { output } = await execute({
			parameters: addCustomer('IT12345678903', {
				otherFields: '{ "name": "Acme" }',
				options: { validateVatNumber: true },
			}),
			credential: credentialFor(sandbox.url),
		});
		expect(output[0]?.json).toMatchObject({ vatNumber: 'IT12345678903', name: 'Acme' });
		expect(sandbox.state().customers).toHaveLength(1);
	});

	test('output order is input order, and every item is paired with its input', async () => {
		sandbox.setFaults({ seed: 7, rules: [{ fault: 'latency', ms: 0, jitterMs: 40 }] });
		const { output } = await execute({
			items: numbered(100),
			parameters: getGateway('={{ $json.n % 12 + 1 }}'),
			credential: credentialFor(sandbox.url),
		});
		expect(output.map(({ json: { id } }) => id)).toEqual(numbered(100).map(({ n }) => String((n % 12) + 1)));
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual(numbered(100).map(({ n }) => ({ item: n })));
		expect(faultsNotInjected(sandbox)).toEqual([]);
	});

	test.each<[string, unknown, unknown[]]>([
		['an array gives an item per element', [{ a: 1 }, { a: 2 }], [{ a: 1 }, { a: 2 }]],
		['an empty array gives an item', [], [{ success: true, gatewayId: '1' }]],
		['a value that is not an object comes as data', 42, [{ data: 42 }]],
		['elements that are not objects come as data', ['x', null], [{ data: 'x' }, { data: null }]],
	])('%s', async (_name, body, expected) => {
		const service = await Recorder.start((_request, response) => json(response, 200, body));
		const { output } = await execute({ parameters: getGateway('1'), credential: credentialFor(service.url) });
		expect(output.map((item) => item.json)).toEqual(expected);
		await service.close();
	});

	test('each element of an array is paired with its input item', async () => {
		const service = await Recorder.start((_request, response) => json(response, 200, [{ a: 1 }, { a: 2 }]));
		const { output } = await execute({ items: numbered(3), parameters: getGateway('1'), credential: credentialFor(service.url) });
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual([0, 0, 1, 1, 2, 2].map((item) => ({ item })));
		await service.close();
	});

	test('an empty body gives success and the fields that were sent, for a get and a create too', async () => {
		const service = await Recorder.start((_request, response) => raw(response, 200, 'text/plain', ''));
		const credential = credentialFor(service.url);
		const got = await execute({ parameters: getGateway(7, { organizationId: '10' }), credential });
		expect(got.output[0]?.json).toEqual({ success: true, gatewayId: 7, organizationId: '10' });
		const added = await execute({ parameters: addCustomer('', { otherFields: '{"piva":"1","a":2}' }), credential });
		expect(added.output[0]?.json).toEqual({ success: true, vatNumber: '1', a: 2 });
		await service.close();
	});

	test('on "Continue (using error output)" items that succeeded and failed come out apart, in order', async () => {
		const { output, errors, error } = await execute({
			items: [{ id: 1001 }, { id: 9999 }, { id: 'abc' }, { id: BROKEN_TRUNK_ID }, { id: 1002 }],
			parameters: setPremium('={{ $json.id }}', 'IT'),
			credential: credentialFor(sandbox.url),
			settings: { onError: 'continueErrorOutput' },
		});
		expect(error).toBeUndefined();
		expect(output.map((item) => item.json.idTrunk)).toEqual([1001, 1002]);
		expect(errors.map((item) => item.json)).toEqual([
			{ id: 9999, error: { message: 'The requested DSS resource is not found', description: 'No trunk has the id 9999.\nRequest: trunk 9999, country IT.', httpCode: '404', code: 'not_found', outcome: 'not_done' } },
			{ id: 'abc', error: { message: '\'Trunk ID\' is not valid: "abc". Enter a whole number, e.g. 1001', description: null, httpCode: null, code: 'invalid_parameter', outcome: 'not_sent' } },
			{ id: BROKEN_TRUNK_ID, error: expect.objectContaining({ httpCode: '500' }) },
		]);
	});

	test('on "Continue" the countries of an item that succeeded come out beside the one that failed', async () => {
		sandbox.setFaults({ rules: [{ fault: 'http404', method: 'PUT', after: 1, count: 1 }] });
		const { output } = await execute({
			parameters: setPremium(1001, 'IT,FR,DE', { options: { maxConcurrency: 1 } }),
			credential: credentialFor(sandbox.url),
			settings: { onError: 'continueRegularOutput' },
		});
		expect(output.map((item) => item.json.iso ?? JSON.stringify(item.json))).toEqual([
			'IT',
			expect.stringContaining('Request: trunk 1001, country FR'),
			'DE',
		]);
	});

	test('a field called success does not change the output of an empty response', async () => {
		const service = await Recorder.start((_request, response) => raw(response, 200, 'text/plain', ''));
		const { output } = await execute({ parameters: addCustomer('1', { otherFields: '{"success":false}' }), credential: credentialFor(service.url) });
		expect(output[0]?.json).toEqual({ success: true, vatNumber: '1' });
		await service.close();
	});
});
