import type { ServerResponse } from 'node:http';

import { type Answer, encoded, PROFILES } from '../support/profiles';
import { credentialFor } from '../support/executor/credentialStore';
import { execute } from '../support/executor/execute';
import { Polling } from '../support/executor/poll';
import { startService } from '../support/executor/startService';
import { addCustomer, getGateway, setPremium } from '../support/operations';
import type { Recorder } from '../support/recorder';
import { aheadClock } from '../support/time';

describe.each(PROFILES.map((profile) => [profile.name, profile] as const))('a service that answers as the profile %s', (_name, profile) => {
	let service: Recorder;
	/** The answer to the next requests; none for a good one. */
	let next: Answer[];
	let loginWith: Answer | undefined;
	/** The answer to all requests until the next login. */
	let expired: Answer | undefined;
	let skip: (ms: number) => void;

	const respond = (response: ServerResponse, answer: Answer) => {
		const { status, headers, body } = encoded(profile, answer);
		response.writeHead(status, headers).end(body);
	};
	const good = (body: object): Answer => [200, body, '', { 'content-type': 'application/json' }];

	beforeEach(async () => {
		skip = aheadClock();
		next = [];
		loginWith = expired = undefined;
		let logins = 0;
		service = await startService(
			(_request, response) => respond(response, expired ?? next.shift() ?? good({ id: '1' })),
			(_request, response) => {
				expired = undefined;
				respond(response, loginWith ?? good({ access_token: `token-${++logins}`, ...profile.login }));
			},
		);
	});

	afterEach(() => jest.restoreAllMocks());

	const OPERATIONS = [getGateway('1'), setPremium(1001, 'IT'), addCustomer('IT12345678903')];
	const run = async (parameters = OPERATIONS[0]!) => await execute({ parameters, credential: credentialFor(service.url) });
	/** That a text is one of these words, as a message, or the beginning of one that names a customer too. */
	const says = (words: string | RegExp) => (typeof words === 'string' ? expect.stringContaining(words) : expect.stringMatching(words));

	test('shows its words for a request that is not valid, or not permitted, and sends neither again', async () => {
		for (const answer of [profile.badRequest, profile.forbidden]) {
			for (const parameters of OPERATIONS) {
				next = [answer];
				const { error } = await run(parameters);
				expect(error).toMatchObject({ message: says(answer[2]), httpCode: String(answer[0]), context: { outcome: 'not_done' } });
			}
		}
		expect([service.requests.length, service.logins.length]).toEqual([6, 1]);
	});

	test('shows its words for a key that is not known', async () => {
		loginWith = profile.badKey;
		const { error } = await run();
		expect(error).toMatchObject({ message: says(profile.badKey[2]), context: { code: 'login_failed', outcome: 'not_sent' } });
		expect(service.requests).toEqual([]);
	});

	test('costs one login, and no item, when a token has expired, in the node and in the trigger', async () => {
		const trigger = new Polling({ gatewayIds: '1' }, credentialFor(service.url));
		await trigger.poll();
		// A create that is answered by a redirect may have been done.
		const operations = profile.expired[0] < 400 ? OPERATIONS.slice(0, 2) : OPERATIONS;
		for (const parameters of operations) {
			skip(6 * 60_000);
			expired = profile.expired;
			expect((await run(parameters)).error).toBeUndefined();
		}
		expect(service.logins).toHaveLength(1 + operations.length);
		skip(6 * 60_000);
		expired = profile.expired;
		expect((await trigger.poll()).error).toBeUndefined();
		expect(service.logins).toHaveLength(2 + operations.length);
	});
});
