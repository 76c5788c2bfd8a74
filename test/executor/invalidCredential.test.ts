import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import {
	credentialFor,
	CredentialStore,
	execute,
	getGateway,
	httpRequest,
	json,
	Polling,
	type Recorder,
	startService,
	testCredential,
} from '../support/executor';

let service: Recorder;

beforeEach(async () => {
	service = await startService((_request, response) => json(response, 200, { id: '1' }));
});

const restrictedTo = (allowedDomains: string) =>
	credentialFor(service.url, { allowedHttpRequestDomains: 'domains', allowedDomains });

const NOT_ALLOWED = /^'Allowed HTTP Request Domains' in the credential doesn't include 127\.0\.0\.1, the host of/;

describe.each<[string, () => ICredentialDataDecryptedObject, RegExp]>([
	['whose Allowed HTTP Request Domains do not include the host', () => restrictedTo('api.example.com'), NOT_ALLOWED],
	[
		'whose key is the text of an expression',
		() => credentialFor(service.url, { clientSecret: '{{ $secrets.vault.hunter2 }}' }),
		/^'Client Secret' in the credential is the text of an expression\. Set the field to 'Expression', or enter its value$/,
	],
])('a credential %s', (_name, credential, message) => {
	test('sends nothing, and the node, the trigger and the test of the credential say why', async () => {
		const { error } = await execute({ parameters: getGateway('1'), credential: credential() });
		const polled = await new Polling({ gatewayIds: '1' }, credential()).poll();
		for (const each of [error, polled.error]) {
			expect(each?.message).toMatch(message);
			expect(each?.context).toMatchObject({ code: 'invalid_credential', outcome: 'not_sent' });
		}
		expect((await testCredential(credential())).message).toMatch(message);
		expect(JSON.stringify([error, polled])).not.toContain('hunter2');
		expect(service.arrived).toEqual([]);
	});

	test("sends nothing for n8n's HTTP Request node, not even a login", async () => {
		await expect(httpRequest(`${service.url}/x`, new CredentialStore(credential()))).rejects.toThrow();
		expect(service.arrived).toEqual([]);
	});
});

test('a credential whose Allowed HTTP Request Domains include the host works, in the node and in the HTTP Request node', async () => {
	const credential = restrictedTo('other.example, 127.0.0.1');
	expect((await execute({ parameters: getGateway('1'), credential })).error).toBeUndefined();
	expect((await httpRequest(`${service.url}/x`, new CredentialStore(credential))).statusCode).toBe(200);
	expect(service.arrived).toEqual(['POST /auth/api-key/login', 'GET /v1/voip/dss/gtw/1', 'GET /x']);
});
