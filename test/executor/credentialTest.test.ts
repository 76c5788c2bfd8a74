import { CredentialTestContext } from 'n8n-core';
import type { ICredentialsDecrypted } from 'n8n-workflow';

import { testVoiceAdminApi } from '../../nodes/VoiceAdmin/methods/credentialTest';
import type { Sandbox } from '../../sandbox';
import { credentialFor } from '../support/executor/credentialStore';
import { sandboxOfEachTest } from '../support/executor/sandboxOfEachTest';
import { Recorder } from '../support/recorder';

let sandbox: Sandbox;

sandboxOfEachTest((started) => { sandbox = started; });

describe("the credential's test", () => {
	const testOf = async (more: object) =>
		await testVoiceAdminApi.call(new CredentialTestContext(), {
			id: '1', name: 'x', type: 'voiceAdminApi',
			data: { ...credentialFor(sandbox.url), ...more },
		} as ICredentialsDecrypted);

	test('says that a valid key works', async () => {
		expect(await testOf({})).toEqual({ status: 'OK', message: 'The API key works' });
		expect(sandbox.state().counters.logins).toBe(1);
	});

	test.each<[string, object, RegExp]>([
		['a wrong key', { clientSecret: 'nope' }, /^The service did not accept the API key: The client id or the API key is not valid \(401\)\. Check 'Client ID'/],
		['a server that is down', { baseUrl: 'http://127.0.0.1:9' }, /^Could not log in: nothing answers at http:\/\/127\.0\.0\.1:9 \(connection refused\); check the base URL, and whether the service is running$/],
		['a host that does not exist', { baseUrl: 'https://no-such-host.invalid' }, /the host name of https:\/\/no-such-host\.invalid could not be found; check the base URL$/],
		['a wrong address', { baseUrl: 'not a url' }, /^'Production Base URL' in the credential is not a URL: "not a url"/],
		['an address with no login', { baseUrl: 'BASE/api' }, /^Could not log in: there is no login endpoint at .+ Check the base URL/],
	])('names the reason: %s', async (_name, more, message) => {
		const given = JSON.parse(JSON.stringify(more).replace('BASE', sandbox.url)) as object;
		const result = await testOf(given);
		expect(result.status).toBe('Error');
		expect(result.message).toMatch(message);
	});

	test.each<[string, number, Record<string, string>, string]>([
		['a web page that answers 200', 200, { 'Content-Type': 'text/html' }, '<html></html>'],
		['a redirect', 302, { Location: 'https://elsewhere.example/' }, ''],
	])('fails for %s', async (_name, status, headers, body) => {
		const service = await Recorder.start(() => {}, (_request, response) => { response.writeHead(status, headers).end(body); });
		expect((await testOf({ baseUrl: service.url })).status).toBe('Error');
		await service.close();
	});
});
