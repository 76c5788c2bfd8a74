import { parseRequestOptions } from '../../nodes/VoiceAdmin/parameters/requestOptions';
import { loginTimeout } from '../../nodes/VoiceAdmin/transport/auth/login';
import { parseCredential } from '../../nodes/VoiceAdmin/transport/auth/credential';
import type { ApiRequest } from '../../nodes/VoiceAdmin/transport/apiRequest';
import { connectionKey, toHttpRequest } from '../../nodes/VoiceAdmin/transport/sendRequest';
import { credentialFor } from '../support/executor/credentialStore';

const credential = parseCredential(credentialFor('https://api.example.com/base'));
const get: ApiRequest = { method: 'GET', path: '/v1/x', fields: {} };
const made = (more: Partial<ApiRequest> = {}, connection = {}, ofCredential = {}) =>
	toHttpRequest({ ...get, ...more }, connection, { ...credential, ...ofCredential });

test('a body is sent as JSON text, with every field; no redirect is followed, and the allowed domains of the credential hold', () => {
	const body = JSON.parse('{"a":1,"__proto__":{"b":2}}') as Record<string, never>;
	expect(made({ method: 'PUT', body }, {}, { allowedDomains: 'a.example' })).toMatchObject({
		body: '{"a":1,"__proto__":{"b":2}}',
		headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
		disableFollowRedirect: true,
		allowedDomains: 'a.example',
	});
});

test('a query is encoded, and a list repeats its name', () => {
	const query = { note: 'new & used', tag: ['a', 'b'], max_items: 0 };
	expect(made({ query }).url).toBe('https://api.example.com/base/v1/x?note=new+%26+used&tag=a&tag=b&max_items=0');
	expect(made({ query: {} }).url).toBe('https://api.example.com/base/v1/x');
});

test.each([
	[false, false, false],
	[false, true, true],
	[true, false, true],
	['yes', false, false],
])(
	'the certificate is not verified where the node (%s) or the credential (%s) says so: %s',
	(ofNode, ofCredential, skip) => {
		expect(
			made({}, { skipSslCertificateValidation: ofNode }, { allowUnauthorizedCerts: ofCredential })
				.skipSslCertificateValidation,
		).toBe(skip);
		expect(
			made({}, parseRequestOptions({ allowUnauthorizedCerts: ofNode as boolean }).connection, {
				allowUnauthorizedCerts: ofCredential,
			}).skipSslCertificateValidation,
		).toBe(skip);
	},
);

test.each([
	[true, false, { skipSslCertificateValidation: true }],
	[true, true, {}],
	[false, false, {}],
	['yes', false, {}],
])(
	'requests share a limiter unless the node alone (%s, and the credential %s) ignores the certificate, or uses a proxy',
	(ofNode, ofCredential, key) => {
		const ignoring = { skipSslCertificateValidation: ofNode as boolean };
		const keyOf = (connection: object) =>
			connectionKey({ ...ignoring, ...connection }, { ...credential, allowUnauthorizedCerts: ofCredential });
		expect(keyOf({})).toEqual(key);
		expect(keyOf({ proxy: { host: 'a', port: 1 } })).toEqual({ ...key, proxy: { host: 'a', port: 1 } });
	},
);

test.each([
	[undefined, 300_000],
	['', 300_000],
	['soon', 300_000],
	[0, 300_000],
	[0.4, 300_000],
	[-5, 300_000],
	[0.5, 1],
	[1, 1],
	['5000', 5_000],
	[500.4, 500],
	[2 ** 31, 2 ** 31 - 1],
])('a time-out of %j is %i ms', (given, ms) => {
	const { connection } = parseRequestOptions({ timeout: given });
	expect(made({}, connection).timeout).toBe(ms);
	// Of a login, too.
	expect(loginTimeout(connection)).toBe(Math.min(ms, 30_000));
});

test.each([
	['proxy.example:3128', '"proxy.example:3128"'],
	['http://name:secret@:3128', '":3128"'],
	['http://%:secret@proxy.example', '"proxy.example"'],
	[7, '7'],
])('a proxy that is no URL is an error that says what is accepted, without a password: %s', (proxy, shown) => {
	expect(() => parseRequestOptions({ proxy })).toThrow(
		`'Request Options → Proxy' is not valid: ${shown}. Enter the URL of the proxy, e.g. http://proxy.example.com:3128`,
	);
});

test.each<[string, object]>([
	['http://proxy.example:3128', { host: 'proxy.example', port: 3128, protocol: 'http' }],
	[' https://proxy.example ', { host: 'proxy.example', port: 443, protocol: 'https' }],
	['http://proxy.example', { host: 'proxy.example', port: 80, protocol: 'http' }],
	['http://[::1]:8080', { host: '[::1]', port: 8080, protocol: 'http' }],
	[
		'http://n%40me:p%3Aw@proxy.example:1',
		{ host: 'proxy.example', port: 1, protocol: 'http', auth: { username: 'n@me', password: 'p:w' } },
	],
])('a proxy is read from its URL: %s', (proxy, expected) => {
	expect(parseRequestOptions({ proxy }).connection.proxy).toEqual(expected);
});

test.each([
	[
		{ batchSize: 1, batchInterval: 1 },
		{ batchSize: 1, batchIntervalMs: 1 },
	],
	[
		{ batchSize: '2.5', batchInterval: '20' },
		{ batchSize: 2, batchIntervalMs: 20 },
	],
	[{ batchSize: -1, batchInterval: 20 }, {}],
	[
		{ batchSize: 'x', batchInterval: 20 },
		{ batchSize: 1, batchIntervalMs: 20 },
	],
	[{ batchSize: 5, batchInterval: 0 }, {}],
	[{ batchSize: 5 }, {}],
	[undefined, {}],
])('items are sent in batches as %j says', (batch, expected) => {
	expect(parseRequestOptions({ batching: { batch } })).toEqual({ connection: {}, ...expected });
});
