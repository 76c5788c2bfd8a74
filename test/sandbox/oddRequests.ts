import fc from 'fast-check';

import { DEMO_CLIENT } from '../../sandbox';
import { describeFaults, scopeParameters } from '../../sandbox/faults/schema';

/** A request by an HTTP client. */
export interface OddRequest {
	method: string;
	path: string;
	headers: Record<string, string>;
	/** Names such as @deep stand for what is too long to be shown: see {@link written}. */
	body: string | undefined;
	/** After so many milliseconds the client leaves, if it was not answered before. */
	leavesAfterMs: number;
}

/** Bytes on a connection that need not be HTTP. */
export interface OddBytes {
	bytes: string;
	leavesAfterMs: number;
}

const LONG: Record<string, string> = {
	'"@deep"': '['.repeat(50_000) + ']'.repeat(50_000),
	'"@deepObject"': `${'{"a":'.repeat(20_000)}null${'}'.repeat(20_000)}`,
	'"@level65"': '['.repeat(65) + ']'.repeat(65),
	'"@infinite"': '1e999',
	'@long': 'é'.repeat(40_000),
};

/** The text with what its names stand for. */
export function written(text: string): string {
	return Object.entries(LONG).reduce((result, [name, value]) => result.replaceAll(name, value), text);
}

const FIELDS: Array<[method: string, path: string, valid: Record<string, unknown>, others?: string[]]> = [
	['POST', '/auth/api-key/login', { clientId: DEMO_CLIENT.clientId, clientSecret: DEMO_CLIENT.clientSecret }],
	['PUT', '/v1/voip/dss/trunk/country/setpremium', { idTrunk: 1001, iso: 'IT', organizationId: 10, sbcId: 1, premium_available: 'yes' }],
	['POST', '/v1/customers/add', { vatNumber: '1' }, ['pIva', 'piva', 'id', 'createdAt', 'name', 'password', '__proto__', 'toJSON']],
	['PUT', '/_sandbox/gateways', { id: '12', name: 'Moved', type: 'pbx', organizationId: 30, terminationUri: null }, ['notes', 'toJSON']],
	['DELETE', '/_sandbox/gateways', { id: '12' }, ['name']],
	['PUT', '/_sandbox/faults', { seed: 3, rules: [{ fault: 'http503', count: 1 }], rateLimit: { perSecond: 1000 } }, ['rule']],
	['PUT', '/_sandbox/faults/rateLimit', { perSecond: 1000 }, ['burst', 'fault']],
	...describeFaults().map(({ name, parameters }): (typeof FIELDS)[number] => ['PUT', `/_sandbox/faults/${name}`, { count: 1 }, [...parameters, ...scopeParameters, 'fault', '__proto__']]),
];
const PATHS = [
	...FIELDS.map(([, path]) => path),
	'/', '/docs', '/favicon.ico', '/v1/voip/dss/gtw/1', '/v1/voip/dss/gtw/1/10', '/v1/voip/dss/gtw/%zz', '/v1/voip/dss/gtw/1?a[b][c]=1&__proto__[x]=1', '/v1/voip/dss/gtw/..%2f..', '/nothing', '//', '/%', '/__proto__',
	...['', 'health', 'state', 'requests', 'requests/1', 'requests/-1', 'requests/1e400', 'requests/%00', 'requests/__proto__', 'events', 'events?x', 'reset', 'expire-tokens', 'faults', 'faults/', 'faults/%', 'faults/__proto__', 'faults/x/y', 'openapi.json', 'page/main.js', 'page/../cli.ts', 'constructor'].map((path) => `/_sandbox/${path}`),
];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'PURGE'];
const CONTENT_TYPES = ['application/json', 'application/json; charset=utf-16', 'application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data', 'application/xml', '', ';', 'x'];
const HEADERS: Array<Record<string, string>> = [
	{}, {}, {}, { Authorization: 'Bearer x.y.z' }, { Authorization: 'Bearer' }, { Authorization: `Bearer eyJhbGciOiJub25lIn0.e30.${'a'.repeat(5000)}` }, { Authorization: '' },
	{ Origin: 'https://evil.example' }, { Origin: 'null' }, { 'Sec-Fetch-Site': 'cross-site' }, { Host: 'evil.example' }, { Host: '' }, { Host: '[' },
	{ 'Content-Encoding': 'gzip' }, { 'Transfer-Encoding': 'chunked' }, { Expect: '100-continue' }, { Expect: 'x' }, { Connection: 'Upgrade', Upgrade: 'websocket' }, { 'X-HTTP-Method-Override': 'DELETE' }, { Cookie: 'x'.repeat(10_000) },
];
const RAW = [
	'', '\0', '\r\n\r\n', 'GET', 'GET /\r\n\r\n', 'GET / HTTP/9.9\r\n\r\n', 'GET / HTTP/1.1\r\n\r\n', 'GET / HTTP/1.0\r\n\r\n', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', '\x16\x03\x01\x02\x00\x01\x00',
	'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n', 'CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n', 'GET http://x/_sandbox/state HTTP/1.1\r\nHost: x\r\n\r\n', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
	'GET /_sandbox/events HTTP/1.1\r\nHost: x\r\n\r\n', 'HEAD /_sandbox/events HTTP/1.1\r\nHost: x\r\n\r\n', 'GET /_sandbox/events HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n{',
	'POST /v1/customers/add HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"vatNumber"', 'PUT /_sandbox/gateways HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"id":', 'PUT /_sandbox/faults HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}',
	'POST /v1/customers/add HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}',
	'GET / HTTP/1.1\r\nHost: x\r\nAuthorization: \0\r\n\r\n', 'GET / HTTP/1.1\r\nHost: x\r\n: x\r\n\r\n', 'GET /_sandbox/state HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(20), 'GET /v1/voip/dss/gtw/\xff HTTP/1.1\r\nHost: x\r\n\r\n',
];

