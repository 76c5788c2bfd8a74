import { Readable } from 'node:stream';

import { successValueOf } from '../../nodes/VoiceAdmin/transport/response/successValue';
import { parseBody, readResponse } from '../../nodes/VoiceAdmin/transport/response/readResponse';

const neverAborted = new AbortController().signal;
const read = async (body: Readable, signal = neverAborted, headers = {}) =>
	await readResponse({ statusCode: 200, headers, body } as never, 100, signal);

test('a body is read in full, without a byte order mark and with a character that arrives in two chunks', async () => {
	const bytes = Buffer.from('\ufeff{"name":"perché"}');
	const { body } = await read(Readable.from([bytes.subarray(0, 18), bytes.subarray(18)]));
	expect(body).toMatchObject({ kind: 'json', value: { name: 'perché' } });
});

test('a body that is larger than the limit is not read any further, and its connection is closed', async () => {
	const stream = Readable.from([Buffer.alloc(60), Buffer.alloc(60), Buffer.alloc(60)]);
	expect((await read(stream)).body).toEqual({ kind: 'tooLarge', limit: '0.0001 MB' });
	expect(stream.destroyed).toBe(true);
	// One of just the limit is read.
	expect((await read(Readable.from([Buffer.alloc(100, ' ')]))).body).toEqual({ kind: 'empty' });
});

test('a body whose connection broke before it was read is an error immediately', async () => {
	const stream = Readable.from([]);
	stream.destroy();
	await new Promise((resolve) => stream.once('close', resolve));
	await expect(read(stream)).rejects.toMatchObject({ code: 'ECONNRESET' });
});

test.each(['before', 'while'])(
	'a body that is aborted %s it is read is an error, and its connection is closed',
	async (when) => {
		const stream = new Readable({ read() {} });
		const controller = new AbortController();
		if (when === 'before') controller.abort();
		const reading = read(stream, controller.signal);
		controller.abort();
		await expect(reading).rejects.toMatchObject({ code: 'ECONNRESET' });
		expect(stream.destroyed).toBe(true);
	},
);

test('a body whose connection breaks while it is read is the error of the connection', async () => {
	const stream = new Readable({ read() {} });
	const reading = read(stream);
	stream.destroy(new Error('read ECONNRESET'));
	await expect(reading).rejects.toThrow('read ECONNRESET');
});

test.each([
	['application/json; charset=ISO-8859-1', 'latin1'],
	['application/json; Charset = iso-8859-1', 'latin1'],
	['application/json; charset=utf-16le', 'utf16le'],
	['application/json; charset=unheard-of', 'utf8'],
	['application/json', 'utf8'],
	[undefined, 'utf8'],
] as const)('a body is decoded by its content type: %s', async (contentType, encoding) => {
	const { body } = await read(Readable.from([Buffer.from('{"name":"café"}', encoding)]), neverAborted, {
		'content-type': contentType,
	});
	expect(body).toMatchObject({ kind: 'json', value: { name: 'café' } });
});

test.each([
	['{"id":9007199254740993,"a":-9007199254740993}', { id: '9007199254740993', a: '-9007199254740993' }],
	['9007199254740993', '9007199254740993'],
	['{"id":9007199254740991}', { id: 9007199254740991 }],
	[
		'{"text":"9007199254740993, \\"9007199254740993\\"","id":9007199254740993}',
		{ text: '9007199254740993, "9007199254740993"', id: '9007199254740993' },
	],
	['[1e1234567890123456,0.5e-12345678901234567,9007199254740992]', [Infinity, 0, '9007199254740992']],
	['{"path":"c:\\\\","id":9007199254740993}', { path: 'c:\\', id: '9007199254740993' }],
	['{"real":0.1234567890123456,"power":1234567890123456e3}', { real: 0.1234567890123456, power: 1234567890123456e3 }],
])('an integer that JavaScript would round comes out as text: %s', (json, value) => {
	expect(parseBody(json)).toEqual({ kind: 'json', value, text: json });
});

