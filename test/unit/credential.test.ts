import { parseCredential } from '../../nodes/VoiceAdmin/transport/auth/credential';
import { withTokenHeader } from '../../nodes/VoiceAdmin/transport/auth/tokenHeader';
import { credentialFor } from '../support/executor/credentialStore';

const parsed = (more: object = {}) => parseCredential(credentialFor('https://api.example.com', more));
const fingerprint = (more: object = {}) => parsed(more).fingerprint;

describe('a credential', () => {
	test('is read field by field, without white space around them', () => {
		const data = credentialFor(' https://api.example.com/v1// ', {
			clientId: ' demo-client ',
			clientSecret: 'demo-key-not-a-secret\r\n',
			authHeaderName: ' X-Token ',
			authHeaderPrefix: ' Token ',
			allowUnauthorizedCerts: true,
		});
		expect(parseCredential(data)).toEqual({
			data,
			baseUrl: 'https://api.example.com/v1',
			clientId: 'demo-client',
			clientSecret: 'demo-key-not-a-secret',
			account: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/),
			fingerprint: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/),
			authHeaderName: 'X-Token',
			authHeaderPrefix: 'Token',
			allowUnauthorizedCerts: true,
		});
	});

	test.each([
		['production', 'api'],
		['staging', 'staging'],
		[' Staging\n', 'staging'],
	])('of %j has its URL: %s', (environment, host) => {
		expect(parsed({ stagingUrl: 'https://staging.example.com', environment }).baseUrl).toBe(
			`https://${host}.example.com`,
		);
	});

	test.each([undefined, null, '', 'prod', 'stage', 'toString', true, {}])(
		'with the environment %j has no base URL',
		(environment) => {
			expect(() => parsed({ stagingUrl: 'https://staging.example.com', environment })).toThrow(
				/^'Environment' in the credential isn't valid: .+\. Enter production or staging$/,
			);
		},
	);

	test('has the same fingerprint as another for the same service and key, and for no other', () => {
		expect(fingerprint({ authHeaderName: 'X-Token', allowUnauthorizedCerts: true })).toBe(fingerprint());
		const others = [
			{},
			{ clientId: 'demo-client-2' },
			{ clientSecret: 'other' },
			{ baseUrl: 'https://api.example.com/v2' },
		];
		expect(new Set(others.map(fingerprint)).size).toBe(4);
		expect(fingerprint({ clientId: 'a', clientSecret: 'bc' })).not.toBe(
			fingerprint({ clientId: 'ab', clientSecret: 'c' }),
		);
	});

	test.each<[string, object, string]>([
		[
			'no base URL',
			{ baseUrl: ' ' },
			"'Production Base URL' in the credential is required. Enter the address of the service, e.g. https://api.example.com",
		],
		[
			'no scheme',
			{ baseUrl: 'api.example.com' },
			"'Production Base URL' in the credential isn't a URL: \"api.example.com\". Enter",
		],
		[
			'no scheme, and a password',
			{ baseUrl: '//user:hunter2@api.example.com?key=hunter2' },
			'isn\'t a URL: "api.example.com". Enter',
		],
		['a user name', { baseUrl: 'https://user@api.example.com' }, 'must not contain a user name or password. Enter'],
		[
			'a query',
			{ baseUrl: 'https://api.example.com/?key=hunter2' },
			'must not contain spaces, "?" or "#": "https://api.example.com/". Enter',
		],
		[
			'a header name with a line break',
			{ authHeaderName: 'X\r\nEvil: 1' },
			"'Token Header Name' in the credential can't be used as a header: \"X\\r\\nEvil: 1\". Enter",
		],
		[
			'a prefix with a line break',
			{ authHeaderPrefix: 'Bearer\r\nEvil:' },
			"'Token Prefix' in the credential can't be sent in a header: \"Bearer\\r\\nEvil:\". Enter a word such as Bearer, or leave it empty",
		],
		['no client ID', { clientId: ' ' }, "'Client ID' in the credential is required. Enter what your provider gave you"],
		...['{{ $secrets.hunter2 }}', '={{ $secrets.hunter2 }}', ' = {{$json.hunter2}}\n'].map(
			(clientSecret): [string, object, string] => [
				`the text of an expression, ${clientSecret}`,
				{ clientSecret },
				"'Client Secret' in the credential is the text of an expression. Set the field to 'Expression', or enter its value",
			],
		),
	])('with %s is not valid, and the error says no password', (_name, more, message) => {
		const error = (() => {
			try {
				parsed(more);
			} catch (caught) {
				return caught as Error & { code: string };
			}
		})();
		expect(error?.message).toContain(message);
		expect(error?.message).not.toContain('hunter2');
		expect(error?.code).toBe('invalid_credential');
	});
});

