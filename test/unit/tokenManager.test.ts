import { Readable } from 'node:stream';

import type { IHttpRequestOptions } from 'n8n-workflow';

import { parseCredential } from '../../nodes/VoiceAdmin/transport/auth/credential';
import { lifetimeOf } from '../../nodes/VoiceAdmin/transport/auth/login';
import { TokenManager } from '../../nodes/VoiceAdmin/transport/auth/tokenManager';
import { limiterOf } from '../../nodes/VoiceAdmin/transport/flow/limiters';
import { RunLimit } from '../../nodes/VoiceAdmin/transport/flow/runLimit';
import { credentialFor } from '../support/executor/credentialStore';
import { logLines } from '../support/executor/execute';
import { settle } from '../support/time';
import { until } from '../support/until';

type Answer = { status: number; body?: object; retryAfter?: string } | Error;

const issued = (token: string): Answer => ({ status: 200, body: { access_token: token } });
const UNAVAILABLE: Answer = { status: 503 };
const REJECTED: Answer = { status: 401, body: { message: 'Unknown key', errors: '' } };

let keys = 0;
let skip: (ms: number) => void;
let log: string[];

beforeEach(() => {
	// Stands still but for `skip`, so that no test depends on how fast the machine is.
	let time = 0;
	jest.spyOn(performance, 'now').mockImplementation(() => time);
	skip = (ms) => void (time += ms);
	// No wait before a retry.
	jest.spyOn(Math, 'random').mockReturnValue(0);
	log = logLines();
});
afterEach(() => jest.restoreAllMocks());

/** A token manager with a key of its own, whose logins get these answers, one after the other. */
function setUp(...answers: Answer[]) {
	const manager = new TokenManager();
	const logins: IHttpRequestOptions[] = [];
	const httpRequest = async (options: IHttpRequestOptions) => {
		const answer = answers[logins.push(options) - 1]!;
		if (answer instanceof Error) throw answer;
		const { status, body = {}, retryAfter } = answer;
		return { statusCode: status, headers: { 'retry-after': retryAfter }, body: Readable.from([Buffer.from(JSON.stringify(body))]) };
	};
	const credential = parseCredential(credentialFor('https://api.example.com', { clientSecret: `key-${++keys}` }));
	const get = async (connection = {}) => await manager.get({ helpers: { httpRequest } } as never, credential, connection);
	/** Whether a token could be had, and by how many logins so far. */
	const got = async (connection = {}) => [await get(connection).catch(({ message }: Error) => message), logins.length];
	return { manager, credential, logins, get, got };
}

/** A credential with the same key, whose token goes in another header. */
const inHeader = (credential: ReturnType<typeof setUp>['credential'], authHeaderName: string,
	authHeaderPrefix = 'Bearer') => ({ ...credential, authHeaderName, authHeaderPrefix });

