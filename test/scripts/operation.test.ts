import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import { jsonArray, requiredJsonObject } from '../../scripts/operation/parsers/jsonObject';
import { date, dateTime, listOf, numberWithin, oneOf } from '../../scripts/operation/parsers/scalars';
import { text } from '../../nodes/VoiceAdmin/parameters/scalars';
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

/** What the operations of a document become: drafts, or the reasons why there is none. */
async function draftsOf(document: unknown, format = JSON.stringify): Promise<Array<Made | string>> {
	return await inTemporaryFolder(async (folder) => {
		const file = path.join(folder, 'provider.yaml');
		await writeFile(file, format(document));
		const drafts = `module.draftsOf(await (await import('${ROOT}/scripts/operation/document.mts')).operationsIn('${file}'))`;
		// Without the document, which may contain itself.
		return (await evaluate(
			'operation/draft.mts',
			`${drafts}.map((each) => typeof each === 'string' ? each : { ...each, found: 0, sent: 0, response: 0 })`,
		)) as Made[];
	});
}

/** The files of an operation that is made of a document's first one, by path. */
async function filesOf(document: unknown): Promise<Record<string, string>> {
	return await inTemporaryFolder(async (folder) => {
		const file = path.join(folder, 'provider.json');
		await writeFile(file, JSON.stringify(document));
		const draft = `(await import('${ROOT}/scripts/operation/draft.mts')).draftsOf(await (await import('${ROOT}/scripts/operation/document.mts')).operationsIn('${file}'))[0]`;
		return (await evaluate('operation/files.mts', `Object.fromEntries(await module.filesOf(${draft}))`)) as Record<
			string,
			string
		>;
	});
}

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
		'FQDN: Get (Get a FQDN)',
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
		'its body is application/x-www-form-urlencoded, and the node sends JSON',
		'its body is multipart/form-data, and the node sends JSON',
		'its body is not an object with known properties',
	]);
	expect([either, header]).toEqual([
		'it requires a value that no field can send: "a" may have several types',
		'it requires a value that no field can send: X-Account is sent in a header',
	]);
	expect([optional, cookie].map((each) => (each as Made).leftOut)).toEqual([
		['"a" may have several types'],
		['sid is sent in a cookie'],
	]);
	expect(others).toEqual([
		'the service would call back',
		'its response is application/pdf, and the node reads JSON',
		'its path can\'t be used: "/a/../b"',
		'it is there already',
		'the credential logs in',
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
		'the credential logs in',
	]);
});

