import type { ServerResponse } from 'node:http';

import {
	addCustomer,
	aheadClock,
	type Arrived,
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

const create = async () =>
	await execute({ parameters: addCustomer('IT12345678903'), credential: credentialFor(service.url) });

test.each<[number, Record<string, string>]>([
	[403, {}],
	[440, {}],
	[302, { location: '/login' }],
])(
	'a token that has expired, by a %i, costs one login, and no item, in the node and in the trigger',
	async (status, headers) => {
		refuse = (response) => response.writeHead(status, headers).end();
		const credential = credentialFor(service.url);
		const trigger = new Polling({ gatewayIds: '1' }, credential);
		for (const go of [
			async () => await trigger.poll(),
			async () => await execute({ parameters: getGateway('1'), credential }),
		]) {
			expect((await go()).error).toBeUndefined();
			skip(6 * 60_000);
			const [expired] = tokens.slice(-1);
			isValid = (token) => token !== expired;
			expect((await go()).error).toBeUndefined();
		}
		expect(service.logins).toHaveLength(3);
	},
);

test('a token answered by a redirect is not replaced for a create, which may have been done', async () => {
	refuse = (response) => response.writeHead(303, { location: '/customers/7' }).end();
	await create();
	skip(60_000);
	isValid = () => false;
	const { error } = await create();
	expect(error?.context).toMatchObject({ outcome: 'unknown' });
	expect([service.requests.length, service.logins.length]).toEqual([2, 1]);
});

test('a credential test that succeeds gives the next request a token with the permissions that the key has now', async () => {
	const credential = credentialFor(service.url);
	const permitted = new Set<string>();
	answer = ({ headers }, response) =>
		permitted.has(String(headers.authorization)) ? json(response, 200, {}) : json(response, 403, {});
	expect((await create()).error?.context).toMatchObject({ code: 'forbidden' });
	permitted.add('Bearer token-3');
	expect((await testCredential(credential)).status).toBe('OK');
	expect((await create()).error).toBeUndefined();
});

test('a request of the HTTP Request node keeps its own error where the login after it fails, which is not repeated', async () => {
	let isDown = false;
	service = await startService(
		(_request, response) => json(response, isDown ? 504 : 200, {}),
		(_request, response) => json(response, isDown ? 503 : 200, { access_token: 'token-1' }),
	);
	const store = new CredentialStore(credentialFor(service.url));
	await httpRequest(`${service.url}/x`, store);
	skip(10_000);
	isDown = true;
	await expect(httpRequest(`${service.url}/x`, store)).rejects.toMatchObject({ httpCode: '504' });
	expect(service.logins).toHaveLength(2);
});
