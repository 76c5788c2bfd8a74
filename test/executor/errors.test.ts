import type { ServerResponse } from 'node:http';

import { CredentialStore, credentialFor } from '../support/executor/credentialStore';
import { execute } from '../support/executor/execute';
import { getGateway, numbered, setPremium } from '../support/operations';
import { json, raw, RECORDED_TOKEN, Recorder } from '../support/recorder';

const SECRET = 'key-that-must-never-be-seen-81c0';

const apiError = (errors: unknown, message = 'Invalid parameters') => (response: ServerResponse) =>
	json(response, 400, { status: 'BAD_REQUEST', message, errors });

/** Answers the node's request and returns the error that stops the node. */
async function failsWith(answer: (response: ServerResponse) => void, parameters = getGateway('1')) {
	const service = await Recorder.start((_request, response) => answer(response));
	const result = await execute({
		parameters: { ...parameters, options: { maxRetries: 0 } },
		credential: credentialFor(service.url, { clientSecret: SECRET }),
	});
	await service.close();
	expect(result.error).toBeDefined();
	expect(result.output).toEqual([]);
	const everything = JSON.stringify(result.run) + JSON.stringify(result.error) + result.error?.stack;
	for (const secret of [SECRET, RECORDED_TOKEN]) {
		expect(everything.replaceAll(JSON.stringify(result.store.stored), '')).not.toContain(secret);
	}
	const { message, description, httpCode } = result.error!;
	return { message: message.replaceAll(service.url, 'URL'), description: description?.replaceAll(service.url, 'URL') ?? null, httpCode };
}