describe('Allowed HTTP Request Domains', () => {
	const restricted = (baseUrl: string, allowedDomains: unknown, allowedHttpRequestDomains = 'domains') =>
		parsed({ baseUrl, allowedDomains, allowedHttpRequestDomains });

	test.each([
		['https://api.example.com', 'api.example.com'],
		['https://API.example.com./v1', ' other.example , Api.Example.com. '],
		['https://api.example.com', '*.example.com'],
		['https://a.b.example.com:8443', '*.example.com'],
		['http://127.0.0.1:5678', '127.0.0.1'],
	])('let requests go to %s where they include it: %j', (baseUrl, allowedDomains) => {
		expect(restricted(baseUrl, allowedDomains).baseUrl).toMatch(/^http/);
	});

	test.each([
		['https://api.example.com', 'example.com'],
		['https://example.com', '*.example.com'],
		['https://evilexample.com', '*.example.com'],
		['https://api.example.com.evil.example', 'api.example.com'],
		['https://api.example.com', '*'],
		['https://api.example.com', ' , '],
		['https://api.example.com', undefined],
	])('let no request go to %s where they do not: %j', (baseUrl, allowedDomains) => {
		const { host } = new URL(baseUrl);
		expect(() => restricted(baseUrl, allowedDomains)).toThrow(
			`'Allowed HTTP Request Domains' in the credential doesn't include ${host}, the host of 'Production Base URL'. Add it to 'Allowed Domains', or correct the base URL`,
		);
	});

	test.each(['all', 'none'])('are those of other nodes alone where they say %s', (mode) => {
		expect(restricted('https://api.example.com', 'other.example', mode).baseUrl).toBe('https://api.example.com');
	});
});

describe('a request of another node', () => {
	const request = { url: 'https://api.example.com/x', headers: { accept: 'application/json' } };
	const NOT_REDIRECTED = {
		sendCredentialsOnCrossOriginRedirect: false,
		disableFollowRedirect: true,
		followRedirect: false,
		followAllRedirects: false,
	};

	test('without a token has no header of one, and follows no redirect', () => {
		const headers = { accept: 'application/json' };
		expect(withTokenHeader(parsed(), undefined, request)).toEqual({ url: request.url, ...NOT_REDIRECTED, headers });
		expect(request.headers).toEqual(headers);
	});

	test.each([
		{ url: 'https://api.example.com/v1/x' },
		{ url: 'https://API.example.com:443' },
		{ url: '/x', baseURL: 'https://api.example.com' },
		{ url: '', uri: 'https://api.example.com/x' },
	])('gets the token for its own service: %j', (own) => {
		expect(withTokenHeader(parsed(), 't', own).headers).toEqual({ Authorization: 'Bearer t' });
	});

	test.each<[{ url: string; baseURL?: string; uri?: string }, string]>([
		[{ url: 'https://evil.example/' }, 'https://evil.example'],
		[{ url: 'http://api.example.com/' }, 'http://api.example.com'],
		[{ url: 'https://api.example.com.evil.example/' }, 'https://api.example.com.evil.example'],
		[{ url: 'https://api.example.com@evil.example/' }, 'https://evil.example'],
		[{ url: '', uri: 'https://evil.example/x' }, 'https://evil.example'],
		[{ url: '//evil.example/' }, "an address that isn't a URL"],
		[{ url: 'file:///etc/passwd' }, 'null'],
	])('gets it for no other: %j', (other, named) => {
		const problem = `The access token of this credential can be sent only to https://api.example.com, not to ${named}. Choose`;
		expect(() => withTokenHeader(parsed(), 't', other)).toThrow(problem);
	});
});
