import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { jsonArray, numberWithin, oneOf } from '../../scripts/operation/parsers';
import { evaluate, inTemporaryFolder, runScript } from './run';

const string = { type: 'string' };
const object = (properties: object, required?: string[]) => ({ type: 'object', properties, required });
const content = (schema: object, type = 'application/json') => ({ content: { [type]: { schema } } });
const OK = { responses: { 200: content(object({ id: { type: 'integer' } })) } };
const body = (schema: object, type?: string) => ({ requestBody: content(schema, type), ...OK });
const parameter = (name: string, place: string, more: object = {}) => ({
	parameters: [{ name, in: place, required: place === 'path', schema: string, ...more }],
});

type Made = { made: Array<{ name: string; omissions: string[] } | string>; files: Record<string, string> };

/** What becomes of a document, given as its paths or as text. */
async function madeOf(paths: object | string, more: object = {}): Promise<Made> {
	return await inTemporaryFolder(async (folder) => {
		const file = path.join(folder, 'provider.yaml');
		const document = JSON.stringify({ openapi: '3.0.3', info: {}, paths, ...more });
		await writeFile(file, typeof paths === 'string' ? paths : document);
		return (await evaluate('../test/scripts/operationModule.mts', `module.madeOf(${JSON.stringify(file)})`)) as Made;
	});
}

