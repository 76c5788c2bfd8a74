import type { Sandbox } from '../../sandbox';
import { credentialFor } from '../support/executor/credentialStore';
import { execute } from '../support/executor/execute';
import { sandboxOfEachTest } from '../support/executor/sandboxOfEachTest';
import { startService } from '../support/executor/startService';
import { addCustomer, getGateway, numbered, setPremium } from '../support/operations';
import { json, raw } from '../support/recorder';

let sandbox: Sandbox;

const run = sandboxOfEachTest((started) => { sandbox = started; });

describe('output', () => {
	test('output order is input order, and every item is paired with its input', async () => {
		sandbox.setFaults({ seed: 7, rules: [{ fault: 'latency', ms: 0, jitterMs: 40 }] });
		const { output } = await run({
			items: numbered(100),
			parameters: getGateway('={{ $json.n % 12 + 1 }}'),
		});
		expect(output.map(({ json: { id } }) => id)).toEqual(numbered(100).map(({ n }) => String((n % 12) + 1)));
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual(numbered(100).map(({ n }) => ({ item: n })));
		const countries = await run({ items: numbered(20), parameters: setPremium(1001, 'it, FR,276') });
		expect(countries.output.map(({ json: { iso }, pairedItem }) => [iso, pairedItem])).toEqual(
			numbered(20).flatMap(({ n }) => ['IT', 'FR', '276'].map((iso) => [iso, { item: n }])));
	});

	test.each<[string, unknown, unknown[]]>([
		['an item per element of an array', [{ a: 1 }, { a: 2 }], [{ a: 1 }, { a: 2 }]],
		['a value that is not an object as data', 42, [{ data: 42 }]],
		['elements that are not objects as data', ['x', null], [{ data: 'x' }, { data: null }]],
	])('a response gives %s, paired with its input item', async (_name, body, expected) => {
		const service = await startService((_request, response) => json(response, 200, body));
		const { output } = await execute({ items: numbered(2), parameters: getGateway('1'), credential: credentialFor(service.url) });
		expect(output).toEqual([0, 1].flatMap((item) => expected.map((given) => ({ json: given, pairedItem: { item } }))));
	});

	test.each(['', '[]', '{}', 'null'])('a response without a value gives success and the fields that were sent, but no gateway: %j', async (empty) => {
		const service = await startService((_request, response) => raw(response, 200, 'text/plain', empty));
		const credential = credentialFor(service.url);
		const got = await execute({ parameters: getGateway(7), credential });
		expect(got.error).toMatchObject({ message: expect.stringMatching(/^The service answered 200 with /), context: { code: 'invalid_response' } });
		const set = await execute({ parameters: setPremium(7, 'IT'), credential });
		expect(set.output[0]?.json).toEqual({ success: true, idTrunk: 7, iso: 'IT' });
		const added = await execute({ parameters: addCustomer('', { otherFields: '{"piva":"1","a":2,"success":false}' }), credential });
		expect(added.output[0]?.json).toEqual({ success: true, vatNumber: '1', a: 2 });
	});

	test('on "Continue (using error output)" items that succeeded and failed come out apart, in order', async () => {
		const { output, errors, error } = await run({
			items: [{ id: 1001 }, { id: 9999 }, { id: 'abc' }, { id: 1002 }],
			parameters: setPremium('={{ $json.id }}', 'IT'),
			settings: { onError: 'continueErrorOutput' },
		});
		expect(error).toBeUndefined();
		expect(output.map((item) => item.json.idTrunk)).toEqual([1001, 1002]);
		expect(errors.map((item) => item.json)).toMatchObject([
			{ id: 9999, error: { code: 'not_found', outcome: 'not_done', request: { idTrunk: 9999, iso: 'IT' } } },
			{ id: 'abc', error: { code: 'invalid_parameter', outcome: 'not_sent', request: null } },
		]);
	});

	test('on "Continue" the countries of an item that succeeded come out beside the one that failed', async () => {
		sandbox.setFaults({ rules: [{ fault: 'http404', method: 'PUT', after: 1, count: 1 }] });
		const { output } = await run({
			parameters: setPremium(1001, 'IT,FR,DE', { options: { maxConcurrency: 1 } }),
			settings: { onError: 'continueRegularOutput' },
		});
		expect(output.map((item) => item.json.iso ?? JSON.stringify(item.json))).toEqual([
			'IT',
			expect.stringContaining('Request: trunk 1001, country FR'),
			'DE',
		]);
	});
});
