import { Readable } from 'node:stream';

import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { VoiceAdminApi } from '../../credentials/VoiceAdminApi.credentials';
import { type Sandbox, startSandbox } from '../../sandbox';
import { credentialFor } from '../support/credentialStore';
import { execute } from '../support/execute';
import { addCustomer, getGateway, numbered, setPremium } from '../support/operations';
import { json, raw, RECORDED_TOKEN, Recorder } from '../support/recorder';

describe('a redirect to another host', () => {
	test.each([301, 302, 303, 307, 308])('%i: gets neither the token nor the body', async (status) => {
		const elsewhere = await Recorder.start((_request, response) => json(response, 200, { stolen: true }));
		const service = await Recorder.start((_request, response) => {
			response.writeHead(status, { Location: `${elsewhere.url}/collect` }).end();
		});
		for (const parameters of [getGateway('1'), setPremium(1, 'IT'), addCustomer('1')]) {
			const { error } = await execute({ parameters, credential: credentialFor(service.url) });
			expect(error?.description).toContain(`redirects (to ${elsewhere.url}/collect)`);
		}
		expect([...elsewhere.requests, ...elsewhere.logins]).toEqual([]);
		await Promise.all([elsewhere.close(), service.close()]);
	});

	test('a redirect of the login: does not get the key', async () => {
		const elsewhere = await Recorder.start((_request, response) => json(response, 200, { access_token: 'x' }));
		const service = await Recorder.start(
			(_request, response) => json(response, 200, {}),
			(_request, response) => { response.writeHead(307, { Location: `${elsewhere.url}/auth/api-key/login` }).end(); },
		);
		const { error } = await execute({ parameters: getGateway('1'), credential: credentialFor(service.url) });
		expect(error?.message).toMatch(/^Could not log in: there is no login at/);
		expect([...elsewhere.requests, ...elsewhere.logins]).toEqual([]);
		await Promise.all([elsewhere.close(), service.close()]);
	});
});

describe('the credential in the HTTP Request node', () => {
	const body = () => Readable.from([Buffer.from(JSON.stringify({ access_token: RECORDED_TOKEN }))]);
	const helpers = { helpers: { httpRequest: async () => ({ statusCode: 200, headers: {}, body: body() }) } };

	/** As n8n does: one object for both. */
	const authenticate = async (request: IHttpRequestOptions, more: Partial<ICredentialDataDecryptedObject> = {}) => {
		const type = new VoiceAdminApi();
		const credential = credentialFor('https://api.example.com/base', more);
		await type.preAuthentication.call(helpers as never, credential);
		return await type.authenticate(credential, request);
	};

	test('sends the token to its own service', async () => {
		const request = await authenticate({ url: 'https://api.example.com/anything' });
		expect(request.headers).toEqual({ Authorization: `Bearer ${RECORDED_TOKEN}` });
	});

	test.each([
		[false, { accessToken: '', usesExpressions: expect.stringMatching(/^=/) }],
		[true, {}],
	])('gives n8n no token to store, and nothing at all if it uses expressions: %s', async (usesExpressions, again) => {
		const type = new VoiceAdminApi();
		const credential = { ...credentialFor('https://api.example.com/base'), usesExpressions };
		expect(await type.preAuthentication.call(helpers as never, credential)).toEqual({});
		await type.authenticate(credential, { url: 'https://api.example.com/x' });
		// The request has failed.
		expect(await type.preAuthentication.call(helpers as never, credential)).toEqual(again);
	});

	test.each([
		'https://evil.example/', 'http://api.example.com/', 'https://api.example.com:8443/', 'https://api.example.com.evil.example/',
		'https://api.example.com@evil.example/', '//evil.example/', 'https://evil.example/https://api.example.com', 'file:///etc/passwd', 'not a url', '',
	])('is not sent to %j', async (url) => {
		await expect(authenticate({ url })).rejects.toThrow('The access token of this credential is sent to https://api.example.com only');
	});

	test('is not sent to a base URL elsewhere, nor by the older form of a request', async () => {
		await expect(authenticate({ url: '/x', baseURL: 'https://evil.example' })).rejects.toThrow('is sent to');
		await expect(authenticate({ uri: 'https://evil.example/x' } as never)).rejects.toThrow('is sent to');
		expect((await authenticate({ uri: 'https://api.example.com/x' } as never)).headers).toHaveProperty('Authorization');
	});

	test.each(['Authorization', 'X-Token'])('follows no redirect with the token in %s, not even to a subdomain', async (authHeaderName) => {
		const request = await authenticate({ url: 'https://api.example.com/' }, { authHeaderName });
		expect(request).toMatchObject({ disableFollowRedirect: true, followRedirect: false, followAllRedirects: false });
	});
});