const operationFile = ({ files }: Made) => Object.entries(files).find(([name]) => /operations\/\w+\//.test(name))![1];
const codeOf = async (...document: Parameters<typeof madeOf>) => operationFile(await madeOf(...document));

test("operations are named by n8n's verbs, or else by their summary or id", async () => {
	const tags = ['SIP Trunks'];
	const id = parameter('trunk_id', 'path');
	const list = { responses: { 200: content({ type: 'array', items: object({ id: string }) }) } };
	const { made, files } = await madeOf({
		'/v2/sip_trunks': {
			get: { summary: 'Lists SIP trunks', tags, ...list },
			post: { summary: 'Add a SIP trunk', tags, ...body(object({ name: string })) },
		},
		'/v2/sip_trunks/{trunk_id}.json': {
			get: { tags, ...id, ...OK },
			patch: { operationId: 'edit-trunk', tags, ...id, ...body(object({ name: string })) },
			delete: { summary: 'Deletes a SIP trunk', tags, ...id, responses: { 204: {} } },
		},
		'/v2/sip_trunks/{trunk_id}/restart': { post: { summary: 'Restart a SIP trunk', tags, ...id, ...OK } },
		'/v2/addresses': { get: { ...list } },
		'/v2/msisdn/search': {
			post: { operationId: 'searchFreeMSISDNs', tags: ['MSISDN'], ...body(object({ a: string })) },
		},
	});
	expect(made.map((each) => (typeof each === 'string' ? each : each.name))).toEqual([
		'SIP Trunk: Get Many (Get many SIP trunks)',
		'SIP Trunk: Create (Create a SIP trunk)',
		'SIP Trunk: Get (Get a SIP trunk)',
		'SIP Trunk: Update (Update a SIP trunk)',
		'SIP Trunk: Delete (Delete a SIP trunk)',
		'SIP Trunk: Restart (Restart a SIP trunk)',
		'Address: Get Many (Get many addresses)',
		'MSISDN: Search Free MSISDNs (Search free MSISDNs)',
	]);
	expect(files['nodes/VoiceAdmin/operations/index.ts']).toMatch(
		/operations: \[\s*createSipTrunk,\s*deleteSipTrunk,\s*get/,
	);
});

test('what the node cannot do is refused, or left out where it is optional, with its reason', async () => {
	const odd = { oneOf: [{ type: 'boolean' }, { type: 'object' }] };
	const linked = { 200: { ...content({ type: 'array', items: string }), headers: { Link: {} } } };
	const rows: Array<[string, object, unknown]> = [
		['/form', { post: body(object({ a: string }), 'multipart/form-data') }, /body is "multipart\/form-data"/],
		['/list', { post: body({ type: 'array', items: string }) }, /no object with known properties/],
		['/forms', { post: body({ oneOf: [object({ a: string }), object({ b: string })] }) }, /one of several forms/],
		['/either', { post: body(object({ a: odd }, ['a'])) }, /"a" has an unsupported type/],
		['/optional', { post: body(object({ a: odd, b: string })) }, ['"a" has an unsupported type or name']],
		['/dot', { post: body(object({ 'a.b': string }, ['a.b'])) }, /"a\.b" has an unsupported type or name/],
		['/header', { get: { ...parameter('key', 'header', { required: true }), ...OK } }, /"key" is sent in a header/],
		['/trace', { get: { ...parameter('key', 'header'), ...OK } }, ['"key" is sent in a header']],
		['/accept', { get: { ...parameter('Accept', 'header', { required: true }), ...OK } }, []],
		['/older', { get: { deprecated: true, ...OK } }, /it is deprecated/],
		['/pages', { get: { responses: linked } }, /next page is named in a response header \(Link\)/],
		['/pages/by', { get: { ...parameter('page', 'query'), responses: linked } }, []],
		['/pdf', { get: { responses: { 200: content({}, 'application/pdf') } } }, /response is "application\/pdf"/],
		['/ping', { get: { responses: { 204: {} } } }, /no body to output/],
		['/a/../b', { get: OK }, /its path can't be used/],
		['/{{$env}}', { get: { ...parameter('{$env', 'path'), ...OK } }, /it|path/],
		['/no/{id}', { get: OK }, /does not describe the path parameter \{id\}/],
		['/v1/voip/dss/gtw/{id}', { get: { ...parameter('id', 'path'), ...OK } }, /exists as "VoIP DSS Gateway: Get"/],
	];
	const { made } = await madeOf(Object.fromEntries(rows));
	const reasons = made.map((each) => (typeof each === 'string' ? each : each.omissions));
	expect(reasons).toEqual(
		rows.map(([, , reason]) => (reason instanceof RegExp ? (expect.stringMatching(reason) as unknown) : reason)),
	);
});

test('what n8n would evaluate is refused wherever it stands, and is no text', async () => {
	const evil = '={{ $env }}';
	const schemas = [
		object({ [evil]: string }, [evil]),
		object({ a: object({ [evil]: string }) }, ['a']),
		object({ a: { ...string, enum: [evil] } }, ['a']),
		object({ a: { ...string, default: evil } }, ['a']),
		object({ a: { type: 'array', items: { ...string, enum: ['b', evil] } } }, ['a']),
	];
	const refused = await madeOf(Object.fromEntries(schemas.map((each, at) => [`/x${at}`, { post: body(each) }])));
	expect(refused.made).toEqual(schemas.map(() => expect.stringContaining('that n8n would evaluate')));
	const words = `${evil} */ "; process.exit(7); \`\${process.exit(7)}\` <b>x</b>`;
	const told = { operationId: words, tags: [`../../${words}`], summary: words, description: words };
	const made = await madeOf({
		'/x': { post: { ...told, ...body(object({ a: { ...string, description: words, example: evil } }, ['a'])) } },
	});
	const code = operationFile(made).replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|\/\*\*.*?\*\//gs, "''");
	expect([...new Set(code.match(/\b\w+(?=\()/g))]).toEqual([]);
	expect(Object.values(made.files).join()).not.toMatch(/\{\{|: ['"]=/);
	const allowed =
		/^(nodes\/VoiceAdmin\/(operations|__schema__\/v1\.0\.0)\/[\w/]+\.(ts|json)|sandbox\/(openapi|paths\/\w+)\.yaml)$/;
	expect(Object.keys(made.files).filter((name) => !allowed.test(name))).toEqual([]);
});

test('an operation that changes something asks about notice and creates; one that reads does not', async () => {
	const tags = ['Test SIM'];
	const post = { summary: 'Create a test SIM', tags, ...parameter('trunkId', 'path'), ...body(object({ a: string })) };
	const asked = await codeOf({ '/trunks/{trunkId}/test-sims': { post } });
	expect(asked).toContain('creates: (sent) => `TODO: test SIM of trunk ID ${String(sent.trunkId)}`');
	expect(asked).toMatch(/notice: \{\s+workflow: 'TODO: .*',\s+agent: 'TODO: /);
	const get = { summary: 'Returns a SIM', tags: ['Test SIM'], ...parameter('id', 'path'), ...OK };
	expect(await codeOf({ '/test-sims/{id}': { get } })).not.toMatch(/TODO|creates|notice/);
	const acts = { ...get, summary: 'Send a SIM' };
	expect(await codeOf({ '/test-sims/{id}': { get: acts } })).toMatch(/creates: [^]*TODO/);
	const search = { ...post, summary: 'Search SIMs', responses: { 200: content({ type: 'array', items: {} }) } };
	expect(await codeOf({ '/{trunkId}/test-sims': { post: search } })).toContain('isResult: Array.isArray');
});

test('a field has what its schema says, merged and without what only the service sends', async () => {
	const node = { ...object({ name: string, next: { $ref: '#/components/schemas/Node' } }, ['name']) };
	const all = [
		object({ id: { ...string, readOnly: true }, limit: { type: 'integer', minimum: 1, maximum: 9 } }),
		object({ node: { $ref: '#/components/schemas/Node' }, password: string }),
	];
	const made = await madeOf({ '/x': { post: body({ allOf: all }) } }, { components: { schemas: { Node: node } } });
	expect(operationFile(made)).toMatch(
		/name: 'limitValue'[^]*default: null,\s+placeholder: 'e\.g\. \d'[^]*min: 1, max: 9, whole: true/,
	);
	expect(operationFile(made)).toContain(`hint: 'JSON, e.g. {"name":"Example"}'`);
	expect(operationFile(made)).not.toContain("name: 'id'");
	expect(operationFile(made)).toContain('typeOptions: { password: true }');
	expect(made.files['sandbox/paths/x.yaml']!.match(/next:/g)).toHaveLength(1);
});

test.each<[string, (name: string, given: unknown) => unknown, unknown, unknown]>([
	['a number in its range', numberWithin({ min: -1, max: 2.5 }), '-0.5', -0.5],
	['a number beyond it', numberWithin({ min: -1, max: 2.5 }), 3, /Enter a number of at least -1 and at most 2\.5$/],
	['a listed value', oneOf('mobile', 2), ' 2\u200b', 2],
	['a list of objects', jsonArray, '[{"a":1}]', [{ a: 1 }]],
	['more than a list', jsonArray, '[1],"x":2', /Enter a JSON list/],
])('a parser that comes with the first operation that needs it: %s', (_, parse, given, expected) => {
	if (expected instanceof RegExp) expect(() => parse('Field', given)).toThrow(expected);
	else expect(parse('Field', given)).toEqual(expected);
});

test.each([
	[['sandbox/openapi.yaml'], 'it refers to another file'],
	[['package.json'], 'it has no "openapi: 3.0" or 3.1'],
])('npm run operation -- %j says what there is, or what is wrong', async (args, sentence) => {
	expect((await runScript('operation', args)).output).toContain(sentence);
});

const layer = (at: number) => ({ $ref: `#/components/schemas/${at}` });
const schemas = Object.fromEntries(
	Array.from({ length: 40 }, (_, at) => [at, { allOf: [layer(at + 1), layer(at + 1)] }]),
);
const paths = { '/x': { post: body(layer(0)) } };
const LAYERS = JSON.stringify({ openapi: '3.1.0', paths, components: { schemas: { ...schemas, 40: object({}) } } });

test.each([
	['layers of allOf', LAYERS, /its body or response has over 10000 schemas/],
	['Swagger 2', 'swagger: "2.0"', /Convert it first: npx swagger2openapi/],
	['aliases', `a: &a [${'x, '.repeat(8)}]\nb: &b [${'*a, '.repeat(200)}]\nc: [${'*b, '.repeat(200)}]`, /can't be/],
])('a document with %s is refused', async (_, document, reason) => {
	expect((await madeOf(document)).made).toEqual([expect.stringMatching(reason)]);
});