describe('a hostile document', () => {
	const evil = '"; process.exit(7); //`${process.exit(7)}`*/ ={{ $env }} <b>x</b>';

	test('writes only files of its operation, and its words stay words', async () => {
		const files = await filesOf(
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
		);
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
			'oneOf',
		]);
		expect(files[own]).not.toMatch(/: ['"]=/);
		expect(code).toContain('sent.constructor');
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
						...body(
							JSON.parse(
								'{"type":"object","properties":{"name":{"type":"string"},"__proto__":{"type":"string"}}}',
							) as object,
						),
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
			/can't be used|not an object/,
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

test("the operations of today, made of the sandbox's document, differ from what stands there by what a person decided", async () => {
	const program = `(async () => {
		const { operationsIn } = await import('${ROOT}/scripts/operation/document.mts');
		const { draftsOf } = await import('${ROOT}/scripts/operation/draft.mts');
		const index = await import('${ROOT}/nodes/VoiceAdmin/operations/index.ts');
		const { RESOURCES } = index.default ?? index;
		const flat = (value, at = '') => typeof value === 'object' && value !== null && !value.text ? Object.entries(value).flatMap(([name, each]) => flat(each, Array.isArray(value) && each.name ? at + '.' + each.name : at + '.' + name)) : [[at.slice(1), typeof value === 'function' ? value.name : value?.text ?? value]];
		const present = RESOURCES.flatMap(({ operations }) => operations);
		const drafts = draftsOf(await operationsIn('${ROOT}/sandbox/openapi.yaml'), { again: true }).filter((each) => each.url);
		return drafts.flatMap((draft) => {
			const made = Object.fromEntries(flat(module.definitionOf(draft)));
			const { method } = draft.found;
			const same = present.find(({ option: { routing: { request } } }) => request.method === method && request.url.replace('{/organizationId}', '') === draft.url);
			if (!same) return [];
			const there = Object.fromEntries(flat(same));
			return [{ id: draft.found.id, same: Object.keys(made).filter((name) => made[name] === there[name]), other: Object.keys({ ...made, ...there }).filter((name) => made[name] !== there[name]) }];
		});
	})()`;
	const compared = (await evaluate('operation/files.mts', program)) as Array<{
		id: string;
		same: string[];
		other: string[];
	}>;
	expect(compared).toEqual(expect.any(Array));
	expect(compared.map(({ id }) => id)).toEqual(['setPremium', 'getGateway', 'addCustomer']);
	const [setPremium, getGateway, addCustomer] = compared;
	const field = (name: string, ...more: string[]) =>
		['name', 'type', 'required', 'default', 'parse', ...more].map((property) => `fields.${name}.${property}`);
	expect(setPremium!.same).toEqual(
		expect.arrayContaining([
			'option.name',
			'option.value',
			'option.routing.request.url',
			...field('idTrunk', 'routing.send.property'),
		]),
	);
	expect(getGateway!.same).toEqual(
		expect.arrayContaining([
			'option.name',
			'option.value',
			'option.action',
			...field('gatewayId', 'displayName', 'pathSegment'),
		]),
	);
	expect(addCustomer!.same).toEqual(
		expect.arrayContaining(['option.routing.request.url', 'option.routing.request.method']),
	);
	// Words, and what the document does not say: the country list and a request for each country, the second path, Other Fields.
	const decided =
		/^(?:option\.(?:name|value|description|action|routing\.request\.url)|label|creates|toolDescription|notice\.|finalize|options\.|fields\.\w+(?:\.options\.\w+)?\.(?:description|placeholder|hint|displayName|parse)$|fields\.(?:iso|organizationId|specifyOtherFields|otherFields|otherFieldsList|additionalFields\.options\.(?:sbcId|pIva|piva)|vatNumber\.\w+|additionalFields)\b)/;
	expect(
		compared.flatMap(({ id, other }) => other.filter((name) => !decided.test(name)).map((name) => `${id}: ${name}`)),
	).toEqual([]);
});

describe('a parser that comes with the first operation that needs it', () => {
	const result = (parse: (parameter: string, given: unknown) => unknown, given: unknown) => {
		try {
			return parse('Field', given);
		} catch (error) {
			return (error as Error).message;
		}
	};

	test.each<[string, (parameter: string, given: unknown) => unknown, Array<[unknown, unknown]>]>([
		[
			'number',
			numberWithin({ min: -1, max: 2.5 }),
			[
				[2.5, 2.5],
				['-0.5', -0.5],
				[3, expect.stringContaining('Enter a number of at least -1 and at most 2.5')],
				['1e1', expect.stringContaining('is not valid')],
				[NaN, expect.any(String)],
			],
		],
		[
			'whole number',
			numberWithin({ min: -5, whole: true }),
			[
				['-5', -5],
				[1.5, expect.stringContaining('Enter a whole number of at least -5')],
				[2 ** 53, expect.any(String)],
			],
		],
		[
			'listed value',
			oneOf('mobile', 2),
			[
				['mobile', 'mobile'],
				[' mobile ', 'mobile'],
				['2', 2],
				['Mobile', expect.stringContaining('Enter one of: mobile, 2')],
				[null, expect.stringContaining('is required')],
			],
		],
		[
			'date',
			date,
			[
				['2026-01-31', '2026-01-31'],
				['2026-01-31T10:00:00', '2026-01-31'],
				[new Date('2026-01-31T10:00:00Z'), '2026-01-31'],
				['2026-02-30', expect.stringContaining('is not valid')],
				['31/01/2026', expect.stringContaining('e.g. 2026-01-31')],
			],
		],
		[
			'date and time',
			dateTime,
			[
				['2026-01-31T09:30:00+01:00', '2026-01-31T09:30:00+01:00'],
				[new Date(0), '1970-01-01T00:00:00.000Z'],
				['2026-01-31T09:30:00', expect.stringContaining('with its time zone')],
			],
		],
		[
			'list',
			listOf(text),
			[
				['a, b,', ['a', 'b']],
				[
					['a', 1],
					['a', '1'],
				],
				['["a, b"]', ['a, b']],
				['', expect.stringContaining('is required')],
				['[', expect.stringContaining('is not valid')],
				[[{}], expect.stringContaining('Enter text')],
			],
		],
		[
			'JSON list',
			jsonArray,
			[
				['[{"a":1}]', [{ a: 1 }]],
				[[1], [1]],
				['[1],"x":2', expect.stringContaining('Enter a JSON list')],
				['{}', expect.any(String)],
				['[12345678901234567890]', expect.stringContaining('too long')],
			],
		],
		[
			'JSON object',
			requiredJsonObject,
			[
				['{"a":1}', { a: 1 }],
				['', expect.stringContaining('is required')],
			],
		],
	])('%s', (_, parse, rows) => {
		expect(rows.map(([given]) => result(parse, given))).toEqual(rows.map(([, expected]) => expected));
	});
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
			const { code, output } = await runScript('operation', [
				file,
				'getTrunk',
				'--dry-run',
				'--resource',
				'VoIP DSS Trunk',
			]);
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
