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
const object = (properties: object, required?: string[]) => ({
	type: 'object',
	properties,
	...(required && { required }),
});
const answer = (schema: object, type = 'application/json') => ({ description: 'OK', content: { [type]: { schema } } });
const OK = { responses: { 200: answer(object({ id: { type: 'integer' } })) } };
const LIST = { responses: { 200: answer({ type: 'array', items: object({ id: { type: 'string' } }) }) } };
const text = { type: 'string' };
const body = (schema: object, type = 'application/json') => ({
	requestBody: { content: { [type]: { schema } } },
	...OK,
});
const inPath = (name: string, schema: object = text) => ({
	parameters: [{ name, in: 'path', required: true, schema }],
});
/** With one operation, which sends a body. */
const post = (schema: object, more: object = {}) => documentOf({ '/x': { post: { ...body(schema), ...more } } });

interface Result {
	made: Array<{ resource: { name: string }; operation: { name: string }; action: string; leftOut: string[] } | string>;
	files: Record<string, string>;
}

/** What becomes of documents, all in one process. */
async function madeOfAll(documents: unknown[], force = false): Promise<Result[]> {
	return await inTemporaryFolder(async (folder) => {
		const files = documents.map((_, index) => path.join(folder, `${index}.yaml`));
		const textOf = (document: unknown) => (typeof document === 'string' ? document : JSON.stringify(document));
		await Promise.all(files.map(async (file, index) => await writeFile(file, textOf(documents[index]))));
		const asked = `Promise.all(${JSON.stringify(files)}.map((file) => module.madeOf(file, ${force})))`;
		return (await evaluate('../test/scripts/operationModule.mts', asked)) as Result[];
	});
}

const madeOf = async (document: unknown, force?: boolean) => (await madeOfAll([document], force))[0]!;

test("operations are named by n8n's rules: from method, tag and operationId, or from the path", async () => {
	const tags = ['SIP Examples'];
	const id = inPath('trunk_id', { type: 'integer' });
	const { made } = await madeOf(
		documentOf({
			'/v2/sip_examples': {
				get: { operationId: 'listSipExamples', tags, ...LIST },
				post: { operationId: 'createSIPExample', tags, ...body(object({ name: text })) },
			},
			'/v2/sip_examples/{trunk_id}/update': {
				post: { operationId: 'updateSipExample', tags, ...id, ...body(object({ name: text })) },
			},
			'/v2/sip_examples/{trunk_id}': {
				get: { operationId: 'getSipExample', tags, ...id, ...OK },
				delete: { operationId: 'delete_sip_example', tags, ...id, responses: { 204: { description: 'Done' } } },
			},
			'/v2/sip_examples/{trunk_id}/calls': { get: { tags, ...id, ...LIST } },
			'/v2/sip_examples/{trunk_id}/payments': { delete: { operationId: 'deletePayment', tags, ...id, ...OK } },
			'/v2/fqdns/{id}': { get: { ...inPath('id'), ...OK } },
			'/v2/sip_examples/{trunk_id}/restart': {
				post: { operationId: 'sip/force-restart-sip-example', tags: ['SampleV2Example'], ...id, ...OK },
			},
			'/v2/customers': { post: { operationId: 'createCustomer', ...body(object({ name: text })) } },
			'/v2/cancels': {
				post: {
					operationId: 'postCancels',
					tags: ['Change'],
					summary: 'Cancel a payment',
					...body(object({ name: text })),
				},
			},
			'/v2/payments/{reference}/cancels': {
				post: {
					operationId: 'post-payments-reference-cancels',
					tags: ['Change'],
					summary: 'Cancel a payment',
					...inPath('reference'),
					...OK,
				},
			},
			'/v2/mail': { get: { operationId: 'getMailSettings', tags: ['Settings - Mail'], ...OK } },
		}),
	);
	expect(
		made.map((each) =>
			typeof each === 'string' ? each : `${each.resource.name}: ${each.operation.name} (${each.action})`,
		),
	).toEqual([
		'SIP Example: Get Many (Get many SIP examples)',
		'SIP Example: Create (Create a SIP example)',
		'SIP Example: Update (Update a SIP example)',
		'SIP Example: Get (Get a SIP example)',
		'SIP Example: Delete (Delete a SIP example)',
		'SIP Example: Get Calls (Get calls)',
		'SIP Example: Delete Payment (Delete payment)',
		'FQDN: Get (Get an FQDN)',
		'Example: Force Restart SIP Example (Force restart SIP example)',
		// "Create" is there already.
		'Customer: Create Customer (Create customer)',
		'Change: Cancel Payment (Cancel a payment)',
		'Change: Cancel Payment by Reference (Cancel payment by reference)',
		'Mail Setting: Get Many (Get many mail settings)',
	]);
});

