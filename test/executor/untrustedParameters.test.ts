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

const VALUE = '={{ $json.value }}';

/** Runs the node with a parameter from an item, as external data comes. */
async function attack(parameters: INodeParameters, value: unknown) {
	const result = await execute({ items: [{ value: value as string }], parameters, credential: credentialFor(service.url) });
	expect(result.error).toBeUndefined();
	return { ...result, bodies: service.requests.map(({ body }) => body), arrived: service.requests[0] };
}

test('an id of 1 MB is sent whole', async () => {
	const { arrived } = await attack(getGateway(VALUE), 'x'.repeat(1_000_000));
	expect(arrived?.target.length).toBe('/v1/voip/dss/gtw/'.length + 1_000_000);
});

test('a list from an expression is several codes', async () => {
	const { bodies } = await attack(setPremium(1001, VALUE), ['it', 'FR', 276]);
	expect(bodies.map((body) => (JSON.parse(body) as { iso: string }).iso).sort()).toEqual(['276', 'FR', 'IT']);
});

test.each([[0, 0], ['007', 7], ['\u200b12 ', 12], [2 ** 53 - 1, 2 ** 53 - 1]])('the trunk id %j is sent as %j', async (id, sent) => {
	expect((await attack(setPremium(VALUE, 'IT'), id)).bodies).toEqual([`{"idTrunk":${sent},"iso":"IT"}`]);
});

test.each([
	'{"__proto__":{"polluted":true}}',
	'{"constructor":{"prototype":{"polluted":true}}}',
	'{"a":{"__proto__":{"polluted":true}}}',
	'{"toString":"x","hasOwnProperty":1,"length":-1}',
	'{"":"empty key","a.b":"dots","a[0]":"brackets"}',
	'{"text":"\\u0000\\r\\n\\ud800"}',
])('the other fields %s arrive unchanged and change no prototype', async (fields) => {
	const { bodies, output } = await attack(addCustomer('1', { otherFields: VALUE }), fields);
	expect(JSON.stringify(JSON.parse(bodies[0]!))).toBe(`{"vatNumber":"1",${JSON.stringify(JSON.parse(fields)).slice(1)}`);
	expect([{} as Record<string, unknown>, output[0]!.json].map(({ polluted }) => polluted)).toEqual([undefined, undefined]);
});

test('a megabyte of text is sent', async () => {
	const text = 'è'.repeat(500_000);
	expect((await attack(addCustomer('1', { otherFields: VALUE }), { text })).bodies).toEqual([`{"vatNumber":"1","text":"${text}"}`]);
});

test.each(['IT1\r\nX-Evil: 1', '\u0000', '"}', '１２３', 12345678903])('the VAT number %j is sent in the body and nowhere else', async (vatNumber) => {
	const { bodies, arrived } = await attack(addCustomer(VALUE), vatNumber);
	expect(bodies).toEqual([JSON.stringify({ vatNumber: String(vatNumber) })]);
	expect(arrived?.headers['x-evil']).toBeUndefined();
});