describe('the three forms of the error body', () => {
	test('a message', async () => {
		expect(await failsWith(apiError('iso is unknown'))).toEqual({
			message: 'Invalid parameters',
			description: 'iso is unknown.\nRequest: gateway 1.',
			httpCode: '400',
		});
	});

	test('a list of validation errors: one line per entry', async () => {
		const errors = [
			{ field: 'iso', message: 'must not be blank' },
			{ field: 'idTrunk', message: 'must be positive', rejected: -1 },
			'and something else',
			{ code: 7, reason: 'odd' },
		];
		expect((await failsWith(apiError(errors))).description).toBe(
			'iso: must not be blank\nidTrunk: must be positive (rejected: -1)\nand something else\ncode: 7, reason: odd.\nRequest: gateway 1.',
		);
	});

	test('errors that say no more than the message: it says so', async () => {
		expect(await failsWith(apiError('Invalid parameters'))).toMatchObject({ message: 'Invalid parameters', description: 'The service gave no details.\nRequest: gateway 1.' });
	});

	test.each([[42], [null], [true], [[]], [{}], ['']])('errors that are %j', async (errors) => {
		const { message, description } = await failsWith(apiError(errors));
		expect(message).toBe('Invalid parameters');
		expect(String(description)).not.toMatch(/undefined|\[object/);
	});

	test('a message that n8n would replace stays as the API gave it', async () => {
		expect((await failsWith(apiError('', 'EPERM: ENOENT was said'))).message).toBe('EPERM: ENOENT was said');
	});

	test('the first of many errors are shown', async () => {
		const errors = Array.from({ length: 50_000 }, (_, n) => ({ field: `field${n}`, message: 'is wrong in some way' }));
		const service = await Recorder.start((_request, response) => json(response, 400, { message: 'Invalid', errors }));
		const { error } = await execute({ parameters: getGateway('1'), credential: credentialFor(service.url) });
		expect(error?.description).toMatch(/^field0: is wrong in some way\nfield1: /);
		await service.close();
	});
});

describe('a response that is not the API\'s', () => {
	test.each<[string, (response: ServerResponse) => void, string, string]>([
		['an HTML page', (r) => raw(r, 502, 'text/html', '<!DOCTYPE html><html><head><title>502 Bad\nGateway</title></head></html>'), 'The service answered 502 with an HTML page titled "502 Bad Gateway". It probably comes from something in front of the API: a firewall, a proxy or another server', '502'],
		['an HTML page with a good status', (r) => raw(r, 200, 'text/html', '<html><body>Sign in</body></html>'), 'The service answered 200 with an HTML page. It probably comes from something in front of the API: a firewall, a proxy or another server', '200'],
		['JSON of another kind', (r) => json(r, 418, { error: { code: 1 } }), 'The service answered 418 with the JSON {"error":{"code":1}}', '418'],
	])('%s', async (_name, answer, message, httpCode) => {
		expect(await failsWith(answer)).toMatchObject({ message, httpCode });
	});

	test('a redirect is not followed, and its target is named', async () => {
		const { message, description } = await failsWith((response) => {
			response.writeHead(302, { Location: 'https://user:pw@elsewhere.example/login?token=x' }).end();
		});
		expect(message).toBe('The service answered 302 with no body');
		expect(description).toBe(
			"The service redirects (to https://elsewhere.example/login). The redirect was not followed, because the access token is sent only to the credential's base URL, URL. Check the base URL.\nRequest: gateway 1.",
		);
	});
});

describe('secrets', () => {
	test('a token and a key that the service repeats are redacted', async () => {
		const { message, description } = await failsWith((response) =>
			json(response, 400, {
				message: `Bad token ${RECORDED_TOKEN}`,
				errors: [{ field: 'clientSecret', message: SECRET }],
			}),
		);
		expect(message).toBe('Bad token ***');
		expect(description).toBe('clientSecret: ***.\nRequest: gateway 1.');
	});
});

describe('no response', () => {
	test('a connection that is closed', async () => {
		const { message, httpCode } = await failsWith((response) => response.destroy());
		expect(message).toBe('The service at URL closed the connection before it had answered');
		expect(httpCode).toBeNull();
	});

	test('a server that does not answer in time', async () => {
		const service = await Recorder.start(({ method }, response) => method === 'GET' && json(response, 200, {}));
		// The login is over before the time of the request begins.
		const { store } = await execute({ parameters: getGateway('1'), credential: credentialFor(service.url) });
		const { error } = await execute({ parameters: { ...setPremium(1, 'IT'), options: { maxRetries: 0 }, requestOptions: { timeout: 1_000 } }, credential: store });
		expect(error?.message).toBe(`The service at ${service.url} did not answer in time; if it never does, check the base URL and n8n's proxy`);
		expect(service.requests).toHaveLength(2);
		await service.close();
	});

	test('a host that does not exist', async () => {
		const { error } = await execute({
			parameters: { ...getGateway('1'), options: { maxRetries: 0 } },
			credential: credentialFor('https://no-such-host.invalid'),
		});
		expect(error?.message).toBe('Could not log in: the host name of https://no-such-host.invalid could not be found; check the base URL');
	});
});

describe('a login that gives no token', () => {
	test.each<[string, (response: ServerResponse) => void, RegExp]>([
		['no access_token', (r) => json(r, 200, {}), /^Could not log in: URL answered 200, but without a usable access token/],
		['an HTML page', (r) => raw(r, 200, 'text/html', '<html></html>'), /without a usable access token/],
		['404', (r) => raw(r, 404, 'text/html', '<html></html>'), /^Could not log in: there is no login endpoint at URL\/auth\/api-key\/login \(the service answered 404 with an HTML page\. It probably comes from something in front of the API.+\)\. Check the base URL/],
		['a 401 that repeats the key', (r) => json(r, 401, { message: `Wrong key ${SECRET}` }), /^The service did not accept the API key: Wrong key \*\*\* \(401\)/],
	])('%s', async (_name, answer, message) => {
		const service = await Recorder.start(
			(_request, response) => json(response, 200, {}),
			(_request, response) => answer(response),
		);
		const { error } = await execute({
			parameters: { ...getGateway('1'), options: { maxRetries: 0 } },
			credential: credentialFor(service.url, { clientSecret: SECRET }),
		});
		await service.close();
		expect(error?.message.replaceAll(service.url, 'URL')).toMatch(message);
		expect(JSON.stringify(error)).not.toContain(SECRET);
		expect(service.requests).toEqual([]);
	});
});

describe('secrets where a text is cut', () => {
	const TOKEN = `eyJ${'abcdefghij'.repeat(62)}.end`;
	const KEY = `key-"<&>-${'0123456789'.repeat(12)}`;

	test.each<[string, (token: string, key: string) => [number, string, string]]>([
		['text', (token, key) => [400, 'text/plain', `${'x'.repeat(60)} ${token} ${key}`]],
		['a message', (token, key) => [400, 'application/json', JSON.stringify({ message: `${'x'.repeat(300)} ${token}`, errors: `${'y'.repeat(1_700)} ${token} ${key}` })]],
		['nested errors', (token, key) => [400, 'application/json', JSON.stringify({ message: 'm', errors: { a: { b: { c: { d: { e: `${token} ${key}` } } } } } })]],
		['a title', (token) => [502, 'text/html', `<html><title>Bad ${token}</title></html>`]],
		['escaped HTML', (_token, key) => [502, 'text/html', `<html><title>${key.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]!)}</title></html>`]],
		['text that begins like JSON', (token, key) => [400, 'application/json', `{"token":"${token}","key":${JSON.stringify(key)}`]],
		['a URL', (_token, key) => [400, 'text/plain', `/login?k=${encodeURIComponent(key)}`]],
	])('in %s are redacted', async (name, answer) => {
		const service = await Recorder.start(
			(_request, response) => raw(response, ...answer(TOKEN, KEY)),
			(_request, response) => json(response, 200, { access_token: TOKEN }),
		);
		const { error } = await execute({
			parameters: { ...getGateway('1'), options: { maxRetries: 0 } },
			credential: credentialFor(service.url, { clientSecret: KEY }),
		});
		const text = `${error?.message} ${error?.description}`;
		expect(text).not.toMatch(/eyJabc|0123456789|key-/);
		// Of a text that begins like JSON nothing is shown.
		expect(text).toContain(name === 'text that begins like JSON' ? 'JSON that is cut off or damaged' : '***');
		await service.close();
	});

	test('a token that was replaced during its request is redacted as well', async () => {
		let logins = 0;
		const service = await Recorder.start(
			(request, response) => {
				const token = String(request.headers.authorization).slice(7);
				if (request.target.endsWith('/0')) setTimeout(() => json(response, 400, { message: `You sent ${token}`, errors: '' }), 150);
				else if (token.endsWith('1')) setTimeout(() => json(response, 401, { message: 'Expired', errors: '' }), 20);
				else json(response, 200, { ok: true });
			},
			(_request, response) => json(response, 200, { access_token: `issued-token-number-${++logins}` }),
		);
		const store = new CredentialStore(credentialFor(service.url));
		const { run, output } = await execute({
			items: numbered(2),
			parameters: getGateway('={{ $json.n }}'),
			credential: store,
			settings: { onError: 'continueRegularOutput' },
		});
		expect(output[0]?.json.error).toMatchObject({ message: 'You sent ***' });
		expect(service.logins).toHaveLength(2);
		expect(JSON.stringify(run)).not.toContain('issued-token-number');
		await service.close();
	});
});