describe('a token', () => {
	test('that was accepted is replaced as often as it expires, but kept for 2.5 seconds after its login', async () => {
		const { manager, credential, get } = setUp(...['1', '2', '3', '4', '5', '6'].map(issued));
		for (const token of ['1', '2', '3', '4', '5', '6']) {
			expect(await get()).toBe(token);
			// That one which was replaced is not accepted says nothing of it.
			for (const isCertain of [true, false]) {
				expect(manager.refused(manager.requestWith('replaced'), credential, isCertain)).toBe('retryWithNewToken');
			}
			expect(manager.current).toBe(token);
			manager.accepted(manager.requestWith(token), credential);
			skip(2_490);
			expect(manager.refused(manager.requestWith(token), credential, true)).toBe('retryLater');
			skip(10);
			expect(manager.refused(manager.requestWith(token), credential, true)).toBe('logInAgain');
		}
	});

	test('that was accepted in another header is replaced once in a minute, for each header', async () => {
		const { manager, credential, get } = setUp(...['1', '2', '3', '4'].map(issued));
		const refusedIn = async (name: string, prefix?: string) => {
			manager.accepted(manager.requestWith(await get()), credential);
			skip(4_000);
			// Sent last, so that only the header is in doubt.
			return manager.refused(manager.requestWith(manager.current), inHeader(credential, name, prefix), true);
		};
		expect([await refusedIn('X-Token'), await refusedIn('x-token')]).toEqual(['logInAgain', 'giveUp']);
		skip(51_990);
		expect([await refusedIn('X-Token'), await refusedIn('X-Token', '')]).toEqual(['giveUp', 'logInAgain']);
		expect(await refusedIn('X-Token')).toBe('logInAgain');
	});

	test('that is accepted in no header is replaced as soon as it is refused, but after three of them once in a minute', async () => {
		const { manager, credential, get } = setUp(...['1', '2', '3', '4', '5'].map(issued));
		const refused = async () => {
			const sent = manager.requestWith(await get());
			// That one which was replaced was accepted says nothing of it.
			manager.accepted(manager.requestWith('replaced'), credential);
			return manager.refused(sent, credential, true);
		};
		expect(await refused()).toBe('retryLater');
		skip(2_500);
		expect([await refused(), await refused(), await refused()]).toEqual(['logInAgain', 'logInAgain', 'logInAgain']);
		skip(59_990);
		expect(await refused()).toBe('giveUp');
		skip(10);
		expect(await refused()).toBe('logInAgain');
		expect(log.filter((line) => line.includes('access token not accepted'))).toHaveLength(4);
	});

	test('that was accepted for a request sent later is not at fault', async () => {
		const { manager, credential, get } = setUp(issued('1'));
		const early = manager.requestWith(await get());
		manager.accepted(manager.requestWith(early.token), credential);
		skip(3_600_000);
		expect([true, false].map((isCertain) => manager.refused(early, credential, isCertain))).toEqual(['retryWithSameToken', 'giveUp']);
	});

	test('that is suspected by another status than 401 is replaced from an age of a minute on, and once in five minutes', async () => {
		const { manager, credential, get } = setUp(issued('1'), issued('2'));
		const suspected = async (afterMs: number) => {
			const sent = manager.requestWith(await get());
			skip(afterMs);
			return manager.refused(sent, credential, false);
		};
		expect([await suspected(59_990), await suspected(10)]).toEqual(['giveUp', 'logInAgain']);
		expect([await suspected(299_990), await suspected(10)]).toEqual(['giveUp', 'logInAgain']);
	});

	test.each([
		['a tenth of its lifetime', 300_000, 270_000],
		['a minute at most', 3_600_000, 3_540_000],
	])('is replaced before it ends: %s', async (_margin, lifetimeMs, ms) => {
		const { manager, get, logins } = setUp({ status: 200,
			body: { access_token: 'first', expires_in: lifetimeMs / 1_000 } }, issued('second'));
		await get();
		skip(ms - 10);
		expect(manager.current).toBe('first');
		skip(10);
		expect([manager.current, await get(), logins.length]).toEqual(['', 'second', 2]);
	});
});

/** A JWT with these claims, as a service issues it. */
const jwt = (claims: object) =>
	['{"alg":"none"}', JSON.stringify(claims)].map((part) => Buffer.from(part).toString('base64url')).join('.') + '.signature';

test.each<[string, string, unknown, number | undefined]>([
	['the time from iat to exp of a JWT', jwt({ iat: 1_000, exp: 1_600 }), undefined, 600_000],
	["the login's expires_in", 'opaque', 300, 300_000],
	["the login's expires_in as text", 'opaque', '300', 300_000],
	['the shorter of both', jwt({ iat: 0, exp: 900 }), 600, 600_000],
	['not known without iat', jwt({ exp: 1_600 }), undefined, undefined],
	['not known of a token that is none', 'a.b.c', undefined, undefined],
	['not known where it would be over at once', jwt({ iat: 5, exp: 5 }), 0, undefined],
	['not known where it is no number', jwt({ iat: {}, exp: [] }), 'soon', undefined],
	['not known where it is true', jwt([]), true, undefined],
	['not known of null', jwt(null as never), null, undefined],
])('the lifetime of a token is %s', (_what, token, expiresIn, lifetimeMs) => {
	expect(lifetimeOf(token, expiresIn)).toBe(lifetimeMs);
});