describe('malformed responses', () => {
	let sandbox: Sandbox;
	beforeAll(async () => { sandbox = await startSandbox(); });
	afterAll(async () => { await sandbox.close(); });

	test.each<[string, object]>([
		['errors that are a number', { fault: 'wrongJson' }],
		['a body that is a list', { fault: 'wrongJson', status: 500, body: [1, 2] }],
		['a body that is a number', { fault: 'wrongJson', status: 404, body: 7 }],
		['a message that is an object', { fault: 'wrongJson', body: { message: { a: 1 }, errors: { b: [{}] } } }],
		['a message that is empty', { fault: 'wrongJson', body: { message: '', errors: null } }],
		['keys that are prototypes', { fault: 'wrongJson', body: JSON.parse('{"__proto__":{"message":"p"},"errors":{"__proto__":"x","constructor":1}}') }],
		['an HTML page', { fault: 'htmlPage' }],
		['an HTML page with a good status', { fault: 'htmlPage', status: 200 }],
		['JSON that is cut off', { fault: 'truncatedJson', status: 500 }],
		['no body', { fault: 'emptyBody' }],
	])('%s: a readable message, with the status', async (_name, fault) => {
		sandbox.setFaults({ rules: [{ ...fault, method: 'GET' } as never] });
		const { error } = await execute({
			parameters: { ...getGateway('1'), options: { maxRetries: 0 } },
			credential: credentialFor(sandbox.url),
		});
		const text = `${error?.message}\n${error?.description}`;
		expect(error?.httpCode).toMatch(/^[0-9]{3}$/);
		expect(error?.message).toMatch(/\w{3}/);
		expect(text).not.toMatch(/undefined|null|\[object/);
	});

	test.each<[string, object]>([
		['a login without a token', { fault: 'loginWithoutToken' }],
		['a token that is a number', { fault: 'loginTokenOfWrongType' }],
		['a token that is an object', { fault: 'loginTokenOfWrongType', accessToken: { a: 1 } }],
		['a token with a line break', { fault: 'loginTokenOfWrongType', accessToken: 'a\r\nX-Evil: 1' }],
		['a login that is an HTML page', { fault: 'htmlPage', status: 200, path: '/auth' }],
		['a login that is cut off', { fault: 'truncatedJson', path: '/auth' }],
	])('%s: says that there is no usable token', async (_name, fault) => {
		// So that the process's token, which the sandbox issued, is replaced by a login.
		sandbox.expireTokens();
		sandbox.setFaults({ rules: [fault as never] });
		const { error, output } = await execute({
			items: numbered(30),
			parameters: getGateway('1'),
			credential: credentialFor(sandbox.url),
		});
		expect(error?.message).toMatch(/without a usable access token/);
		expect(output).toEqual([]);
	});

	test('a response with the wrong content type is read as what it is', async () => {
		const service = await Recorder.start((_request, response) => raw(response, 200, 'text/html', '{"id":"1"}'));
		const { output } = await execute({ parameters: getGateway('1'), credential: credentialFor(service.url) });
		expect(output[0]?.json).toEqual({ id: '1' });
		await service.close();
	});

	test('a response with a prototype in it changes no prototype', async () => {
		const service = await Recorder.start((_request, response) => raw(response, 200, 'application/json', '{"__proto__":{"polluted":true},"id":"1"}'));
		const { output } = await execute({ parameters: getGateway('1'), credential: credentialFor(service.url) });
		expect(output[0]?.json.id).toBe('1');
		expect(({} as Record<string, unknown>).polluted).toBeUndefined();
		await service.close();
	});
});