test.each(['[-,9007199254740993]', '[1-9007199254740993]', '[09007199254740993]', '[9007199254740993'])(
	'what is no JSON does not become JSON by that: %s',
	(text) => {
		expect(parseBody(text)).toEqual({ kind: 'text', text });
	},
);

test.each<[string, object | undefined]>([
	['', {}],
	['{"id":1}', { value: { id: 1 } }],
	['null', { value: null }],
	['[]', { value: [] }],
	['<html></html>', undefined],
	['OK', undefined],
	['{"id":', undefined],
	...['"Bad Request"', '400', '"2000"', '"not ok"', 'null', '{}'].map(
		(status) => [`{"status":${status},"message":"No","errors":["taken"]}`, undefined] as [string, undefined],
	),
	...['["a"]', '{"iso":"a"}', '"a"', '[null]', '0', 'false'].map(
		(errors) => [`{"status":"Conflict","message":"No","errors":${errors}}`, undefined] as [string, undefined],
	),
	...['"CREATED"', '"OK"', '"Success"', '201', '"200"', '"201 Created"', 'true'].map(
		(status) =>
			[
				`{"status":${status},"message":"Done","errors":["a"]}`,
				{ value: { status: JSON.parse(status) as unknown, message: 'Done', errors: ['a'] } },
			] as [string, object],
	),
	...['[]', '{}', '" "', 'null'].map(
		(errors) =>
			[
				`{"status":"X","message":"Done","errors":${errors}}`,
				{ value: { status: 'X', message: 'Done', errors: JSON.parse(errors) as unknown } },
			] as [string, object],
	),
	...['503', '"503"', '"503 Service Unavailable"', '"SERVICE_UNAVAILABLE"', '"Bad Request"', '"error"'].map(
		(status) => [`{"status":${status},"message":"No","errors":[]}`, undefined] as [string, undefined],
	),
	...[
		'{"error":"No"}',
		'{"error":{"a":1}}',
		'[{"error":"No"}]',
		'{"error":"No","message":"Taken"}',
		'{"message":"Taken","error":true}',
		'{"error":{"a":1},"status":500}',
		'{"maintenance":true,"message":"Back at six"}',
		'[{"maintenance":true}]',
		...['400', '599', '"404"', '" 503 "', '"error"', '"ERROR"', '"Fail"', '"failed"', '"failure"', '"KO"'].map(
			(status) => `{"name":"A","status":${status}}`,
		),
	].map((text) => [text, undefined] as [string, undefined]),
	...[
		...['"active"', '"suspended"', '"disabled"', '"error rate"', '"not failed"', '"Not Found"', '"503 Via Roma"'],
		...['0', '399', '600', '4040', '404.5', '-404', 'null', 'false', '["error"]', '{"toString":1}'],
	].map((status) => {
		const text = `{"name":"A","status":${status}}`;
		return [text, { value: JSON.parse(text) as unknown }] as [string, object];
	}),
	...[
		'{"error":null}',
		'{"error":null,"id":1}',
		'{"status":"failed","id":1}',
		'{"error":"","message":"Created"}',
		'{"error":false,"message":"Created"}',
		'{"error":"late payment","id":1}',
		'{"maintenance":true,"id":1}',
		'{"maintenance":false}',
		'{"maintenance":"yearly"}',
		'[{"error":"No"},{"id":1}]',
		'{"status":{"toString":1},"message":"Done","errors":[]}',
	].map((text) => [text, { value: JSON.parse(text) as unknown }] as [string, object]),
	['{"status":{"toString":1},"message":"No","errors":["a"]}', undefined],
])('a 2xx whose body is %s is a success, or is none', (text, value) => {
	expect(successValueOf({ status: 200, body: parseBody(text) })).toStrictEqual(value);
	expect(successValueOf({ status: 404, body: parseBody(text) })).toBeUndefined();
});
