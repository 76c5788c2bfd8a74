import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import { evaluate, inTemporaryFolder, ROOT, runScript } from './run';

/** An OpenAPI document with these paths. */
const documentOf = (paths: object, more: object = {}) => ({
	openapi: '3.0.3',
	info: { title: 'Provider', version: '1' },
	paths,
	...more,
});
const OK = {
	responses: {
		200: {
			description: 'OK',
			content: { 'application/json': { schema: { type: 'object', properties: { id: { type: 'integer' } } } } },
		},
	},
};
const body = (schema: object, type = 'application/json') => ({ requestBody: { content: { [type]: { schema } } } });
const object = (properties: object, required: string[] = []) => ({
	type: 'object',
	properties,
	...(required.length > 0 && { required }),
});

interface Made {
	resource: { name: string };
	operation: { name: string; value: string };
	action: string;
	leftOut: string[];
}

/** Asks `operationModule` about a document. */
async function ask(question: string, document: unknown, format = JSON.stringify): Promise<unknown> {
	return await inTemporaryFolder(async (folder) => {
		const file = path.join(folder, 'provider.yaml');
		await writeFile(file, format(document));
		return await evaluate('../test/scripts/operationModule.mts', `module.${question}(${JSON.stringify(file)})`);
	});
}

const draftsOf = async (document: unknown, format = JSON.stringify) => (await ask('madeOf', document, format)) as Array<Made | string>;

const named = (made: Made | string) =>
	typeof made === 'string' ? made : `${made.resource.name}: ${made.operation.name} (${made.action})`;

test("operations are named by n8n's rules: from method, tag and operationId, or from the path", async () => {
	const list = {
		responses: {
			200: {
				description: 'OK',
				content: { 'application/json': { schema: { type: 'array', items: object({ id: { type: 'string' } }) } } },
			},
		},
	};
	const tags = ['SIP Trunks'];
	const id = { parameters: [{ name: 'trunk_id', in: 'path', required: true, schema: { type: 'integer' } }] };
	const made = await draftsOf(
		documentOf({
			'/v2/sip_trunks': {
				get: { operationId: 'listSipTrunks', tags, ...list },
				post: { operationId: 'createSIPTrunk', tags, ...body(object({ name: { type: 'string' } })), ...OK },
			},
			'/v2/sip_trunks/{trunk_id}': {
				get: { operationId: 'getSipTrunk', tags, ...id, ...OK },
				delete: { operationId: 'delete_sip_trunk', tags, ...id, responses: { 204: { description: 'Done' } } },
			},
			'/v2/sip_trunks/{trunk_id}/payments': { delete: { operationId: 'deletePayment', tags, ...id, ...OK } },
			'/v2/fqdns/{id}': {
				get: { parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }], ...OK },
			},
		}),
	);
	expect(made.map(named)).toEqual([
		'SIP Trunk: Get Many (Get many SIP trunks)',
		'SIP Trunk: Create (Create a SIP trunk)',
		'SIP Trunk: Get (Get a SIP trunk)',
		'SIP Trunk: Delete (Delete a SIP trunk)',
		'SIP Trunk: Delete Payment (Delete payment)',
		'FQDN: Get (Get an FQDN)',
	]);
});

test('what no operation of the node can be is refused with its reason', async () => {
	const any = { oneOf: [{ type: 'boolean' }, { type: 'object' }] };
	const made = await draftsOf(
		documentOf({
			'/form': { post: { ...body(object({ a: { type: 'string' } }), 'application/x-www-form-urlencoded'), ...OK } },
			'/file': { post: { ...body(object({ a: { type: 'string' } }), 'multipart/form-data'), ...OK } },
			'/list': { post: { ...body({ type: 'array', items: { type: 'string' } }), ...OK } },
			'/either': { post: { ...body(object({ a: any }, ['a'])), ...OK } },
			'/optional': { post: { ...body(object({ a: any, b: { type: 'string' } })), ...OK } },
			'/header': {
				get: { parameters: [{ name: 'X-Account', in: 'header', required: true, schema: { type: 'string' } }], ...OK },
			},
			'/cookie': { get: { parameters: [{ name: 'sid', in: 'cookie', schema: { type: 'string' } }], ...OK } },
			'/callback': { post: { ...OK, callbacks: { done: { '{$request.body#/url}': { post: OK } } } } },
			'/pdf': { get: { responses: { 200: { description: 'OK', content: { 'application/pdf': {} } } } } },
			'/a/../b': { get: OK },
			'/v1/voip/dss/gtw/{id}': {
				get: { parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }], ...OK },
			},
			'/auth/login': { post: { security: [], ...body(object({ a: { type: 'string' } })), ...OK } },
		}),
	);
	const [form, file, list, either, optional, header, cookie, ...others] = made;
	expect([form, file, list]).toEqual([
		'its body is "application/x-www-form-urlencoded", and the node sends JSON',
		'its body is "multipart/form-data", and the node sends JSON',
		'its body is not an object with known properties',
	]);
	expect([either, header]).toEqual([
		'a required parameter is not supported: "a" has no type that a field can have',
		'a required parameter is not supported: X-Account is sent in a header',
	]);
	expect([optional, cookie].map((each) => (each as Made).leftOut)).toEqual([
		['"a" has no type that a field can have'],
		['sid is sent in a cookie'],
	]);
	expect(others).toEqual([
		'it uses callbacks, which are not supported',
		'its response is "application/pdf", and the node reads JSON',
		'its path can\'t be used: "/a/../b"',
		'it is there already',
		'it is the login, which the credential does',
	]);
});

