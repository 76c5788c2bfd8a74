import type { Sandbox } from '../../sandbox';
import { credentialFor } from '../support/executor/credentialStore';
import { sandboxOfEachTest } from '../support/executor/sandboxOfEachTest';
import { testCredential } from '../support/executor/testCredential';
import { startService } from '../support/executor/startService';

let sandbox: Sandbox;

sandboxOfEachTest((started) => { sandbox = started; });

describe("the credential's test", () => {
	const testOf = async (more: object) => await testCredential(credentialFor(sandbox.url, more));

	test('says that a valid key works', async () => {
		expect(await testOf({})).toEqual({ status: 'OK', message: 'The API key works' });
		expect(sandbox.state().counters.logins).toBe(1);
	});

	// By n8n's helper for such a test: whose messages n8n replaces, and what it would follow.
	test.each<[string, object, RegExp]>([
		['a wrong key', { clientSecret: 'nope' }, /^The service did not accept the API key: The client id or the API key is not valid/],
		['a server that is down', { baseUrl: 'http://127.0.0.1:9' }, /^Could not log in: nothing answers at http:\/\/127\.0\.0\.1:9/],
		['a host that does not exist', { baseUrl: 'https://no-such-host.invalid' }, /no-such-host\.invalid could not be found/],
		['a wrong address', { baseUrl: 'not a url' }, /^'Production Base URL' in the credential is not a URL: "not a url"/],
	])('names the reason: %s', async (_name, more, message) => {
		expect(await testOf(more)).toEqual({ status: 'Error', message: expect.stringMatching(message) });
	});

	test('does not follow a redirect, which would be sent the key', async () => {
		const elsewhere = await startService(() => {});
		const service = await startService(() => {}, (_request, response) => {
			response.writeHead(307, { Location: `${elsewhere.url}/auth/api-key/login` }).end();
		});
		expect((await testOf({ baseUrl: service.url })).status).toBe('Error');
		expect([service.logins.length, elsewhere.logins.length]).toEqual([1, 0]);
	});
});
