import { Readable } from 'node:stream';

import type { IHttpRequestOptions } from 'n8n-workflow';

import { parseCredential } from '../../nodes/VoiceAdmin/transport/auth/credential';
import { lifetimeOf, LoginError } from '../../nodes/VoiceAdmin/transport/auth/login';
import { type LoginContext, TokenManager } from '../../nodes/VoiceAdmin/transport/auth/tokenManager';
import { limiterOf } from '../../nodes/VoiceAdmin/transport/flow/concurrencyLimiter';
import { Run } from '../../nodes/VoiceAdmin/transport/flow/run';
import { time } from '../../nodes/VoiceAdmin/time';
import { credentialFor, settle, VirtualClock } from '../support/executor';

type Answer = { status: number; body?: object; tookMs?: number } | Error;

const issued = (token: string) => ({ status: 200, body: { access_token: token } });
const AWAY: Answer = { status: 503 };
const BROKEN = new Error('socket hang up');
const REJECTED: Answer = { status: 401, body: { message: 'Unknown key', errors: '' } };

let keys = 0;
let clock: VirtualClock;

beforeEach(() => {
	clock = new VirtualClock();
	jest.spyOn(time, 'now').mockImplementation(clock.now);
	jest.spyOn(time, 'sleep').mockImplementation(clock.sleep);
	jest.spyOn(time, 'random').mockReturnValue(0);
});

const skip = async (ms: number) => await clock.advance(ms);

/** Waits for it, and lets time pass only if it does not end without. */
async function finished<Value>(promise: Promise<Value>): Promise<Value> {
	let isDone = false;
	const done = promise.finally(() => (isDone = true));
	done.catch(() => {});
	for (let turns = 1; !isDone; turns++) await (turns % 50 > 0 ? settle() : clock.next());
	return await done;
}

/** A token manager with a key of its own, whose logins get these answers, one after the other. */
function setUp(...answers: Answer[]) {
	const manager = new TokenManager(() => {});
	const logins: IHttpRequestOptions[] = [];
	const httpRequest = async (options: IHttpRequestOptions) => {
		const answer = answers[Math.min(logins.push(options), answers.length) - 1]!;
		if (answer instanceof Error) throw answer;
		const { status, body = {}, tookMs = 0 } = answer;
		if (tookMs > 0) await clock.sleep(tookMs);
		return { statusCode: status, headers: {}, body: Readable.from([Buffer.from(JSON.stringify(body))]) };
	};
	const credential = parseCredential(credentialFor('https://api.example.com', { clientSecret: `key-${++keys}` }));
	const get = async ({ run }: Pick<LoginContext, 'run'> = {}) =>
		await finished(manager.get({ n8n: { helpers: { httpRequest } } as never, credential, run }));
	/** Whether a token could be had, and by how many logins so far. */
	const got = async (wish = {}) => {
		const token = await get(wish);
		return [token instanceof LoginError ? token.message : token, logins.length];
	};
	return { manager, limiter: limiterOf(credential), logins, get, got };
}

describe('a token', () => {
	test.each([
		['a tenth of its lifetime', 300_000, 270_000],
		['a minute at most', 3_600_000, 3_540_000],
	])('is replaced before it ends: %s', async (_margin, lifetimeMs, ms) => {
		const { manager, got } = setUp(
			{ status: 200, body: { access_token: 'first', expires_in: lifetimeMs / 1_000 } },
			issued('second'),
		);
		await got();
		await skip(ms - 10);
		expect(manager.current).toBe('first');
		await skip(10);
		expect([manager.current, await got()]).toEqual([undefined, ['second', 2]]);
	});
});

/** A JWT with these claims, as a service issues it. */
const jwt = (claims: object) =>
	['{"alg":"none"}', JSON.stringify(claims)].map((part) => Buffer.from(part).toString('base64url')).join('.') +
	'.signature';