const json = fc.oneof(
	fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 5, 1e21, '', ' ', 'x', '/', 'GET', '12', '\r\n', '…', '\ud800', [], {}, [[]], [null], [5], { a: 1 }, { toJSON: 1 }, '@deep', '@deepObject', '@level65', '@infinite', '@long'),
	fc.jsonValue({ maxDepth: 4 }),
);
const leavesAfterMs = fc.oneof({ weight: 9, arbitrary: fc.constant(100) }, { weight: 1, arbitrary: fc.integer({ min: 0, max: 5 }) });

/** For a path that takes a body, with up to three of its fields replaced. */
const withWrongFields: fc.Arbitrary<OddRequest> = fc.constantFrom(...FIELDS).chain(([method, path, valid, others = []]) => {
	const names = fc.constantFrom(...Object.keys(valid), ...others);
	const replacedAndLeaves = fc.tuple(fc.dictionary(names, json, { maxKeys: 3 }), leavesAfterMs);
	return replacedAndLeaves.map(([replaced, leaves]) => requestWith(method, path, { ...valid, ...replaced }, leaves));
});

const VALUES: unknown[] = [null, true, 0, -1, 1.5, 1e300, '', 'x', '\r\n', [], {}, [[{}]], '@level65', '@infinite'];

/** A request for each field of each path, with a value of each type in its place. */
export const everyFieldWrong: OddRequest[] = FIELDS.flatMap(([method, path, valid, others = []]) =>
	[...Object.keys(valid), ...others].flatMap((name) =>
		// not by assignment, which would set the prototype where the name is __proto__
		VALUES.map((value) => requestWith(method, path, Object.defineProperty({ ...valid }, name, { value, enumerable: true }))),
	),
);

function formOf(body: object): string {
	return new URLSearchParams(Object.entries(body).map(([name, value]): [string, string] => [name, String(value)])).toString();
}

/** @param leaves after so many milliseconds; a sandbox that has just started on a busy machine may take more than a few */
function requestWith(method: string, path: string, body: object, leaves = 1_000): OddRequest {
	const isForm = path.startsWith('/auth');
	const headers = { 'Content-Type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' };
	return { method, path, headers, body: isForm ? formOf(body) : JSON.stringify(body), leavesAfterMs: leaves };
}

/** Anything that an HTTP client can send. */
const withoutSense: fc.Arbitrary<OddRequest> = fc.record({
	method: fc.constantFrom(...METHODS),
	path: fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...PATHS) }, { weight: 1, arbitrary: fc.webPath() }, { weight: 1, arbitrary: fc.string().map((text) => `/v1/voip/dss/gtw/${text.replace(/[^!-~]/g, '%00')}`) }),
	headers: fc.tuple(fc.constantFrom(...HEADERS), fc.constantFrom(...CONTENT_TYPES)).map(([headers, type]) => ({ ...headers, 'Content-Type': type })),
	body: fc.oneof(fc.constant(undefined), json.map((value) => JSON.stringify(value)), fc.string({ unit: 'binary' }), fc.constantFrom('{', '[{', '"', '{"a":}', 'a=1&a=2&__proto__=3', '\ufeff{}', '@long')),
	leavesAfterMs,
});

/** Bytes that are no HTTP, or the beginning of a request. */
const bytes: fc.Arbitrary<OddBytes> = fc.record({
	bytes: fc.oneof(fc.constantFrom(...RAW), fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array).toString('latin1'))),
	leavesAfterMs: fc.integer({ min: 0, max: 30 }),
});

export const oddRequest: fc.Arbitrary<OddRequest | OddBytes> = fc.oneof(
	{ weight: 5, arbitrary: withWrongFields },
	{ weight: 4, arbitrary: withoutSense },
	{ weight: 1, arbitrary: bytes },
);
