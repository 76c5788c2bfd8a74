import { Readable } from 'node:stream';

import { type IHttpRequestOptions, LoggerProxy } from 'n8n-workflow';

import { parseCredential } from '../../nodes/VoiceAdmin/transport/auth/credential';
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
	test('is that of the first login until it has expired', async () => {
		const { manager, credential, get, logins } = setUp(issued('first'), issued('second'));
		expect(manager.current).toBe('');
		expect([await get(), await get(), manager.current]).toEqual(['first', 'first', 'first']);
		expect(manager.invalidate(manager.requestWith('first'), credential)).toBe('expired');
		expect(manager.current).toBe('');
		expect([await get(), logins.length]).toEqual(['second', 2]);
		expect(log).toEqual(['Voice Admin: logged in', 'Voice Admin: access token not accepted (401)', 'Voice Admin: logged in']);
	});

	test('of a request that was sent before the last login has been replaced', async () => {
		const { manager, credential, get } = setUp(issued('first'), issued('second'));
		const early = manager.requestWith(await get());
		manager.invalidate(manager.requestWith('first'), credential);
		await get();
		// Nor does its success say anything of the new one.
		manager.accepted(early, credential);
		expect([manager.invalidate(early, credential), manager.current]).toEqual(['replaced', 'second']);
		expect(manager.invalidate(manager.requestWith('second'), credential)).toBe('doubtful');
	});

	test('that was accepted in a request sent later is doubtful, and stays', async () => {
		const { manager, credential, get } = setUp(issued('first'));
		const [early, late] = [manager.requestWith(await get()), manager.requestWith('first')];
		manager.accepted(late, credential);
		manager.accepted(manager.requestWith('another'), credential);
		expect([manager.invalidate(early, credential), manager.current]).toEqual(['doubtful', 'first']);
		// Of the one sent last it says that the token has expired since.
		expect(manager.invalidate(manager.requestWith('first'), credential)).toBe('expired');
	});

	test('that was accepted is replaced as often as it expires', async () => {
		const { manager, credential, get } = setUp(...['1', '2', '3'].map(issued));
		for (const token of ['1', '2', '3']) {
			expect(await get()).toBe(token);
			manager.accepted(manager.requestWith(token), credential);
			expect(manager.invalidate(manager.requestWith(token), credential)).toBe('expired');
		}
	});

	test('that was accepted in no header is replaced once in five seconds', async () => {
		const { manager, credential, get } = setUp(...['1', '2', '3'].map(issued));
		const rejected = async () => manager.invalidate(manager.requestWith(await get()), credential);
		expect([await rejected(), await rejected()]).toEqual(['expired', 'doubtful']);
		skip(4_990);
		expect(await rejected()).toBe('doubtful');
		skip(10);
		expect([await rejected(), await rejected()]).toEqual(['expired', 'doubtful']);
	});

	test('that was accepted in another header is replaced once in a minute, for each header', async () => {
		const { manager, credential, get } = setUp(...['1', '2', '3', '4'].map(issued));
		const rejectedIn = async (name: string, prefix?: string) => {
			manager.accepted(manager.requestWith(await get()), credential);
			// Sent last, so that only the header is in doubt.
			return manager.invalidate(manager.requestWith(manager.current), inHeader(credential, name, prefix));
		};
		expect([await rejectedIn('X-Token'), await rejectedIn('x-token')]).toEqual(['expired', 'doubtful']);
		skip(59_990);
		expect([await rejectedIn('X-Token'), await rejectedIn('X-Token', '')]).toEqual(['doubtful', 'expired']);
		skip(10);
		expect(await rejectedIn('X-Token')).toBe('expired');
	});

	test('is replaced for the oldest of 21 headers again, as 20 are remembered', async () => {
		const { manager, credential, get } = setUp(...Array.from({ length: 30 }, (_, index) => issued(String(index))));
		const rejectedIn = async (name: string) => manager.invalidate(manager.requestWith(await get()), inHeader(credential, name));
		for (let header = 1; header <= 20; header++) expect(await rejectedIn(`X-${header}`)).toBe('expired');
		expect(await rejectedIn('X-1')).toBe('doubtful');
		expect([await rejectedIn('X-21'), await rejectedIn('X-1'), await rejectedIn('X-21')]).toEqual(['expired', 'expired', 'doubtful']);
	});
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
		const { got, manager, credential } = setUp(...Array<Answer>(2).fill(new Error('no')), issued('third'), issued('fourth'));
		const proxy = { protocol: 'http', host: 'localhost', port: 1 };
		const connections = [{}, { proxy }, { timeout: 1_000 }];
		const failed = expect.stringMatching(/no$/);
		// At once: the second waits for the first, and then logs in itself.
		expect(await Promise.all([got(connections[0]), got(connections[1])])).toEqual([[failed, 1], [failed, 2]]);
		expect([await got(connections[0]), await got(connections[1]), await got(connections[2])]).toEqual([[failed, 2], [failed, 2], ['third', 3]]);
		manager.invalidate(manager.requestWith('third'), credential);
		expect(await got(connections[0])).toEqual(['fourth', 4]);
	});

	test('that the service has answered fails for all, however they connect', async () => {
		const { got } = setUp(REJECTED, issued('later'));
		const failed = expect.stringContaining('Unknown key');
		expect(await Promise.all([got(), got({ timeout: 1_000 })])).toEqual([[failed, 1], [failed, 1]]);
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