test('Swagger 2 and OpenAPI 3.1 in YAML are read as OpenAPI 3.0 in JSON is', async () => {
	const swagger = {
		swagger: '2.0',
		info: { title: 'Provider', version: '1' },
		basePath: '/v3',
		paths: {
			'/trunks/{id}': {
				get: {
					parameters: [{ name: 'id', in: 'path', required: true, type: 'integer' }],
					produces: ['application/json'],
					responses: { 200: { description: 'OK', schema: object({ id: { type: 'integer' } }) } },
				},
			},
		},
	};
	const [old] = await draftsOf(swagger);
	expect(old).toMatchObject({ url: '/v3/trunks/{id}', resource: { name: 'Trunk' }, operation: { name: 'Get' } });
	const yaml = readFileSync(path.join(ROOT, 'sandbox/openapi.yaml'), 'utf8');
	expect((await draftsOf(yaml, String)).filter((each) => each !== 'it is there already')).toEqual([
		'it is the login, which the credential does',
	]);
});

describe('a hostile document', () => {
	const evil = '"; process.exit(7); //`${process.exit(7)}`*/ ={{ $env }} <b>x</b>';

	test('writes only files of its operation, and its words stay words', async () => {
		const files = (await ask(
			'filesOfFirst',
			documentOf({
				'/x/{toString}': {
					post: {
						operationId: evil,
						tags: [`../../${evil}`],
						summary: evil,
						description: evil,
						parameters: [
							{
								name: 'toString',
								in: 'path',
								required: true,
								description: evil,
								schema: { type: 'string', example: evil },
							},
						],
						...body(
							object(
								{
									constructor: { type: 'string', description: evil },
									[evil]: { type: 'string', enum: [evil, 'b'] },
									delete: { type: 'integer' },
								},
								['delete'],
							),
						),
						...OK,
					},
				},
			}),
		)) as Record<string, string>;
		const names = Object.keys(files);
		expect(names[0]).toMatch(/^nodes\/VoiceAdmin\/operations\/\w+\/\w+\.ts$/);
		for (const name of names)
			expect(name).toMatch(
				/^(nodes\/VoiceAdmin\/(operations|parameters|__schema__\/v1\.0\.0)\/[\w/]+\.(ts|json)|sandbox\/openapi\.yaml)$/,
			);
		const [own = ''] = names;
		// Outside of texts and templates there is no call but those of parsers and String.
		const code = files[own]!.replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, "''").replace(/\/\*.*?\*\//gs, '');
		expect([...new Set([...code.matchAll(/\b(\w+)\(/g)].map(([, called]) => called))].sort()).toEqual([
			'String',
			'numberWithin',
			'oneOf',
		]);
		expect(files[own]).not.toMatch(/: ['"]=/);
		expect(code).toContain('sent.toString');
		expect(files[own]).toContain("name: 'constructor'");
	});

	test.each([
		[
			'a reference to itself',
			documentOf(
				{ '/x': { post: { ...body({ $ref: '#/components/schemas/Node' }), ...OK } } },
				{
					components: {
						schemas: { Node: object({ name: { type: 'string' }, next: { $ref: '#/components/schemas/Node' } }) },
					},
				},
			),
		],
		[
			'the name __proto__',
			documentOf({
				'/x': {
					post: {
						...body(JSON.parse('{"type":"object","properties":{"name":{"type":"string"},"__proto__":{"type":"string"}}}') as object),
						...OK,
					},
				},
			}),
		],
		[
			'ten megabytes of description',
			documentOf({
				'/x': {
					post: {
						description: 'a <b '.repeat(2_000_000),
						...body(object({ name: { type: 'string', description: '[a]('.repeat(100_000) } })),
						...OK,
					},
				},
			}),
		],
	])('with %s gives an operation', async (_, document) => {
		const [made] = await draftsOf(document);
		expect(made).toMatchObject({ operation: { name: 'Create' } });
	});

	test.each([
		[
			'a file of this machine',
			documentOf({ '/x': { post: { ...body({ $ref: 'file:///etc/hostname' }), ...OK } } }),
			/refers to another file/,
		],
		[
			'a bomb of aliases',
			`openapi: 3.0.0\na: &a [x, x, x, x, x, x, x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a]\nc: &c [${'*b, '.repeat(200)}]\nd: [${'*c, '.repeat(200)}]\n`,
			/can't be used as an OpenAPI document/,
		],
		['no document', 'hello', /can't be used as an OpenAPI document/],
		[
			'a missing part',
			documentOf({ '/x': { post: { ...body({ $ref: '#/components/schemas/Nothing' }), ...OK } } }),
			/can't be used as an OpenAPI document/,
		],
	])('with %s is refused', async (_, document, reason) => {
		const refused = await draftsOf(document, typeof document === 'string' ? String : JSON.stringify);
		expect([refused].flat().map(String).join()).toMatch(reason);
	});
});

/** What a person decided of the operations of today, and the sandbox's document does not say. */
const DECIDED = [
	// Words, and what names a request.
	'option.name',
	'option.value',
	'option.action',
	'option.description',
	'toolDescription',
	'notice',
	'label',
	'creates',
	// The second path of a gateway; the list of countries, with a request for each; the two ways to enter other fields.
	'option.routing.request.url',
	'fields.organizationId',
	'fields.iso',
	'fields.specifyOtherFields',
	'fields.otherFields',
	'fields.otherFieldsList',
	'fields.additionalFields',
	'fields.vatNumber',
	'options',
	'finalize',
];
const WORDS = /^fields\.\w+\.(?:displayName|description|placeholder)$/;

describe('a document that is odd', () => {
	const post = (schema: object, more: object = {}) => documentOf({ '/x': { post: { ...body(schema), ...OK, ...more } } });
	const secondOf = async (document: unknown) => {
		const files = (await ask('filesOfFirst', document)) as Record<string, string>;
		return typeof files === 'string' ? files : Object.values(files)[0]!;
	};

	test.each<[string, unknown, RegExp]>([
		[
			'values that n8n would evaluate',
			post(object({ a: { type: 'string', enum: ['={{ $env.A }}'] } }, ['a'])),
			/^a required parameter is not supported: "a"/,
		],
		[
			'bounds that contradict each other',
			post(object({ a: { type: 'integer', minimum: 5, maximum: 1 } }, ['a'])),
			/^a required parameter is not supported: "a"/,
		],
		[
			'what is required beside a reference',
			post({ allOf: [object({ a: { type: 'string' } }), { required: ['a'] }] }),
			/name: 'a',\s+type: 'string',\s+required: true/,
		],
		['a password', post(object({ password: { type: 'string' } }, ['password'])), /creates: \(\) => 'x',/],
		[
			'values with the same label',
			post(object({ sort: { type: 'string', enum: ['name', '-name'] } }, ['sort'])),
			/\{ name: '-name', value: '-name' \}/,
		],
		['values that look like parsers', post(object({ a: { type: 'string', enum: ['x, dateTime(y)'] } })), /^import \{ oneOf \} from/],
		['a line separator in a value', post(object({ a: { type: 'string', enum: ['x\u2028y'] } })), /parse: oneOf\(/],
		['a name that is a parser', post(object({ a: { type: 'string' } }), { operationId: 'text' }), /export const textX: Operation/],
		[
			'a GET that sends',
			documentOf({ '/sms': { get: { operationId: 'sendSms', summary: 'Send an SMS', ...OK } } }),
			/creates: .*\n.*Use only the details/,
		],
		[
			'another server for a path',
			documentOf({ '/x': { servers: [{ url: 'https://a.example/v9' }], post: { ...body(object({ a: { type: 'string' } })), ...OK } } }),
			/url: '\/v9\/x'/,
		],
		[
			'merge patch',
			documentOf({ '/x': { patch: { ...body(object({ a: { type: 'string' } }), 'application/merge-patch+json'), ...OK } } }),
			/^its body is/,
		],
		[
			'only a default response',
			documentOf({ '/x': { post: { ...body(object({ a: { type: 'string' } })), responses: { default: OK.responses[200] } } } }),
			/creates/,
		],
	])('because of %s', async (_, document, expected) => {
		expect(await secondOf(document)).toMatch(expected);
	});

	test('in one operation leaves the others alone', async () => {
		const paths = { '/x': { post: { ...body({ type: 'object', properties: { a: { enum: {} } } }), ...OK } }, '/y': { get: OK } };
		const [bad, good] = await draftsOf({ ...documentOf(paths), openapi: '3.1.0' });
		expect([bad, typeof good]).toEqual(['its description is not valid OpenAPI', 'object']);
	});

	test('with a thousand references to itself is read in seconds', async () => {
		const properties = Object.fromEntries(
			Array.from({ length: 1000 }, (__, index) => [`p${index}`, { $ref: '#/components/schemas/Node' }]),
		);
		const [made] = await draftsOf(
			documentOf(
				{ '/x': { post: { ...body({ $ref: '#/components/schemas/Node' }), ...OK } } },
				{ components: { schemas: { Node: object(properties) } } },
			),
		);
		expect(made).toMatchObject({ operation: { name: 'Create' } });
	});
});

test("the operations of today, made of the sandbox's document, differ by what a person decided", async () => {
	const document = readFileSync(path.join(ROOT, 'sandbox/openapi.yaml'), 'utf8');
	type Compared = Array<{ id: string; same: string[]; other: string[] }>;
	const compared = (await ask('comparedWithToday', document, String)) as Compared;
	expect(compared.map(({ id }) => id)).toEqual(['setPremium', 'getGateway', 'addCustomer']);
	const isDecided = (name: string) => WORDS.test(name) || DECIDED.some((each) => name === each || name.startsWith(`${each}.`));
	expect(compared.map(({ other }) => other.filter((name) => !isDecided(name)))).toEqual([[], [], []]);
	const field = (name: string, ...more: string[]) =>
		['name', 'type', 'required', 'default', 'parse', ...more].map((property) => `fields.${name}.${property}`);
	const [setPremium, getGateway, addCustomer] = compared.map(({ same }) => same);
	const optional = ['name', 'type', 'default', 'routing.send.property', 'parse'].map(
		(property) => `fields.additionalFields.options.sbcId.${property}`,
	);
	expect(setPremium).toEqual(expect.arrayContaining(['option.name', 'option.routing.request.url', ...field('idTrunk'), ...optional]));
	expect(getGateway).toEqual(expect.arrayContaining(['option.name', 'option.action', ...field('gatewayId', 'pathSegment')]));
	expect(addCustomer).toEqual(expect.arrayContaining(['option.routing.request.url', 'option.routing.request.method']));
});

describe('npm run operation', () => {
	test('lists the operations of a document, and prints what it would write of one', async () => {
		const document = documentOf({
			'/trunks/{id}': {
				get: {
					operationId: 'getTrunk',
					parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
					...OK,
				},
			},
		});
		await inTemporaryFolder(async (folder) => {
			const file = path.join(folder, 'provider.json');
			await writeFile(file, JSON.stringify(document));
			expect(await runScript('operation', [file])).toEqual({
				code: 0,
				output: 'getTrunk\n  GET /trunks/{id}\n  → Trunk: Get\n',
			});
			const { code, output } = await runScript('operation', [file, 'getTrunk', '--dry-run', '--resource', 'VoIP DSS Trunk']);
			expect([code, output.match(/^==> .*/gm)]).toEqual([
				0,
				['dssTrunk/get.ts', 'index.ts']
					.map((name) => `==> nodes/VoiceAdmin/operations/${name}`)
					.concat('==> nodes/VoiceAdmin/__schema__/v1.0.0/dssTrunk/get.json', '==> sandbox/openapi.yaml'),
			]);
			expect(output).toContain('operations: [getDssTrunk, setPremium]');
		});
	});

	test.each([
		[[], 'Give a document'],
		[['sandbox/openapi.yaml', 'nothing'], 'The document has no operation nothing'],
		[['sandbox/openapi.yaml', 'addCustomer'], "addCustomer can't be an operation of the node: it is there already"],
		[['package.json'], "can't be used as an OpenAPI document"],
	])('%j says what is wrong', async (args, sentence) => {
		const { code, output } = await runScript('operation', args);
		expect([code, output]).toEqual([1, expect.stringContaining(sentence)]);
	});
});
