import type { ServerResponse } from 'node:http';

import type { ApiRequest } from '../../nodes/VoiceAdmin/transport/request';
import { CredentialStore, credentialFor } from '../support/executor/credentialStore';
import { execute } from '../support/executor/execute';
import { httpRequest } from '../support/executor/httpRequestNode';
import { Polling } from '../support/executor/poll';
import { startService } from '../support/executor/startService';
import { testCredential } from '../support/executor/testCredential';
import { addCustomer, numbered, setPremium } from '../support/operations';
import { type Arrived, json, type Recorder } from '../support/recorder';
import { aheadClock } from '../support/time';

const MINUTE_MS = 60_000;

let service: Recorder;
let skip: (ms: number) => void;

/** Tokens that the service has issued, the newest last; which of them it accepts is what a test is about. */
let tokens: string[];
let isValid: (token: string) => boolean;
/** How the service answers a token that it does not accept, and one that it does. */
let refuse: (response: ServerResponse) => void;
let answer: (request: Arrived, response: ServerResponse) => void;

beforeEach(async () => {
	skip = aheadClock();
	tokens = [];
	isValid = (token) => token === tokens.at(-1);
	refuse = (response) => json(response, 401, { message: 'Unauthorized', errors: '' });
	answer = (_request, response) => json(response, 200, { id: '1' });
	service = await startService(
		(request, response) => {
			const token = String(request.headers.authorization).replace('Bearer ', '');
			if (isValid(token)) answer(request, response);
			else refuse(response);
		},
		(_request, response) => {
			tokens.push(`token-${tokens.length + 1}`);
			json(response, 200, { access_token: tokens.at(-1) });
		},
	);
});

afterEach(() => jest.restoreAllMocks());

const create = async (settings = {}) =>
	await execute({ parameters: addCustomer('IT12345678903'), credential: credentialFor(service.url), settings });

describe('a token older than a minute', () => {
	const answers: Array<[string, (response: ServerResponse) => void]> = [
		['403', (response) => json(response, 403, { status: 'Forbidden', message: 'Token expired', errors: '' })],
		['a redirect to a page', (response) => response.writeHead(302, { location: '/login' }).end()],
	];

	test.each(answers)('that has expired and is answered %s costs one login and no item', async (_name, refuseBy) => {
		refuse = refuseBy;
		const run = async () => await execute({ items: numbered(30), parameters: setPremium(1001, 'IT'),
			credential: credentialFor(service.url) });
		expect((await run()).error).toBeUndefined();
		skip(MINUTE_MS);
		isValid = (token) => token === 'token-2';
		const { error, output } = await run();
		expect(error).toBeUndefined();
		expect(output).toHaveLength(30);
		expect(service.logins).toHaveLength(2);
	});

	test('answered by a redirect is not replaced for a create, which may have been done', async () => {
		refuse = (response) => response.writeHead(303, { location: '/customers/7' }).end();
		await create();
		skip(MINUTE_MS);
		isValid = () => false;
		const { error } = await create();
		expect(error?.context).toMatchObject({ outcome: 'unknown' });
		expect([service.requests.length, service.logins.length]).toEqual([2, 1]);
	});

	test('is replaced once in five minutes for a key that lacks a permission', async () => {
		answer = (_request, response) => json(response, 403, { status: 'Forbidden', message: 'insufficient permissions', errors: '' });
		for (let run = 0; run < 6; run++) {
			expect((await create()).error?.context).toMatchObject({ code: 'forbidden' });
			skip(MINUTE_MS);
		}
		// The first one, and one after a minute.
		expect(service.logins).toHaveLength(2);
	});
});

test('a credential test that succeeds gives the next request a token with the permissions that the key has now', async () => {
	const credential = credentialFor(service.url);
	const permitted = new Set<string>();
	answer = ({ headers }, response) => (permitted.has(String(headers.authorization)) ? json(response, 200, {}) : json(response, 403, {}));
	expect((await create()).error?.context).toMatchObject({ code: 'forbidden' });
	permitted.add('Bearer token-3');
	expect((await testCredential(credential)).status).toBe('OK');
	expect((await create()).error).toBeUndefined();
});

test('a token that the service accepts only two seconds after its login costs one login and no item', async () => {
	const since = Date.now();
	isValid = () => Date.now() - since > 2_000;
	const { error, output } = await execute({ items: numbered(20), parameters: addCustomer('={{ "C" + $json.n }}'),
		credential: credentialFor(service.url) });
	expect(error).toBeUndefined();
	expect(output).toHaveLength(20);
	expect(service.logins).toHaveLength(1);
	expect(service.requests.length).toBeLessThan(20 * 8);
});

function processOfItsOwn() {
	let sending!: typeof import('../../nodes/VoiceAdmin/transport/sendWithRetry');
	let limit!: typeof import('../../nodes/VoiceAdmin/transport/flow/runLimit');
	let credential!: typeof import('../../nodes/VoiceAdmin/transport/auth/credential');
	jest.isolateModules(() => {
		sending = jest.requireActual('../../nodes/VoiceAdmin/transport/sendWithRetry');
		limit = jest.requireActual('../../nodes/VoiceAdmin/transport/flow/runLimit');
		credential = jest.requireActual('../../nodes/VoiceAdmin/transport/auth/credential');
	});
	return { ...sending, ...limit, ...credential };
}

test('three processes with one key lose nothing where the service accepts only the newest token', async () => {
	answer = (_request, response) => void setTimeout(() => json(response, 200, {}), 20);
	const data = credentialFor(service.url);
	const { context } = new Polling({ gatewayIds: '1' }, data);
	const create: ApiRequest = { method: 'POST', path: '/v1/customers/add', body: {}, fields: {}, creates: 'customer' };
	const run = async () => {
		const { sendWithRetry, RunLimit, parseCredential } = processOfItsOwn();
		const sender = { context, credential: parseCredential(data), connection: {}, run: new RunLimit(200), maxRetries: 3,
			stopsOnFailure: false };
		return await Promise.all(Array.from({ length: 300 }, async () => await sendWithRetry(sender, create, () => 'created')));
	};
	const results = (await Promise.all([run(), run(), run()])).flat();
	expect(results.filter((result) => result === 'aborted' || !('value' in result))).toEqual([]);
});

test('an HTTP Request node whose token has expired fails once, and n8n stores nothing', async () => {
	const stored = credentialFor(service.url, { clientId: '={{ "tenant" }}' });
	const store = new CredentialStore({ ...stored });
	expect((await httpRequest(`${service.url}/x`, store)).statusCode).toBe(200);
	skip(4_000);
	isValid = (token) => token === 'token-2';
	await expect(httpRequest(`${service.url}/x`, store)).rejects.toThrow();
	expect((await httpRequest(`${service.url}/x`, store)).statusCode).toBe(200);
	expect([store.stored, store.writes]).toEqual([stored, 0]);
});