describe('a login', () => {
	test.each<[string, Answer[], string]>([
		['a 503', [UNAVAILABLE, UNAVAILABLE], '503'],
		['a 429', [{ status: 429 }, { status: 429 }], '429'],
		['a broken connection', [new Error('socket hang up'), new Error('socket hang up')], 'no response'],
	])('is tried three times after %s, and its permit is given back', async (_name, answers, status) => {
		const { got, credential } = setUp(...answers, issued('third'));
		expect(await got()).toEqual(['third', 3]);
		expect(log.filter((line) => line.includes('log'))).toEqual([`Voice Admin: login failed (${status}), attempt 1 of 3`,
			`Voice Admin: login failed (${status}), attempt 2 of 3`, 'Voice Admin: logged in']);
		expect(limiterOf(credential).idleMs).toBeDefined();
	});

	test('that the service asks to wait holds all requests of the key for that long', async () => {
		const { got, credential } = setUp({ status: 429, retryAfter: '7' }, issued('second'));
		const logIn = got();
		await until(() => log.includes('Voice Admin: service asks to wait 7000 ms'), 'the service asks to wait');
		let isHeld = true;
		void new RunLimit(1).acquire(limiterOf(credential)).then(() => (isHeld = false));
		skip(6_990);
		await settle();
		expect(isHeld).toBe(true);
		skip(10);
		expect(await logIn).toEqual(['second', 2]);
	});

	test.each<[string, Answer[], number]>([
		['with a transient error', [UNAVAILABLE, UNAVAILABLE, UNAVAILABLE], 500],
		['as the key is not accepted', [REJECTED], 5_000],
		['and the service asks to wait', [UNAVAILABLE, UNAVAILABLE, { status: 503, retryAfter: '7' }], 7_000],
		['and the key has to wait', [{ status: 429 }, { status: 429 }, { status: 429, retryAfter: '7' }], 7_000],
		['with a response that is not a token', [{ status: 200 }], 500],
	])('that failed %s is not tried again for some time', async (_name, answers, ms) => {
		const { got } = setUp(...answers, issued('later'));
		const [message] = await got();
		expect(message).not.toBe('later');
		skip(ms - 10);
		expect(await got()).toEqual([message, answers.length]);
		skip(10);
		expect(await got()).toEqual(['later', answers.length + 1]);
	});

	test('that failed by one time-out or proxy is tried by who has another one, and forgotten when that succeeds', async () => {
		const { got, manager } = setUp(...Array<Answer>(2).fill(new Error('no')), issued('third'), issued('fourth'));
		const proxy = { protocol: 'http', host: 'localhost', port: 1 };
		const connections = [{}, { proxy }, { timeout: 1_000 }];
		const failed = expect.stringMatching(/no$/);
		// At once: neither waits for the other, whose proxy may hang.
		expect(await Promise.all([got(connections[0]), got(connections[1])])).toEqual([[failed, 2], [failed, 2]]);
		expect([await got(connections[0]), await got(connections[1]), await got(connections[2])])
			.toEqual([[failed, 2], [failed, 2], ['third', 3]]);
		manager.forget();
		expect(await got(connections[0])).toEqual(['fourth', 4]);
	});

	test('that the service has answered fails for all, however they connect', async () => {
		const { got } = setUp(REJECTED, issued('later'));
		const failed = expect.stringContaining('Unknown key');
		expect([await got(), await got({ timeout: 1_000 })]).toEqual([[failed, 1], [failed, 1]]);
	});
});