test('what no operation of the node can be is refused, or left out where it is optional, with its reason', async () => {
	const any = { oneOf: [{ type: 'boolean' }, { type: 'object' }] };
	const sent = (place: string, required: boolean) => ({
		get: { parameters: [{ name: 'sid', in: place, required, schema: text }], ...OK },
	});
	const twoIds = { parameters: [...inPath('id').parameters, ...inPath('part').parameters] };
	const rows: Array<[string, object, unknown]> = [
		[
			'/form',
			{ post: body(object({ a: text }), 'multipart/form-data') },
			'its body is "multipart/form-data", but the node sends JSON',
		],
		[
			'/patch',
			{ patch: body(object({ a: text }), 'application/merge-patch+json') },
			expect.stringMatching(/^its body is/),
		],
		['/list', { post: body({ type: 'array', items: text }) }, 'its body is not an object with known properties'],
		[
			'/either',
			{ post: body(object({ a: any }, ['a'])) },
			'a required parameter is not supported: "a" has an unsupported type',
		],
		['/optional', { post: body(object({ a: any, b: text })) }, ['"a" has an unsupported type']],
		['/header', sent('header', true), 'a required parameter is not supported: sid is sent in a header'],
		[
			'/trace',
			{ get: { parameters: [{ name: 'X-Trace', in: 'header', schema: text }], ...OK } },
			['X-Trace is sent in a header'],
		],
		['/accept', { get: { parameters: [{ name: 'Accept', in: 'header', required: true, schema: text }], ...OK } }, []],
		['/cookie', sent('cookie', false), ['sid is sent in a cookie']],
		[
			'/twice/{id}',
			{ put: { ...inPath('id'), ...body(object({ id: text })) } },
			['"id" would have the name of another parameter'],
		],
		['/nothing', { post: OK }, 'its document does not describe what it sends'],
		['/call/{id}', { post: { ...inPath('id'), ...OK, callbacks: { done: { '{$url}': { post: OK } } } } }, []],
		[
			'/pdf',
			{ get: { responses: { 200: answer({}, 'application/pdf') } } },
			'its response is "application/pdf", but the node reads JSON',
		],
		[
			'/file',
			{ get: { responses: { 200: answer({ ...text, format: 'binary' }, '*/*') } } },
			'its response is a file, but the node reads JSON',
		],
		['/ping', { get: { responses: { 204: { description: 'Done' } } } }, 'its response has no body to output'],
		['/a/../b', { get: OK }, 'its path can\'t be used: "/a/../b"'],
		['/v1/voip/dss/gtw/{id}', { get: { ...inPath('id'), ...OK } }, 'it exists already'],
		['/v1/voip/dss/gtw/{id}/{part}', { get: { ...twoIds, ...OK } }, 'it exists already'],
		['/old', { get: { deprecated: true, ...OK } }, 'it is deprecated: add --deprecated to accept it'],
		['/older', { get: { summary: 'DeprecatedGetThings', ...OK } }, 'it is deprecated: add --deprecated to accept it'],
		[
			'/auth/login',
			{ post: { security: [], ...body(object({ a: text })) } },
			'it is the login, which the credential does',
		],
	];
	const { made } = await madeOf(documentOf(Object.fromEntries(rows)));
	expect(made.map((each) => (typeof each === 'string' ? each : each.leftOut))).toEqual(
		rows.map(([, , reason]) => reason),
	);
});

