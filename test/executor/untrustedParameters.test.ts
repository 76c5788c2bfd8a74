import type { INodeParameters } from 'n8n-workflow';

import { credentialFor } from '../support/executor/credentialStore';
import { execute } from '../support/executor/execute';
import { addCustomer, getGateway, setPremium } from '../support/operations';
import { json, Recorder } from '../support/recorder';

let service: Recorder;

beforeEach(async () => {
	service = await Recorder.start((_request, response) => json(response, 200, { ok: true }));
});

afterEach(async () => {
	await service.close();
});

/** Runs the node with a parameter from an item, as external data comes. */
async function attack(parameters: INodeParameters, value: unknown) {
	const result = await execute({
		items: [{ value: value as string }],
		parameters,
		credential: credentialFor(service.url),
	});
	expect(service.requests.length + (result.error ? 1 : 0)).toBe(1);
	return { ...result, arrived: service.requests[0] };
}

const VALUE = '={{ $json.value }}';

test('an id of 1 MB is sent whole', async () => {
	const { error, arrived } = await attack(getGateway(VALUE), 'x'.repeat(1_000_000));
	expect(error).toBeUndefined();
	expect(arrived?.target.length).toBe('/v1/voip/dss/gtw/'.length + 1_000_000);
});

describe('country codes', () => {
	test.each(['IT\r\nX: 1', 'I T', 'I', 'ITAL', '0', '1234', 'I1', 'ıt', 'ſt', 'ＩＴ', 'IТ', '٣٨٠', 'I\u0000T', '<b>', "IT'", 'IT;FR', true, { iso: 'IT' }, 3.8, -38])(
		'%j is not valid',
		async (iso) => {
			const { error, arrived } = await attack(setPremium(1001, VALUE), iso);
			expect(error?.message).toMatch(/^'Country' is not valid: .+\. Enter ISO country codes/);
			expect(arrived).toBeUndefined();
		},
	);

	test('a list from an expression is several codes', async () => {
		const { output } = await execute({
			items: [{ value: ['it', 'FR', 276] }],
			parameters: setPremium(1001, VALUE),
			credential: credentialFor(service.url),
		});
		expect(output).toHaveLength(3);
		expect(service.requests.map(({ body }) => (JSON.parse(body) as { iso: string }).iso).sort()).toEqual(['276', 'FR', 'IT']);
	});

	test('a megabyte of codes is not valid, with a short message', async () => {
		const { error } = await attack(setPremium(1001, VALUE), 'x'.repeat(1_000_000));
		expect(error!.message.length).toBeLessThan(300);
	});
});

describe('trunk ids', () => {
	test.each(['1e3', '0x10', '1_000', '1,000', '+5', '٣', '１', 'Infinity', 'NaN', '', ' ', null, true, [1], { a: 1 }, 1.5, -1, '-1', 2 ** 53, -(2 ** 60), '9007199254740992', '1'.repeat(1_000_000)])(
		'%j is not valid',
		async (id) => {
			const { error, arrived } = await attack(setPremium(VALUE, 'IT'), id);
			expect(error?.message).toMatch(/^'Trunk ID' is (?:required|not valid: .+)\. Enter a whole number, e\.g\. 1001$/);
			expect(error!.message.length).toBeLessThan(300);
			expect(arrived).toBeUndefined();
		},
	);

	test.each([[0, 0], ['007', 7], [' 12 ', 12], ['\u200b12', 12], [2 ** 53 - 1, 2 ** 53 - 1]])('%j is sent as %j', async (id, sent) => {
		const { arrived } = await attack(setPremium(VALUE, 'IT'), id);
		expect(JSON.parse(arrived!.body)).toEqual({ idTrunk: sent, iso: 'IT' });
	});
});

describe('other fields of a customer', () => {
	test.each([
		'{"__proto__":{"polluted":true}}',
		'{"constructor":{"prototype":{"polluted":true}}}',
		'{"a":{"__proto__":{"polluted":true}}}',
		'{"toString":"x","hasOwnProperty":1,"length":-1}',
		'{"":"empty key","a.b":"dots","a[0]":"brackets"}',
		'{"text":"\\u0000\\r\\n\\ud800"}',
	])('%s arrives unchanged and changes no prototype', async (fields) => {
		const { arrived, error, output } = await attack(addCustomer('1', { otherFields: VALUE }), fields);
		expect(error).toBeUndefined();
		expect(JSON.stringify(JSON.parse(arrived!.body))).toBe(`{"vatNumber":"1",${JSON.stringify(JSON.parse(fields)).slice(1)}`);
		expect(({} as Record<string, unknown>).polluted).toBeUndefined();
		expect((output[0]?.json as Record<string, unknown>).polluted).toBeUndefined();
	});

	test.each(['[]', '1', '"x"', 'true', 'null', '{', '{"a":1,}', "{'a':1}", 'undefined', '{"a":1}{"b":2}', '\u0000'])('%j is not valid', async (fields) => {
		const { error, arrived } = await attack(addCustomer('1', { otherFields: VALUE }), fields);
		expect(error?.message).toMatch(/^'Other Fields' is not valid: .+\. Enter a JSON object/);
		expect(arrived).toBeUndefined();
	});

	test('a megabyte of text is sent', async () => {
		const text = 'è'.repeat(500_000);
		const { arrived } = await attack(addCustomer('1', { otherFields: VALUE }), { text });
		expect(JSON.parse(arrived!.body)).toEqual({ vatNumber: '1', text });
	});

	test.each([[500, true], [501, false], [10_000, false]])('an object nested %d levels deep is sent: %j', async (levels, isSent) => {
		const fields = `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
		const { error, arrived } = await attack(addCustomer('1', { otherFields: VALUE }), fields);
		if (isSent) return expect(arrived?.body).toContain(fields.slice(1, -1));
		expect(arrived).toBeUndefined();
		expect(error?.message).toMatch(/^'Other Fields' is not valid: .+\. Enter a JSON object of at most 500 levels$/);
		expect(error?.context).toMatchObject({ code: 'invalid_parameter', outcome: 'not_sent' });
	});
});

describe('VAT numbers', () => {
	test.each([true, {}, [], ['1'], 1.5, 2 ** 53])('%j is not valid', async (vatNumber) => {
		const { error, arrived } = await attack(addCustomer(VALUE), vatNumber);
		expect(error?.message).toMatch(/^'VAT Number' is not valid: .+\. Enter the VAT number as text/);
		expect(arrived).toBeUndefined();
	});

	test.each(['IT1\r\nX-Evil: 1', '\u0000', '"}', '１２３', 12345678903])('%j is sent in the body and nowhere else', async (vatNumber) => {
		const { arrived } = await attack(addCustomer(VALUE), vatNumber);
		expect(JSON.parse(arrived!.body)).toEqual({ vatNumber: String(vatNumber) });
		expect(arrived?.headers['x-evil']).toBeUndefined();
	});
});
