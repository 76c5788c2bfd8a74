import type { ServerResponse } from 'node:http';

import { CredentialStore, credentialFor } from '../support/executor/credentialStore';
import { execute } from '../support/executor/execute';
import { startService } from '../support/executor/startService';
import { getGateway, numbered } from '../support/operations';
import { json, RECORDED_TOKEN, raw, type Script } from '../support/recorder';

const SECRET = 'key-that-must-never-be-seen-81c0';

/** The error that stops the node, where all of the run holds no secret. */
async function failsWith(answer: (response: ServerResponse) => void, logIn?: Script) {
	const service = await startService((_request, response) => answer(response), logIn);
	const result = await execute({
		parameters: { ...getGateway('1'), options: { maxRetries: 0 } },
		credential: credentialFor(service.url, { clientSecret: SECRET }),
	});
	expect(result.output).toEqual([]);
	const everything = JSON.stringify(result.run) + JSON.stringify(result.error) + result.error?.stack;
	for (const secret of [SECRET, RECORDED_TOKEN]) {
		expect(everything.replaceAll(JSON.stringify(result.store.stored), '')).not.toContain(secret);
	}
	const { message, description, httpCode } = result.error!;
	return { message: message.replaceAll(service.url, 'URL'), description: description?.replaceAll(service.url, 'URL') ?? null, httpCode };
}

const ofApi = (message: string, errors: unknown) => (response: ServerResponse) =>
	json(response, 400, { status: 'BAD_REQUEST', message, errors });

/** What n8n makes of an error: the words themselves are tested in `unit`. */
describe('the error that stops the node', () => {
	test("has the API's message, its errors a line each, and its status", async () => {
		const errors = [{ field: 'iso', message: 'must not be blank' }, 'and something else'];
		expect(await failsWith(ofApi('Invalid parameters', errors))).toEqual({
			message: 'Invalid parameters',
			description: 'iso: must not be blank\nand something else.\nRequest: gateway 1.',
			httpCode: '400',
		});
	});

	test('has a message that n8n would replace as the API gave it', async () => {
		expect((await failsWith(ofApi('EPERM: ENOENT was said', ''))).message).toBe('EPERM: ENOENT was said');
	});

	test('of a login names no key that the service repeats', async () => {
		const { message } = await failsWith(() => {}, (_request, response) => json(response, 401, { message: `Wrong key ${SECRET}` }));
		expect(message).toMatch(/^The service did not accept the API key: Wrong key \*\*\* \(401\)/);
	});
});

describe('secrets that the service repeats', () => {
	const TOKEN = `eyJ${'abcdefghij'.repeat(62)}.end`;
	const KEY = `key-"<&>-${'0123456789'.repeat(12)}`;
	const escaped = KEY.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
	const long = { message: `${'x'.repeat(300)} ${TOKEN}`, errors: `${'y'.repeat(1_700)} ${TOKEN} ${KEY}` };

	test.each<[string, number, string, string]>([
		['a message', 400, 'application/json', JSON.stringify(long)],
		['escaped HTML', 502, 'text/html', `<html><title>${escaped}</title></html>`],
		['text that begins like JSON', 400, 'application/json', `{"token":"${TOKEN}","key":${JSON.stringify(KEY)}`],
	])('are redacted, also where a text is cut: in %s', async (name, ...answer) => {
		const service = await startService(
			(_request, response) => raw(response, ...answer),
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
	});

	test('are redacted, also a token that was replaced during its request', async () => {
		let logins = 0;
		const service = await startService(
			(request, response) => {
				const token = String(request.headers.authorization).slice(7);
				if (request.target.endsWith('/0')) setTimeout(() => json(response, 400, { message: `You sent ${token}`, errors: '' }), 150);
				else if (token.endsWith('1')) setTimeout(() => json(response, 401, { message: 'Expired', errors: '' }), 20);
				else json(response, 200, { ok: true });
			},
			(_request, response) => json(response, 200, { access_token: `issued-token-number-${++logins}` }),
		);
		const { run, output } = await execute({
			items: numbered(2),
			parameters: getGateway('={{ $json.n }}'),
			credential: new CredentialStore(credentialFor(service.url)),
			settings: { onError: 'continueRegularOutput' },
		});
		expect(output[0]?.json.error).toMatchObject({ message: 'You sent ***' });
		expect(service.logins).toHaveLength(2);
		expect(JSON.stringify(run)).not.toContain('issued-token-number');
	});
});