test.each<[string, string, unknown, number]>([
	['the time from iat to exp of a JWT', jwt({ iat: 1_000, exp: 1_600 }), undefined, 600_000],
	["the login's expires_in", 'opaque', 300, 300_000],
	["the login's expires_in as text", 'opaque', '300', 300_000],
	['the shorter of both', jwt({ iat: 0, exp: 900 }), 600, 600_000],
	['a second at least', jwt({ iat: 0, exp: 1 }), '1', 1_000],
	['not known where it would be over before its first use', jwt({ iat: 5, exp: 5.9 }), 1e-9, Infinity],
	['not known without iat', jwt({ exp: 1_600 }), undefined, Infinity],
	['not known of a token that is none', 'a.b.c', undefined, Infinity],
	['not known where it would be over at once', jwt({ iat: 5, exp: 5 }), 0, Infinity],
	['not known where it is no number', jwt({ iat: {}, exp: [] }), 'soon', Infinity],
	['not known where it is true', jwt([]), true, Infinity],
	['not known of null', jwt(null as never), null, Infinity],
	['not known where it is an object', jwt({ iat: 0, exp: { toString: 1 } }), { toString: 1 }, Infinity],
	['not known of lists', jwt({ iat: [0], exp: [600] }), [300], Infinity],
])('the lifetime of a token is %s', (_what, token, expiresIn, lifetimeMs) => {
	expect(lifetimeOf(token, expiresIn)).toBe(lifetimeMs);
});

describe('a login', () => {
	test.each<[string, Answer, number | undefined, number, number]>([
		['30 seconds', AWAY, undefined, 30_000, 9],
		['as long as its run', AWAY, 5_000, 5_000, 4],
		['not at all', AWAY, 0, 0, 1],
		['ten seconds where nothing has ever answered', BROKEN, 60_000, 10_000, 5],
	])('waits for its service %s, and fails with what came of it last', async (_long, answer, maxWaitMs, ms, logins) => {
		const { got } = setUp(answer);
		const startedAt = time.now();
		const wish = maxWaitMs === undefined ? {} : { run: new Run(1, maxWaitMs) };
		expect(await got(wish)).toEqual([
			expect.stringMatching(/^Could not log in: .*(503|closed the connection)/),
			logins,
		]);
		expect(Math.abs(time.now() - startedAt - ms)).toBeLessThan(500);
	});

	test('whose run is closed while it waits is begun by another run that waits for it', async () => {
		const { logins, get } = setUp(AWAY, issued('second'));
		const run = new Run(1, 120_000);
		get({ run }).catch(() => {});
		const other = get({ run: new Run(1, 120_000) });
		for (let turns = 0; turns < 15; turns++) await settle();
		run.stop();
		expect([await other, logins.length]).toEqual(['second', 2]);
	});

	test('that waits for one run does not hold another that waits less', async () => {
		const { got } = setUp(AWAY);
		const startedAt = time.now();
		const [patient, other] = [60_000, 5_000].map((ms) => got({ run: new Run(1, ms) }));
		await other;
		expect(time.now() - startedAt).toBeLessThan(8_000);
		await patient;
	});

	test('that another run joined before an outage began does not hold it for longer than it waits', async () => {
		const { got, limiter } = setUp(AWAY);
		const startedAt = time.now();
		const permit = (await limiter.acquire(new Run(1, 60_000), { kind: 'repeatable' }))!;
		const [patient, other] = [60_000, 2_000].map((ms) => got({ run: new Run(1, ms) }));
		permit.report('rateLimited', { status: 429, retryAfterMs: 12_000 });
		permit.release();
		await other;
		expect(time.now() - startedAt).toBeLessThan(5_000);
		await patient;
	});

	test.each<[string, Answer, number]>([
		['as the key is not accepted', REJECTED, 5_000],
		['with a response that is not a token', { status: 200 }, 500],
		['with an error of the service', { status: 500 }, 500],
		['with an error that no wait helps against', new Error('no'), 500],
	])('that failed %s is not tried again for some time', async (_name, answer, ms) => {
		const { got } = setUp(answer, issued('later'));
		const [message] = await got();
		expect(message).not.toBe('later');
		await skip(ms - 10);
		expect(await got()).toEqual([message, 1]);
		await skip(10);
		expect(await got()).toEqual(['later', 2]);
	});
});
