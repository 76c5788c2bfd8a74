import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import {
	addCustomer,
	closedAfterTest,
	credentialFor,
	CredentialStore,
	execute,
	getGateway,
	httpRequest,
	newerHttpRequest,
	Polling,
	type Recorder,
	startService,
	testCredential,
} from '../support/executor';
import { startSelfSigned } from '../support/secureService';

const SECRET = 'api-key-of-this-test-5b2a';
const LENIENT = { allowUnauthorizedCerts: true };
const NOT_TRUSTED = /the TLS certificate of https:\/\/127\.0\.0\.1:\d+ isn't trusted/i;

const credentialOf = ({ url }: Recorder, more: Partial<ICredentialDataDecryptedObject> = {}) =>
	credentialFor(url, { clientSecret: SECRET, ...more } as ICredentialDataDecryptedObject);
let service: Recorder;

describe("the credential's test", () => {
	test('names the reason: a server that is down', async () => {
		// By n8n's helper for such a test, whose messages n8n replaces.
		const message = expect.stringMatching(/^Couldn't log in: nothing is listening at http:\/\/127\.0\.0\.1:9/);
		expect(await testCredential(credentialFor('http://127.0.0.1:9'))).toEqual({ status: 'Error', message });
		const parameters = { ...getGateway('1'), options: { maxWait: 0 } };
		expect((await execute({ parameters, credential: credentialFor('http://127.0.0.1:9') })).error).toMatchObject({
			message: "Couldn't log in: nothing is listening at http://127.0.0.1:9 (connection refused)",
			description: expect.stringMatching(/^Check the base URL, and whether .* is running\. In Docker, .*\n/),
		});
	});

	test('follows no redirect, which would be sent the key, and nor does a login of the node', async () => {
		const elsewhere = await startService(() => {});
		const to = { Location: `${elsewhere.url}/auth/api-key/login` };
		service = await startService(
			() => {},
			(_request, response) => void response.writeHead(307, to).end(),
		);
		const message = expect.stringContaining('/auth/api-key/login: the service returned 307 with no body');
		expect(await testCredential(credentialOf(service))).toEqual({ status: 'Error', message });
		const { error } = await execute({ parameters: getGateway('1'), credential: credentialOf(service) });
		expect(error).toMatchObject({ message });
		expect([service.logins.length, elsewhere.logins.length]).toEqual([2, 0]);
	});
});

describe('a service with a self-signed certificate', () => {
	beforeEach(async () => {
		service = closedAfterTest(await startSelfSigned());
	});

	test('gets nothing: no login, no request, no poll, and the credential test says why', async () => {
		const credential = credentialOf(service);
		for (const parameters of [getGateway('1'), addCustomer('1')]) {
			const { error } = await execute({ parameters, credential });
			expect(error?.message).toMatch(NOT_TRUSTED);
			expect(String(error?.description)).not.toContain('Look for');
		}
		expect((await new Polling({ gatewayIds: '1' }, credential).poll()).error?.message).toMatch(NOT_TRUSTED);
		expect(await testCredential(credential)).toEqual({ status: 'Error', message: expect.stringMatching(NOT_TRUSTED) });
		expect(service.arrived).toEqual([]);
	});

	test('is trusted with Ignore SSL Issues in the credential: for login, requests, poll, test and other nodes', async () => {
		const credential = credentialOf(service, LENIENT);
		expect((await execute({ parameters: addCustomer('1'), credential })).output).toHaveLength(1);
		expect((await new Polling({ gatewayIds: '1' }, credential).poll()).error).toBeUndefined();
		expect(await testCredential(credential)).toEqual({ status: 'OK', message: 'The API key works' });
		expect(service.arrived).toEqual([
			'POST /auth/api-key/login',
			'POST /v1/customers/add',
			'GET /v1/voip/dss/gtw/1',
			'POST /auth/api-key/login',
		]);
		for (const request of [httpRequest, newerHttpRequest])
			expect((await request(`${service.url}/x`, new CredentialStore(credential))).statusCode).toBe(200);
	});

	test('gets no request of a credential that does not ignore SSL issues, though there is a token', async () => {
		await execute({ parameters: getGateway('1'), credential: credentialOf(service, LENIENT) });
		const strict = credentialOf(service);
		for (const parameters of [getGateway('1'), addCustomer('1')]) {
			const { error } = await execute({ parameters, credential: strict });
			expect(error?.message).toMatch(NOT_TRUSTED);
			expect(error?.context).toMatchObject({ code: 'connection_failed', outcome: 'not_sent' });
		}
		expect(service.arrived).toEqual(['POST /auth/api-key/login', 'GET /v1/voip/dss/gtw/1']);
	});
});

test.each<[string, Buffer]>([
	['that is closed', Buffer.alloc(0)],
	['that is answered by an alert', Buffer.from([21, 3, 3, 0, 2, 2, 40])],
	['that is answered without TLS', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')],
])('a create whose TLS handshake fails was not sent: one %s', async (_name, answer) => {
	service = closedAfterTest(await startSelfSigned());
	let connections = 0;
	// Carries the login.
	const front = createServer((socket) => {
		socket.on('error', () => {});
		if (connections++ > 0) return void socket.once('data', () => socket.end(answer));
		const target = connect(Number(new URL(service.url).port), '127.0.0.1').on('error', () => {});
		socket.pipe(target).pipe(socket);
	}).listen(0, '127.0.0.1');
	await once(front, 'listening');
	const url = `https://127.0.0.1:${(front.address() as AddressInfo).port}`;
	const parameters = addCustomer('1', { options: { maxRetries: 0, maxWait: 0 } });
	const { error } = await execute({
		parameters,
		credential: credentialFor(url, LENIENT as ICredentialDataDecryptedObject),
	});
	front.close();
	expect(error?.context).toMatchObject({ code: 'connection_failed', outcome: 'not_sent' });
	expect([connections, service.arrived]).toEqual([2, ['POST /auth/api-key/login']]);
});