test('a document that is hostile writes only files of its operation, and its words stay words', async () => {
	const evil = '"; process.exit(7); //`${process.exit(7)}`*/ ={{ $env }} <b>x</b>';
	const parameter = {
		name: 'toString',
		in: 'path',
		required: true,
		description: evil,
		schema: { ...text, example: evil },
	};
	const properties = {
		constructor: { ...text, description: evil },
		[evil.replaceAll('.', ' ')]: { ...text, enum: [evil, 'b'] },
		delete: { type: 'integer' },
	};
	const words = { operationId: evil, tags: [`../../${evil}`], summary: evil, description: evil };
	const { files } = await madeOf(
		documentOf({
			'/x/{toString}': {
				post: { ...words, parameters: [parameter], ...body(object(properties, ['delete', 'constructor'])) },
			},
		}),
	);
	const [own = '', ...others] = Object.keys(files);
	expect(own).toMatch(/^nodes\/VoiceAdmin\/operations\/\w+\/\w+\.ts$/);
	const allowed =
		/^(nodes\/VoiceAdmin\/(operations|parameters|__schema__\/v1\.0\.0)\/[\w/]+\.(ts|json)|sandbox\/(openapi|paths\/\w+)\.yaml)$/;
	expect(others.filter((name) => !allowed.test(name))).toEqual([]);
	// Outside of texts and templates there is no call but those of parsers and String.
	const code = files[own]!.replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, "''").replace(/\/\*.*?\*\//gs, '');
	expect([...new Set(code.match(/\b\w+(?=\()/g))].sort()).toEqual(['numberWithin', 'oneOf']);
	expect(files[own]).not.toMatch(/: ['"]=/);
	expect(files[own]).toContain("name: 'constructor'");
	// A label is a template with the parameter's name, and calls String.
	const put = await madeOf(
		documentOf({ '/x/{toString}': { put: { ...words, parameters: [parameter], ...body(object({ a: text })) } } }),
	);
	const [label = ''] = /label: .*/.exec(Object.values(put.files)[0]!) ?? [];
	expect([...new Set(label.match(/\b\w+(?=\()/g))]).toEqual(['String']);
	expect(label).toContain('sent.toString');
});

describe('a document that is odd', () => {
	const a = (schema: object) => object({ a: schema }, ['a']);
	const node = { $ref: '#/components/schemas/Node' };
	const components = (properties: object) => ({ components: { schemas: { Node: object(properties) } } });
	const proto = JSON.parse(
		'{"type":"object","properties":{"name":{"type":"string"},"__proto__":{"type":"string"}}}',
	) as object;
	const aliases = `a: &a [${'x, '.repeat(8)}]\nb: &b [${'*a, '.repeat(8)}]\nc: &c [${'*b, '.repeat(200)}]\nd: [${'*c, '.repeat(200)}]\n`;
	const swaggerGet = {
		parameters: [{ name: 'id', in: 'path', required: true, type: 'integer' }],
		...{
			produces: ['application/json'],
			responses: { 200: { description: 'OK', schema: object({ id: { type: 'integer' } }) } },
		},
	};
	const swagger = {
		...documentOf({ '/x/{id}': { get: swaggerGet } }),
		openapi: undefined,
		swagger: '2.0',
		basePath: '/v3',
	};
	const server = { servers: [{ url: 'https://a.example/v9' }], post: body(a(text)) };
	const many = { type: 'array', items: object({ id: text }) };
	const listOf = (properties: object, ...parameters: Array<[name: string, schema: object]>) =>
		documentOf({
			'/calls': {
				get: {
					parameters: parameters.map(([name, schema]) => ({ name, in: 'query', schema })),
					responses: { 200: answer(object(properties)) },
				},
			},
		});
	const unsupported = /^a required parameter is not supported: "a"/;
	const invalid = /can't be used as an OpenAPI document/;
	const cases: Array<[string, unknown, RegExp]> = [
		['Swagger 2', swagger, /url: '\/v3\/x\/\{id\}'/],
		[
			'a reference to itself',
			documentOf({ '/x': { post: body(node) } }, components({ name: text, next: node })),
			/parse: jsonObject/,
		],
		['the name __proto__', post(proto), /^(?![^]*__proto__)[^]*name: 'name'/],
		['a reference to a file of this machine', post({ $ref: 'file:///etc/hostname' }), /refers to another file/],
		['a bomb of aliases', aliases, invalid],
		['no text', '', /it is empty, or not an object/],
		['control characters in a value', post(a({ ...text, enum: ['\u009b31m'] })), unsupported],
		[
			'control characters in a name',
			documentOf({
				'/x': { get: { parameters: [{ name: 'a\u009b31m', in: 'cookie', required: true, schema: text }], ...OK } },
			}),
			/: a\?31m is sent in a cookie/,
		],
		['a reference in an example', post({ ...a(text), example: { $ref: 'other.yaml' } }), /parse: text/],
		[
			'a switch with a sentence',
			post(a({ type: 'boolean', description: 'Indicates whether to notify' })),
			/'Whether to notify'/,
		],
		[
			'a switch that a sentence describes',
			post(a({ type: 'boolean', description: 'If set to true, shows only open calls.' })),
			/'Whether to show only open calls'/,
		],
		[
			'a switch that its name describes',
			post(object({ includeTotals: { type: 'boolean' } })),
			/'Whether to include totals'/,
		],
		[
			'lines of a description',
			post(a({ ...text, description: '<b>Format: </b>Up to 12 N<br><b>Description: </b>ID of the caller. Or none.' })),
			/description: 'ID of the caller'/,
		],
		['a description without words', post(a({ ...text, description: '~' })), /^(?![^]*~)[^]*name: 'a'/],
		[
			'a description that says little more than its label',
			post(object({ from_number: { ...text, description: 'The from number' } })),
			/placeholder: 'e\.g\. \+39\d+',\s*routing/,
		],
		[
			'an example in a sentence',
			post(a({ ...text, description: 'A phone number. For example, 12132000384' })),
			/'e\.g\. 12132000384'/,
		],
		[
			'a note before the sentence that describes',
			post(a({ ...text, description: '**Note:** Only for resellers.\n\nThe batch.' })),
			/description: 'The batch'/,
		],
		[
			'a value for the provider alone',
			post(object({ a: text, b: { ...text, description: '<b>INTERNAL USE ONLY</b>' } }, ['a'])),
			/^(?![^]*name: 'b')[^]*name: 'a'/,
		],
		[
			'words that are written as one, or in capitals',
			post(object({ messageid: text, fbo_account: { ...text, description: 'Account for FBO' } })),
			/'FBO Account'[^]*'Message ID'/,
		],
		[
			'an id with a controller before the verb',
			documentOf({ '/x': { post: { operationId: 'Order_CreateLine', ...body(a(text)) } } }),
			/name: 'Create Line'/,
		],
		[
			'a POST without an id that reads',
			documentOf({ '/messages': { post: { summary: 'Retrieve messages', ...body(a(text)) } } }),
			/^(?![^]*(?:creates|cost money))[^]*action: 'Retrieve messages'/,
		],
		[
			'a POST with an amount',
			documentOf({ '/x': { post: { operationId: 'force', ...body(object({ amt_tran: { type: 'number' } })) } } }),
			/'force request'[^]*may cost money/,
		],
		[
			'a required object with an ID',
			post(object({ a: object({ id: text, of: text }, ['id']), b: text }, ['a'])),
			/'e\.g\. \{"of":"Example"\}'/,
		],
		[
			'kinds of objects that a value tells apart',
			post({ oneOf: [a({ ...text, enum: ['card'] }), a({ ...text, enum: ['debit'] })] }),
			/'card'[^]*'debit'/,
		],
		[
			'a POST that may be billed again',
			documentOf({ '/x': { post: { operationId: 'enablePremium', ...body(object({ a: text })) } } }),
			/creates: /,
		],
		[
			'a POST that only changes',
			documentOf({ '/x': { post: { operationId: 'updateNote', ...body(object({ a: text })) } } }),
			/^(?![^]*creates: )[^]*name: 'Update/,
		],
		['several kinds of objects', post({ oneOf: [a(text), object({ b: text })] }), /property: 'b'/],
		['values that n8n would evaluate', post(a({ ...text, enum: ['={{ $env.A }}'] })), unsupported],
		['a line separator in a value', post(a({ ...text, enum: ['x\u2028y'] })), /parse: oneOf\(/],
		[
			'an object around an object',
			post(object({ a: object({ name: text, id: { ...text, readOnly: true } }, ['name']) }, ['a'])),
			/creates: \(\) => 'x',[^]*type: 'json',[^]*'e\.g\. \{"name":"Example"\}',[^]*property: 'a' \} \},\s*parse: jsonObject,/,
		],
		['a name with a dot in a body', post(object({ 'a.b': text }, ['a.b'])), /property: 'a\.b'/],
		[
			'pages of a list',
			listOf({ calls: many, next: text }, ['limit', { type: 'integer', maximum: 20 }], ['page', { type: 'integer' }]),
			/property: 'limit' \} \},\s*parse: numberWithin\(\{ max: 20, whole: true \}\)[^]*'page' \} \},\s*parse: numberWithin\(\{ whole/,
		],
		[
			'an id that begins with the resource',
			documentOf({ '/calls/{id}/hold': { post: { operationId: 'callHold', ...inPath('id'), ...OK } } }),
			/^(?![^]*creates: )[^]*name: 'Hold Call'/,
		],
		[
			'an id with a method and without a verb',
			documentOf({
				'/plans': {
					put: { operationId: 'PUT_RatePlanCode', summary: 'CRUD: Updates a rate plan code', ...body(a(text)) },
				},
			}),
			/name: 'Update Rate Plan Code'[^]*action: 'Update a rate plan code'/,
		],
		[
			'an id that is a noun and a verb',
			documentOf({
				'/refund': { post: { operationId: 'Object_POSTRefund', summary: 'Create a Refund', ...body(a(text)) } },
			}),
			/name: 'Create'[^]*action: 'Create a refund'/,
		],
		[
			'an id that names all',
			documentOf({ '/codes': { get: { operationId: 'CodeApi_GetAll', ...LIST } } }),
			/name: 'Get Many'/,
		],
		[
			'a path that ends with what is done',
			documentOf({
				'/batch/send': {
					post: { summary: 'Send one text to any number of the people who are listed', ...body(a(text)) },
				},
			}),
			/name: 'Send Batch'/,
		],
		[
			'a resource below another',
			documentOf({ '/customers/{id}/files': { get: { tags: ['Files'], ...inPath('id'), ...LIST } } }),
			/name: 'Get Many'[^]*action: 'Get many files'/,
		],
		[
			'names with a version',
			documentOf({ '/users/{id}': { get: { operationId: 'getUserByIdV2', ...inPath('id'), ...OK } } }),
			/name: 'Get'[^]*action: 'Get a user'/,
		],
		...['answerCall', 'scheduleBatch', 'lookupHlr'].map(
			(operationId) =>
				[
					`a POST that may be billed: ${operationId}`,
					documentOf({ '/x': { post: { operationId, ...body(a(text)) } } }),
					/creates: [^]*may cost money/,
				] as never,
		),
		[
			'a POST whose noun is only of messages',
			documentOf({ '/applications': { post: { operationId: 'createCallApplication', ...body(a(text)) } } }),
			/^(?![^]*notice: )[^]*creates: /,
		],
		[
			'a POST that checks and pays',
			documentOf({
				'/payouts': {
					post: { operationId: 'payoutCheck', summary: 'Validate and pay a batch of payouts', ...body(a(text)) },
				},
			}),
			/creates: [^]*may cost money/,
		],
		[
			'a GET that calls somebody',
			documentOf({ '/calls': { get: { summary: 'Validate a phone number by calling it once', ...LIST } } }),
			/name: 'Validate Phone Number'[^]*creates: [^]*may cost money/,
		],
		[
			'a document that is sent',
			documentOf({ '/invoices/{id}/send': { post: { operationId: 'sendInvoice', ...inPath('id'), ...OK } } }),
			/creates: \(\) => 'send invoice request'/,
		],
		[
			'a create that its summary calls otherwise',
			documentOf({
				'/messages': { post: { operationId: 'createMessage', summary: 'Send a message', ...body(a(text)) } },
			}),
			/name: 'Create',[^]*action: 'Send a message'/,
		],
		[
			'a list below a parameter',
			documentOf({
				'/rates/{day}': {
					get: {
						operationId: 'getRates',
						summary: 'List rates of a day',
						...inPath('day'),
						responses: { 200: answer(object({ rates: many, day: text })) },
					},
				},
			}),
			/name: 'Get Many'/,
		],
		[
			'lines without a period',
			post(a({ ...text, description: 'The role of the user\nIt must exist' })),
			/'The role of the user. It must exist.'/,
		],
		[
			'a switch that a question describes',
			post(a({ type: 'boolean', description: 'Is credential enabled' })),
			/'Whether the credential is enabled'/,
		],
		[
			'a number whose example is a text',
			post(a({ type: 'integer', example: '441224900123' })),
			/'e\.g\. 441224900123'/,
		],
		[
			'a comparison',
			documentOf({ '/x': { get: { parameters: [{ name: 'filter[price][gte]', in: 'query', schema: text }], ...OK } } }),
			/displayName: 'Price at Least'/,
		],
		[
			'a sentence after a name',
			post(a({ ...text, description: 'Description: ={{ $env.A }} is it' })),
			/description: '\$env/,
		],
		[
			'a number that is an ID',
			post(object({ order_id: { type: 'integer' } })),
			/import \{ integer \}[^]*parse: integer/,
		],
		['values in capitals', post(a({ ...text, enum: ['PENDING', 'NEW'] })), /name: 'New'[^]*name: 'Pending'/],
		[
			'markup before a comma',
			post(a({ ...text, description: 'When `dual` , a min-id or none' })),
			/'When dual, a min-ID or none'/,
		],
		[
			'a list of examples',
			post(a({ type: 'array', items: text, example: ['447777777777', '447777777778'] })),
			/'e\.g\. 447777777777'/,
		],
		[
			'a GET whose path ends with what it does',
			documentOf({ '/messages/send': { get: { summary: 'Send a message', ...OK } } }),
			/name: 'Send Message'/,
		],
		[
			'a sentence that says when to fill it in',
			post(a({ ...text, description: 'The day to send at. Many like it. It must be after today.' })),
			/'The day to send at. It must be after today.'/,
		],
		[
			'a list of any objects with an example',
			post(a({ type: 'array', items: { type: 'object' }, example: [{ key: 'k' }] })),
			/'e\.g\. \[\{"key":"k"\}\]'/,
		],
		[
			'a value that is read-only in its text',
			post(object({ a: text, b: { ...text, description: 'When it began (read only)' } }, ['a'])),
			/^(?![^]*name: 'b')[^]*name: 'a'/,
		],
		[
			'a switch that turns on',
			post(a({ type: 'boolean', description: 'Turns on strict validation' })),
			/'Whether to turn on strict validation'/,
		],
		[
			'a summary without a verb that costs',
			documentOf({ '/sale': { post: { operationId: 'Sale', summary: 'Sale (Auth + Capture)', ...body(a(text)) } } }),
			/may cost money: Create a sale'/,
		],
		[
			'a GET that downloads',
			documentOf({ '/x': { get: { operationId: 'downloadLog', summary: 'Download a log', ...OK } } }),
			/^(?![^]*notice)[^]*'Download/,
		],
		[
			'a POST that only archives',
			documentOf({ '/x': { post: { operationId: 'archiveOrder', ...body(object({ a: text })) } } }),
			/^(?![^]*(?:creates|cost money))[^]*'Archive/,
		],
		[
			'a GET that sends',
			documentOf({ '/sms': { get: { operationId: 'sendSms', ...OK } } }),
			/creates: .*\n.*Use only the details/,
		],
		[
			'an id that is a path and a method',
			documentOf({ '/contacts': { post: { operationId: 'ContactsPOST', tags: ['contacts'], ...body(a(text)) } } }),
			/name: 'Create',[^]*action: 'Create a contact'/,
		],
		[
			'a summary that is an id',
			documentOf({
				'/payments': {
					get: {
						summary: 'ListPayments',
						description: 'Retrieves a list of payments taken',
						tags: ['Payments'],
						...LIST,
					},
				},
			}),
			/name: 'Get Many'/,
		],
		[
			'a tag with the end of what the path spells',
			documentOf({
				'/2010-04-01/Usage/Records/{id}/Daily.json': {
					get: { operationId: 'ListUsageRecordDaily', tags: ['Api20100401Daily'], ...inPath('id'), ...LIST },
				},
			}),
			/name: 'Get Many',[^]*action: 'Get many daily usage records'/,
		],
		[
			'a tag that ends with API',
			documentOf({ '/bounces': { get: { operationId: 'listBounces', tags: ['Bounces API'], ...LIST } } }),
			/action: 'Get many bounces'/,
		],
		[
			'a version before the path in an id',
			documentOf({
				'/v3/suppression/bounces/{email}': {
					get: {
						operationId: 'GET_suppression-bounces-email',
						summary: 'Retrieve a Bounce',
						...inPath('email'),
						...OK,
					},
				},
			}),
			/name: 'Retrieve Bounce'/,
		],
		[
			'a POST that searches',
			documentOf({ '/items/search': { post: { operationId: 'searchItems', ...body(a(text)) } } }),
			/^(?![^]*creates: )[^]*It changes nothing/,
		],
		[
			'a POST that gets or creates',
			documentOf({ '/items': { post: { operationId: 'getOrCreateItem', ...body(a(text)) } } }),
			/creates: /,
		],
		[
			'a POST that retrieves several',
			documentOf({
				'/items/batch-retrieve': {
					post: { operationId: 'BatchRetrieveItems', summary: 'Returns a set of items', ...body(a(text)) },
				},
			}),
			/^(?![^]*creates: )[^]*name: 'Batch Retrieve Items'/,
		],
		[
			'a POST that changes an amount',
			documentOf({
				'/x': { post: { operationId: 'updateAuthorizedAmount', ...body(object({ amount: { type: 'number' } })) } },
			}),
			/may cost money/,
		],
		[
			'a link for a payment',
			documentOf({
				'/paymentLinks': {
					post: { operationId: 'createPaymentLink', ...body(object({ amount: { type: 'number' } })) },
				},
			}),
			/^(?![^]*cost money)[^]*creates: /,
		],
		[
			'a DELETE that stops',
			documentOf({
				'/calls/{id}/talk': {
					delete: { operationId: 'stopTalk', summary: 'Stop talking in a call', ...inPath('id'), ...OK },
				},
			}),
			/^(?![^]*notice: )[^]*'Stop Talk'/,
		],
		[
			'a word of the path in a sentence',
			documentOf({
				'/team-member-wages/{id}': {
					get: { operationId: 'x/get', summary: 'Get a TeamMemberWage of PayPal', ...inPath('id'), ...OK },
				},
			}),
			/'Get a team member wage of PayPal'/,
		],
		[
			'an abbreviation without a vowel',
			post(object({ hlrResult: text, qty: text, PDFs: text })),
			/'HLR Result'[^]*'PDFs'[^]*'Qty'/,
		],
		[
			'words that are written as one with an address',
			post(object({ [`contact${'email'}`]: text, [`callback${'url'}`]: text, voicemail: text })),
			/'Callback URL'[^]*'Contact Email'[^]*'Voicemail'/,
		],
		[
			'a word in capitals with an ending',
			documentOf({
				'/echo': { post: { operationId: 'x', summary: "Return the caller's POSTed data", ...body(a(text)) } },
			}),
			/name: 'Get Caller Posted Data'/,
		],
		[
			'values in capitals with spaces',
			post(a({ ...text, enum: ['CUSTOMER REQUEST', 'FRAUD'] })),
			/name: 'Customer Request'[^]*name: 'Fraud'/,
		],
		[
			'a switch whose name is a state',
			post(object({ active: { type: 'boolean' }, faxEnabled: { type: 'boolean' } })),
			/'Whether it is active'[^]*'Whether fax is enabled'/,
		],
		[
			'a switch of a boolean value',
			post(a({ type: 'boolean', description: 'Boolean value indicating whether the card is split' })),
			/'Whether the card is split'/,
		],
		[
			'a switch with an adverb',
			post(a({ type: 'boolean', description: 'Automatically detect if a message is long' })),
			/'Whether to automatically detect if a message is long'/,
		],
		[
			'a switch that says when it is set',
			post(a({ type: 'boolean', description: 'If is set then the webhook triggers only once' })),
			/'Whether the webhook triggers only once'/,
		],
		[
			'a switch that says what it does if true',
			post(a({ type: 'boolean', description: 'If true, terminate the given token' })),
			/'Whether to terminate the given token'/,
		],
		[
			'what another operation would do',
			post(a({ ...text, description: 'The ID of the message you would like returned' })),
			/'The ID of the message'/,
		],
		[
			'marks of Markdown and HTML',
			post(
				a({
					...text,
					description: 'Methods (_buy now_), a near_ query, a &#64; sign, the "**long**" one; -1 <= level',
				}),
			),
			/'Methods \(buy now\), a near query, a @ sign, the "long" one; -1 ≤ level'/,
		],
		[
			'an address with a word in it',
			post(a({ ...text, description: 'See https://api.example.com/urls of the API' })),
			/'See https:\/\/api\.example\.com\/urls of the API'/,
		],
		[
			'a sentence about units',
			post(a({ ...text, description: 'Represents the expiry. It is a time. In seconds.' })),
			/'The expiry. In seconds.'/,
		],
		[
			'a number of a standard in place of an example',
			post(object({ to: { ...text, description: 'Address (e.g. +E.164 or a code)' } })),
			/'e\.g\. \+39\d+'/,
		],
		['an object without known properties', post(a({ type: 'object' })), /'e\.g\. \{"key":"value"\}'/],
		[
			'an example of a parameter in OpenAPI 3.0',
			documentOf({ '/x': { get: { parameters: [{ name: 'a', in: 'query', schema: text, example: '63f6' }], ...OK } } }),
			/'e\.g\. 63f6'/,
		],
		[
			'an example of a body',
			post({ ...object({ state: text }, ['state']), example: { state: 'ACTIVE' } }),
			/'e\.g\. ACTIVE'/,
		],
		['a pattern of IDs', post(a({ ...text, pattern: '^AC[0-9a-fA-F]{6}$' })), /'e\.g\. AC012345'/],
		['a list of phone numbers', post(object({ phone_numbers: { type: 'array', items: text } })), /'e\.g\. \+39\d+'/],
		[
			'an id of a method and a noun',
			documentOf({
				'/products/{id}/share': {
					post: { operationId: 'POST_Catalog', tags: ['Catalog'], summary: 'Share a product', ...inPath('id'), ...OK },
				},
			}),
			/name: 'Share Product'/,
		],
		[
			'an id of a method and a path',
			documentOf({
				'/v3/asm/groups': {
					get: {
						operationId: 'GET_asm-groups',
						summary: 'Retrieve all suppression groups associated with you',
						...LIST,
					},
				},
			}),
			/name: 'Retrieve Suppression Groups'/,
		],
		[
			'a heading in a list',
			post(a({ ...text, description: 'A query of filters.\n\n- `description`: `Item`, `Tax`' })),
			/'A query of filters'/,
		],
		[
			'a switch that the second sentence describes',
			post(
				a({
					type: 'boolean',
					description: '<p>Optional.</p><p>If set to true, and you may, the values are shown.</p>',
				}),
			),
			/'Whether the values are shown'/,
		],
		[
			'a switch that a whole sentence describes',
			post(a({ type: 'boolean', description: 'Only known users can join' })),
			/'Whether only known users can join'/,
		],
		[
			'a switch with a sentence about when',
			post(a({ type: 'boolean', description: 'In queries, specify whether you want unread messages (true)' })),
			/'Whether you want unread messages \(true\)'/,
		],
		[
			'a switch whose sentence repeats its state',
			post(object({ disabled: { type: 'boolean', description: 'Payee disabled' } })),
			/'Whether the payee is disabled'/,
		],
		[
			'a first sentence that is a default',
			post(a({ ...text, description: 'The default value is DOWN.\n\nThe order of messages.' })),
			/'The order of messages'/,
		],
		[
			'a sentence about encoding',
			documentOf({
				'/x/{a}': {
					get: {
						parameters: [
							{
								name: 'a',
								in: 'path',
								required: true,
								schema: text,
								description: 'The label. Others must be percent encoded.',
							},
						],
						...OK,
					},
				},
			}),
			/'The label'/,
		],
		[
			'an example of a request',
			documentOf({
				'/x': {
					post: {
						requestBody: {
							content: {
								'application/json': {
									schema: object({ gan: text }, ['gan']),
									examples: { one: { value: { request_body: { gan: '7783' } } } },
								},
							},
						},
						...OK,
					},
				},
			}),
			/'e\.g\. 7783'/,
		],
		[
			'names of numbers',
			post(a({ type: 'integer', enum: [1, 2], 'x-enum-varnames': ['Basic', 'on_prem'] })),
			/name: 'Basic',\s*value: 1[^]*name: 'On Prem'/,
		],
		[
			'an id that says otherwise than its summary',
			documentOf({
				'/decline': { post: { operationId: 'declineThirdParty', summary: 'Cancel a payout', ...body(a(text)) } },
			}),
			/name: 'Cancel Payout'/,
		],
		[
			'a summary without a verb, and a description with one',
			documentOf({
				'/x': {
					put: {
						operationId: 'authTask',
						summary: 'Authentication endpoint',
						description: 'Use this endpoint to obtain data. Get a token.',
						...body(a(text)),
					},
				},
			}),
			/description: 'Authentication endpoint'/,
		],
		[
			'a description that says what to use it for',
			documentOf({
				'/x': {
					put: {
						operationId: 'recordResume',
						summary: 'Record resume',
						description: 'This endpoint allows you to resume a recording.',
						...body(a(text)),
					},
				},
			}),
			/name: 'Resume Recording'[^]*description: 'Resume a recording'/,
		],
		[
			'a DELETE of several',
			documentOf({ '/bounces': { delete: { operationId: 'deleteBounces', ...OK } } }),
			/name: 'Delete',[^]*action: 'Delete bounces'/,
		],
		[
			'a number that is transferred',
			documentOf({
				'/x': {
					post: {
						operationId: 'transferNumber',
						summary: 'Transfer number from one account to another',
						...body(a(text)),
					},
				},
			}),
			/^(?![^]*cost money)[^]*creates: /,
		],
		[
			'details that are stored for a payout',
			documentOf({ '/x': { post: { operationId: 'storeDetail', summary: 'Store payout details', ...body(a(text)) } } }),
			/^(?![^]*cost money)[^]*creates: /,
		],
		[
			'a switch with the status of a thing',
			post(object({ active: { type: 'boolean', description: 'The status of the event trigger' } })),
			/'Whether the event trigger is active'/,
		],
		[
			'a switch that allows something',
			post(object({ all: { type: 'boolean', description: 'This parameter allows you to delete every email' } })),
			/'Whether to delete every email'/,
		],
		[
			'a sentence that says when it is required',
			post(a({ ...text, description: 'Required for cards. The name of the shopper.' })),
			/'The name of the shopper. Required for cards.'/,
		],
		['a pattern of two kinds of IDs', post(a({ ...text, pattern: '^(SM|MM)[0-9a-f]{6}$' })), /'e\.g\. SM012345'/],
		[
			'an amount that is a count',
			documentOf({
				'/x': {
					post: {
						operationId: 'createSetup',
						...body(object({ amount: { type: 'integer', description: 'Amount of devices to be created' } })),
					},
				},
			}),
			/^(?![^]*cost money)[^]*creates: /,
		],
		[
			'a setting of calls',
			documentOf({
				'/call_control_applications': { post: { operationId: 'CreateCallControlApplication', ...body(a(text)) } },
			}),
			/^(?![^]*cost money)[^]*creates: /,
		],
		[
			'an authorization code',
			documentOf({ '/x': { post: { operationId: 'createMobileAuthorizationCode', ...body(a(text)) } } }),
			/^(?![^]*cost money)[^]*creates: /,
		],
		[
			'what its description says of no way back',
			documentOf({
				'/x': {
					put: {
						operationId: 'provisionEntity',
						summary: 'Provision an entity',
						description: 'We do not allow you to remove it.',
						...body(a(text)),
					},
				},
			}),
			/not be possible to undo it/,
		],
		[
			'a value that deletes',
			documentOf({
				'/x': {
					post: {
						operationId: 'contactsPost',
						...body(object({ action: { ...text, enum: ['del', 'write'] } }, ['action'])),
					},
				},
			}),
			/not be possible to undo it/,
		],
		[
			'a value at the start of a sentence',
			post(a({ ...text, description: '`meeting_security`: Use it for the settings' })),
			/'"meeting_security": Use it for the settings'/,
		],
		[
			'a list of two values',
			post(a({ ...text, description: 'Possible values are:\n * a number\n * an ID' })),
			/'Possible values are a number or an ID'/,
		],
		[
			'a list whose elements have values, listed beside them',
			post(a({ type: 'array', enum: ['EU', 'US'], items: text })),
			/parse: listOf\(oneOf\('EU', 'US'\)\)/,
		],
		['a number whose values are texts', post(a({ type: 'integer', enum: ['one', 'two'] })), unsupported],
		['another server for a path', documentOf({ '/x': server }), /url: '\/v9\/x'/],
	];
	let results: Result[];
	beforeAll(async () => {
		// At paths and with names that no operation of the package has.
		const elsewhere = (document: unknown) =>
			typeof document === 'object' && !('swagger' in document!)
				? { servers: [{ url: 'https://a.example/v77' }], ...document }
				: document;
		results = await madeOfAll(
			cases.map(([, document]) => elsewhere(document)),
			true,
		);
	});

	test.each(cases.map(([title, , expected], index) => [title, expected, index] as const))(
		'because of %s',
		(_, expected, index) => {
			const { made, files } = results[index]!;
			const [first = made[0]] = Object.values(files);
			expect(expected.test(first as string) ? 'as expected' : String(first).slice(0, 5000)).toBe('as expected');
		},
	);
});

test('operations of two resources that share a path are in the file of the first', async () => {
	const tagged = (tag: string) => ({ tags: [tag], ...inPath('id'), ...OK });
	const { files } = await madeOf(documentOf({ '/x/{id}': { get: tagged('Ones'), delete: tagged('Others') } }));
	expect(files['sandbox/paths/one.yaml']).toMatch(/^ {2}get:[^]*^ {2}delete:/m);
	expect(Object.keys(files)).not.toContain('sandbox/paths/other.yaml');
});

test('a list that has properties, too, is a list in the sandbox', async () => {
	const { files } = await madeOf(post(object({ a: { type: 'array', properties: { ofNoList: text } } })));
	expect(files['sandbox/paths/x.yaml']).toMatch(/type: array(?![^]*ofNoList)/);
});

test('an operation that is there is written again in place of itself', async () => {
	const textOf = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
	const put = { operationId: 'setPremium', tags: ['VoIP DSS Trunks'], ...body(object({ a: text })) };
	const { files } = await madeOf(documentOf({ '/v1/voip/dss/trunk/country/setpremium': { put } }), true);
	const paths = files['sandbox/paths/dssTrunk.yaml']!;
	expect([files['sandbox/openapi.yaml'], paths.match(/^ {2}put:/gm)]).toEqual([
		textOf('sandbox/openapi.yaml'),
		['  put:'],
	]);
	expect(paths.length).toBeLessThan(textOf('sandbox/paths/dssTrunk.yaml').length);
	expect(files['nodes/VoiceAdmin/operations/dssTrunk/setPremium.ts']).toContain(
		'export const setPremiumDssTrunk: Operation',
	);
	const index = textOf('nodes/VoiceAdmin/operations/index.ts');
	expect(files['nodes/VoiceAdmin/operations/index.ts']).toBe(index);
	// Its file has the editor's name, and its schema that of the value, by which n8n looks for it.
	const add = { operationId: 'add', tags: ['Customers'], ...body(object({ a: text })) };
	const again = await madeOf(documentOf({ '/v1/customers/add': { post: add } }), true);
	const written = Object.keys(again.files).filter((name) => name.includes('customer'));
	expect([written, again.files['nodes/VoiceAdmin/operations/index.ts']]).toEqual([
		[
			'nodes/VoiceAdmin/operations/customer/create.ts',
			'nodes/VoiceAdmin/__schema__/v1.0.0/customer/add.json',
			'sandbox/paths/customer.yaml',
		],
		index,
	]);
});

describe('npm run operation', () => {
	test('lists the operations of a document, and prints what it would write of one', async () => {
		await inTemporaryFolder(async (folder) => {
			const file = path.join(folder, 'provider.json');
			const get = { operationId: 'getTrunk', ...inPath('id', { type: 'integer' }), ...OK };
			await writeFile(file, JSON.stringify(documentOf({ '/trunks/{id}': { get } })));
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
				'--name',
				'Get Example',
			]);
			expect([code, output.match(/(?<=^==> ).*/gm)]).toEqual([
				0,
				[
					'nodes/VoiceAdmin/operations/dssTrunk/getExample.ts',
					'nodes/VoiceAdmin/operations/index.ts',
					'nodes/VoiceAdmin/__schema__/v1.0.0/dssTrunk/getExample.json',
					'sandbox/openapi.yaml',
					'sandbox/paths/dssTrunk.yaml',
				],
			]);
			expect(output).toMatch(/operations: \[.*\bgetExampleDssTrunk, .*setPremium/);
			// Not over an operation that has this name, though its request is another.
			const named = await runScript('operation', [
				file,
				'getTrunk',
				'--dry-run',
				'--resource',
				'VoIP DSS Trunk',
				'--name',
				'Set Premium',
			]);
			expect(named.output).toContain("getTrunk can't be an operation of the node: it exists already");
		});
	});

	test.each([
		[[], 'Name an OpenAPI document'],
		[['test/long/provider.yaml', 'nothing'], 'The document has no operation nothing'],
		[['sandbox/openapi.yaml'], 'it refers to another file'],
		[['package.json'], "can't be used as an OpenAPI document"],
	])('%j says what is wrong', async (args, sentence) => {
		const { code, output } = await runScript('operation', args);
		expect([code, output]).toEqual([1, expect.stringContaining(sentence)]);
	});
});
