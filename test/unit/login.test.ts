import { Readable } from 'node:stream';

import { parseCredential } from '../../nodes/VoiceAdmin/transport/auth/credential';
import { lifetimeOf, login, type LoginError } from '../../nodes/VoiceAdmin/transport/auth/login';
import { requiresWait } from '../../nodes/VoiceAdmin/transport/response/classifyFailure';
import { credentialFor } from '../support/executor/credentialStore';

const KEY = 'key-of-the-login-2c7f';

const jwt = (claims: unknown) => `{}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.signature`;

test.each<[string, string, unknown, number]>([
	['the time from iat to exp of a JWT', jwt({ iat: 1_000, exp: 1_600 }), undefined, 600_000],
	["the login's expires_in", 'opaque', 300, 300_000],
	["the login's expires_in as text", 'opaque', '300', 300_000],
	['the shorter of both', jwt({ iat: 0, exp: 900 }), 600, 600_000],
	['a second at least', jwt({ iat: 0, exp: 1 }), '1', 1_000],
	['not known where it would be over before its first use', jwt({ iat: 5, exp: 5.9 }), 1e-9, Infinity],
	['not known without iat', jwt({ exp: 1_600 }), undefined, Infinity],
	['not known of a token that is none', 'a.b.c', undefined, Infinity],
	['not known where it is no number', jwt({ iat: {}, exp: [] }), 'soon', Infinity],
	['not known of null', jwt(null), null, Infinity],
	['not known of lists', jwt({ iat: [0], exp: [600] }), [300], Infinity],
	['not known of an object without a text', 'opaque', { toString: 1 }, Infinity],
])('the lifetime of a token is %s', (_what, token, expiresIn, lifetimeMs) => {
	expect(lifetimeOf(token, expiresIn)).toBe(lifetimeMs);
});

describe('the error of a login', () => {
	const failsWith = async (answer: object | Error, known: string[] = []) => {
		const httpRequest = async () => await (answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer));
		const credential = parseCredential(credentialFor('http://api.example.com', { clientSecret: KEY }));
		return await login({ helpers: { httpRequest } } as never, credential, known).catch((error: unknown) => error);
	};
	const response = (statusCode: number, body: string) => ({
		statusCode,
		headers: {},
		body: Readable.from([Buffer.from(body)]),
	});

	test('without a response gives the reason, and does not repeat the key', async () => {
		expect(await failsWith(new Error(`bad header ${KEY}`))).toMatchObject({
			code: 'login_failed',
			message: expect.stringMatching(/^Couldn't log in: .*bad header \*\*\*$/),
			isKeyRejected: false,
			classification: { outcome: 'unknown', isTransient: false },
		});
	});

	test.each([
		[400, true, "The service didn't accept the API key: the service returned 400 with no body. Check"],
		[401, true, "The service didn't accept the API key"],
		[403, true, "The service didn't accept the API key"],
		[
			302,
			false,
			"there's no login endpoint at http://api.example.com/auth/api-key/login: the service returned 302 with no body. Check",
		],
		[404, false, "Couldn't log in: there's no login endpoint"],
		[405, false, "Couldn't log in: there's no login endpoint"],
		[
			402,
			false,
			"Couldn't log in: the service returned 402 with no body. The API key may still be right. Try again later",
		],
		[429, false, "Couldn't log in: the service returned 429 with no body."],
		[503, false, "Couldn't log in: the service returned 503 with no body."],
		[500, false, "Couldn't log in: the service returned 500 with no body."],
	])('for %i says whether the key is at fault, or the service is away: %s', async (status, isKeyRejected, message) => {
		const error = (await failsWith(response(status, ''))) as LoginError;
		expect(requiresWait(error.classification)).toBe([429, 503].includes(status));
		expect(error).toMatchObject({
			classification: { status },
			isKeyRejected,
			message: expect.stringContaining(message),
		});
	});

	test.each([
		['upstream says no', 'the text "upstream says no"'],
		['<html><title>Access denied</title>', 'an HTML page titled "Access denied"'],
	])("of %s, which is not the API's, says nothing of the key", async (body, described) => {
		const message = expect.stringMatching(
			`^Couldn't log in: the service returned 403 with ${described}.*The API key may still be`,
		);
		expect(await failsWith(response(403, body))).toMatchObject({ isKeyRejected: false, message });
	});

	const withoutToken = [
		'',
		'<html></html>',
		'{"access_token":""}',
		'{"access_token":"a\\r\\nb"}',
		'{"access_token":"a b"}',
		'{"access_token":"ä"}',
		`{"access_token":"${'x'.repeat(12_001)}"}`,
		'{"access_token":"x',
		'{"access_token":{"toString":1}}',
	];
	test.each(withoutToken.map((body) => [body.slice(0, 40), body]))(
		'for 200 with the body %j says that it holds no usable token',
		async (_beginning, body) => {
			expect(await failsWith(response(200, body))).toMatchObject({
				classification: { status: 200 },
				isKeyRejected: false,
				message: expect.stringMatching(
					/^Couldn't log in: http\S+ returned 200, but no usable access token\. Check the base URL/,
				),
			});
		},
	);
});
