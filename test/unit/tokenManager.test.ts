import { Readable } from 'node:stream';

import { type IHttpRequestOptions, LoggerProxy } from 'n8n-workflow';

import { parseCredential } from '../../nodes/VoiceAdmin/transport/auth/credential';
import { lifetimeOf } from '../../nodes/VoiceAdmin/transport/auth/login';
import { TokenManager } from '../../nodes/VoiceAdmin/transport/auth/tokenManager';
import { limiterOf } from '../../nodes/VoiceAdmin/transport/flow/limiters';
import { credentialFor } from '../support/executor/credentialStore';

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
	log = [];
	jest.spyOn(LoggerProxy, 'debug').mockImplementation((line) => void log.push(line));
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
const inHeader = (credential: ReturnType<typeof setUp>['credential'], authHeaderName: string, authHeaderPrefix = 'Bearer') => ({ ...credential, authHeaderName, authHeaderPrefix });

describe('a token', () => {
	/** Whether a request that is sent now, with the newest token, is refused, after a time in which the token gets older. */
	const refusedAfter = async ({ manager, credential, get }: ReturnType<typeof setUp>, ms: number, isCertain = true) => {
		const sent = manager.requestWith(await get());
		skip(ms);
		return manager.refused(sent, credential, isCertain);
	};

	/** A manager whose token was accepted. */
	const setUpAccepted = async (...answers: Answer[]) => {
		const setup = setUp(...answers);
		setup.manager.accepted(setup.manager.requestWith(await setup.get()), setup.credential);
		return setup;
	};

	test('is that of the first login until it has expired', async () => {
		const { manager, credential, get, logins } = setUp(issued('first'), issued('second'));
		expect(manager.current).toBe('');
		expect([await get(), await get(), manager.current]).toEqual(['first', 'first', 'first']);
		skip(2_500);
		expect(manager.refused(manager.requestWith('first'), credential, true)).toBe('logInAgain');
		expect(manager.current).toBe('');
		expect([await get(), logins.length]).toEqual(['second', 2]);
		expect(log).toEqual(['Voice Admin: logged in', 'Voice Admin: access token not accepted', 'Voice Admin: logged in']);
	});

	test('is kept for 2.5 seconds after its login, by chance up to half as long again, accepted before or not', async () => {
		expect(await refusedAfter(setUp(issued('1')), 2_490)).toBe('retryLater');
		const accepted = await setUpAccepted(issued('1'), issued('2'));
		expect([await refusedAfter(accepted, 2_490), await refusedAfter(accepted, 10)]).toEqual(['retryLater', 'logInAgain']);
		jest.spyOn(Math, 'random').mockReturnValue(0.5);
		const setup = setUp(issued('1'));
		expect([await refusedAfter(setup, 3_120), await refusedAfter(setup, 10)]).toEqual(['retryLater', 'logInAgain']);
	});

	test('of a request that was sent before the last login has been replaced', async () => {
		const { manager, credential, get } = setUp(issued('first'), issued('second'));
		const early = manager.requestWith(await get());
		manager.forget();
		await get();
		// Nor does its success say anything of the new one.
		manager.accepted(early, credential);
		expect([manager.refused(early, credential, true), manager.current]).toEqual(['retryWithNewToken', 'second']);
		expect(manager.refused(manager.requestWith('second'), credential, true)).toBe('retryLater');
	});

	test('that was accepted in a request sent later stays, and is tried once more', async () => {
		const { manager, credential, get } = setUp(issued('first'));
		const [early, late] = [manager.requestWith(await get()), manager.requestWith('first')];
		manager.accepted(late, credential);
		manager.accepted(manager.requestWith('another'), credential);
		skip(60_000);
		expect(manager.refused(early, credential, false)).toBe('giveUp');
		expect([manager.refused(early, credential, true), manager.current]).toEqual(['retryWithSameToken', 'first']);
		// Of the one sent last it says that the token has expired since.
		expect(manager.refused(manager.requestWith('first'), credential, true)).toBe('logInAgain');
	});

	test('that was accepted is replaced as often as it expires', async () => {
		const setup = setUp(...['1', '2', '3', '4', '5', '6'].map(issued));
		for (const token of ['1', '2', '3', '4', '5', '6']) {
			expect(await setup.get()).toBe(token);
			setup.manager.accepted(setup.manager.requestWith(token), setup.credential);
			expect(await refusedAfter(setup, 2_500)).toBe('logInAgain');
		}
	});

	test('that was accepted in no header is replaced three times, and then once a minute', async () => {
		const setup = setUp(...['1', '2', '3', '4', '5', '6'].map(issued));
		expect(await refusedAfter(setup, 2_500)).toBe('logInAgain');
		// By chance, none of the following is kept: no other was accepted before.
		expect([await refusedAfter(setup, 0), await refusedAfter(setup, 0), await refusedAfter(setup, 0)]).toEqual(['logInAgain', 'logInAgain', 'giveUp']);
		expect([await refusedAfter(setup, 59_990), await refusedAfter(setup, 10), await refusedAfter(setup, 0)]).toEqual(['giveUp', 'logInAgain', 'giveUp']);
		setup.manager.accepted(setup.manager.requestWith(setup.manager.current), setup.credential);
		expect(await refusedAfter(setup, 0)).toBe('logInAgain');
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

	test('older than a minute is replaced once in five minutes for a status that may mean that it has expired', async () => {
		const setup = await setUpAccepted(issued('1'), issued('2'), issued('3'));
		expect([await refusedAfter(setup, 59_990, false), await refusedAfter(setup, 10, false)]).toEqual(['giveUp', 'logInAgain']);
		expect([await refusedAfter(setup, 299_990, false), await refusedAfter(setup, 10, false)]).toEqual(['giveUp', 'logInAgain']);
	});

	test.each([
		['a tenth of its lifetime', 300_000, 270_000],
		['a minute at most', 3_600_000, 3_540_000],
	])('is replaced before it ends: %s', async (_margin, lifetimeMs, ms) => {
		const { manager, get, logins } = setUp({ status: 200, body: { access_token: 'first', expires_in: lifetimeMs / 1_000 } }, issued('second'));
		await get();
		skip(ms - 10);
		expect(manager.current).toBe('first');
		skip(10);
		expect([manager.current, await get(), logins.length]).toEqual(['', 'second', 2]);
	});

	test('is remembered, and four before it, to be kept out of messages', async () => {
		const { manager, get } = setUp(...['1', '2', '3', '4', '5', '6'].map(issued));
		for (let n = 0; n < 6; n++) {
			await get();
			manager.forget();
		}
		expect(manager.issued).toEqual(['2', '3', '4', '5', '6']);
	});
});

/** A JWT with these claims, as a service issues it. */
const jwt = (claims: object) => ['{"alg":"none"}', JSON.stringify(claims)].map((part) => Buffer.from(part).toString('base64url')).join('.') + '.signature';

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
	test('is shared by all that ask at once', async () => {
		const { get, logins } = setUp(issued('first'));
		expect(await Promise.all([get(), get({ timeout: 30_000 }), get({ timeout: 99_000 })])).toEqual(['first', 'first', 'first']);
		expect(logins).toHaveLength(1);
	});

	test.each<[string, Answer[], string]>([
		['a 503', [UNAVAILABLE, UNAVAILABLE], '503'],
		['a 429', [{ status: 429 }, { status: 429 }], '429'],
		['a broken connection', [new Error('socket hang up'), new Error('socket hang up')], 'no response'],
	])('is tried three times after %s, and its permit is given back', async (_name, answers, status) => {
		const { got, credential } = setUp(...answers, issued('third'));
		expect(await got()).toEqual(['third', 3]);
		expect(log.filter((line) => line.includes('log'))).toEqual([`Voice Admin: login failed (${status}), attempt 1 of 3`, `Voice Admin: login failed (${status}), attempt 2 of 3`, 'Voice Admin: logged in']);
		expect(limiterOf(credential).idleMs).toBeDefined();
	});

	test.each<[string, Answer[], number]>([
		['with a transient error', [UNAVAILABLE, UNAVAILABLE, UNAVAILABLE], 500],
		['as the key is not accepted', [REJECTED], 5_000],
		['and the service asks to wait', [UNAVAILABLE, UNAVAILABLE, { status: 503, retryAfter: '7' }], 7_000],
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
		expect([await got(connections[0]), await got(connections[1]), await got(connections[2])]).toEqual([[failed, 2], [failed, 2], ['third', 3]]);
		manager.forget();
		expect(await got(connections[0])).toEqual(['fourth', 4]);
	});

	test('that the service has answered fails for all, however they connect', async () => {
		const { got } = setUp(REJECTED, issued('later'));
		const failed = expect.stringContaining('Unknown key');
		expect([await got(), await got({ timeout: 1_000 })]).toEqual([[failed, 1], [failed, 1]]);
	});

	test('that failed is forgotten for the oldest of 21 time-outs, as 20 are remembered', async () => {
		const { got, logins } = setUp(...Array<Answer>(30).fill(new Error('no')));
		for (let timeout = 1_001; timeout <= 1_021; timeout++) await got({ timeout });
		await got({ timeout: 1_002 });
		expect(logins).toHaveLength(21);
		await got({ timeout: 1_001 });
		expect(logins).toHaveLength(22);
	});
});
