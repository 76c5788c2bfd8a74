import { CircuitBreaker } from '../../nodes/VoiceAdmin/transport/flow/circuitBreaker';
import type { FailureDetails } from '../../nodes/VoiceAdmin/transport/flow/outage';
import type { RequestKind } from '../../nodes/VoiceAdmin/transport/flow/fairQueue';
import { time } from '../../nodes/VoiceAdmin/time';

/** The requests of a key, by number, in a time that passes only by `pass`. */
class Key {
	private ms = 1_000;

	readonly breaker = (jest.spyOn(time, 'now').mockImplementation(() => this.ms), new CircuitBreaker());

	private sent = 0;

	/** @returns number of the last of so many requests that are sent */
	send(count = 1, kind: RequestKind = 'repeatable'): number {
		this.sent += count;
		this.breaker.outage?.recordProbe(kind);
		return this.sent;
	}

	/** The request of this number gets no answer from its service. */
	fail(number: number, kind: RequestKind = 'repeatable', details?: FailureDetails) {
		this.breaker.recordFailure({ sequenceNumber: number, kind, cause: 'unavailable', ...details }, this.sent);
		return this;
	}

	limit(number: number, retryAfterMs?: number) {
		this.breaker.recordFailure(
			{ sequenceNumber: number, kind: 'repeatable', cause: 'rateLimited', retryAfterMs, status: 429 },
			this.sent,
		);
		return this;
	}

	answer(number: number, isLogin = false) {
		this.breaker.recordResponse(number, isLogin);
		return this;
	}

	pass(ms: number) {
		this.ms += ms;
		return this;
	}

	/** Milliseconds until the next probe is due. */
	get state(): number | 'closed' {
		return this.breaker.outage?.probeDueInMs ?? 'closed';
	}
}

/** A key whose service is away: a create failed, of two requests. The next probe is due. */
function away(): Key {
	const key = new Key();
	key.send(2);
	return key.fail(1, 'create').pass(500);
}

beforeEach(() => void jest.spyOn(time, 'random').mockReturnValue(0));

test.each<[string, number | 'closed', (key: Key) => Key]>([
	['a create that fails', 500, (key) => key.fail(key.send(), 'create')],
	['a login that fails', 500, (key) => key.fail(key.send(), 'login')],
	['it, and the service asks to wait', 7_000, (key) => key.fail(key.send(), 'create', { retryAfterMs: 7_000 })],
	['it, and the service asks to wait for nothing', 500, (key) => key.fail(key.send(), 'create', { retryAfterMs: 0 })],
	['two other requests that fail', 'closed', (key) => (key.send(3), key.fail(1).fail(2))],
	['three', 500, (key) => (key.send(3), key.fail(1).fail(2).fail(3))],
	['three, with an answer in between', 'closed', (key) => (key.send(4), key.fail(2).fail(3).answer(1).fail(4))],
	['one that fails, after a later one was answered', 'closed', (key) => (key.send(2), key.answer(2).fail(1, 'create'))],
	['a 429', 1_000, (key) => key.limit(key.send())],
	['a 429 with Retry-After', 7_000, (key) => key.limit(key.send(), 7_000)],
	['a 429, after a later one was answered', 1_000, (key) => (key.send(2), key.answer(2).limit(1))],
	[
		'three that fail, and a 429 with Retry-After to one before the probe, which is answered',
		2_000,
		(key) => {
			key.send(4);
			const probe = key.fail(1).fail(2).fail(3).pass(500).send();
			return key.limit(4, 2_000).answer(probe);
		},
	],
	[
		'a 429 that asks for more than one before, and one that asks for less',
		7_000,
		(key) => (key.send(3), key.limit(1).limit(2, 7_000).limit(3, 2_000)),
	],
	[
		'a failure, and an answer to one that was sent later',
		'closed',
		(key) => (key.send(2), key.fail(1, 'create').answer(2)),
	],
	[
		'two failures, and an answer to one that was sent between',
		500,
		(key) => (key.send(3), key.fail(1, 'create').fail(3, 'create').answer(2)),
	],
	['a 429, and an answer to one that was sent before it came', 1_000, (key) => (key.send(2), key.limit(1).answer(2))],
	['a 429, and an answer to the probe', 'closed', (key) => (key.limit(key.send()).pass(1_000), key.answer(key.send()))],
	[
		'a failure, and an answer to the probe',
		'closed',
		() => {
			const key = away();
			return key.answer(key.send());
		},
	],
	[
		'a failure, and an answer to the probe, which is a login',
		500,
		() => {
			const key = away();
			return key.answer(key.send(), true);
		},
	],
])('a key, after %s, waits (ms): %s', (_what, state, happens) => {
	expect(happens(new Key()).state).toBe(state);
});

test.each<[string, number[], (key: Key) => Key]>([
	['fails', [1_000, 2_000, 4_000, 8_000, 10_000, 10_000], (key) => key.fail(key.send())],
	['fails, and is a login', [1_000, 2_000, 4_000], (key) => key.fail(key.send(), 'login')],
	['fails, and is a create', [2_000, 8_000, 30_000, 30_000], (key) => key.fail(key.send(), 'create')],
	['fails by 503, and is a create', [2_000, 8_000, 10_000], (key) => key.fail(key.send(), 'create', { status: 503 })],
	[
		'fails, and the service asks to wait',
		[3_000, 3_000],
		(key) => key.fail(key.send(), 'repeatable', { retryAfterMs: 3_000 }),
	],
	['is answered by a 429', [1_000, 2_000, 4_000], (key) => key.limit(key.send())],
	[
		'fails after a login',
		[1_000, 2_000, 4_000],
		(key) => (key.answer(key.send(), true).pass(500), key.fail(key.send())),
	],
	['has no answer', [10_000, 10_000], (key) => (key.send(), key)],
	['has no answer, and is a create', [30_000, 30_000], (key) => (key.send(1, 'create'), key)],
	['is cancelled', [0], (key) => (key.breaker.recordInconclusive(key.send()), key)],
	['is in flight, and one that was sent before it fails', [10_000], (key) => (key.send(), key.fail(2, 'create'))],
	[
		'is in flight, and one that was sent before it is cancelled',
		[10_000],
		(key) => (key.send(), key.breaker.recordInconclusive(2), key),
	],
])('the next probe after one that %s is due in %j ms', (_what, states, happens) => {
	const key = away();
	expect(
		states.map(() => {
			const { state } = happens(key);
			key.pass(Number(state));
			return state;
		}),
	).toEqual(states);
});

test.each<[string, (key: Key) => unknown]>([
	['a request that fails, sent after it', (key) => key.fail(key.send(), 'login')],
	['a create that fails as a probe', (key) => key.fail(key.send(), 'create')],
	['another 429, which asks for less', (key) => key.limit(key.send(), 1_000)],
	['an answer to a login', (key) => key.answer(key.send(), true)],
	['a request that is cancelled', (key) => key.breaker.recordInconclusive(key.send())],
	['somebody who may not wait so long', (key) => key.fail(key.send(), 'login').breaker.outage!.makeProbeDueEarly()],
])('the time that a 429 asks for is not cut short by %s', (_what, happens) => {
	const key = new Key();
	key.limit(key.send(), 60_000).pass(20_000);
	happens(key);
	expect(key.state).toBe(40_000);
});

test('chance adds a tenth to a wait at the most, and nothing to what the service asks for', () => {
	jest.spyOn(time, 'random').mockReturnValue(0.999);
	const key = new Key();
	expect(key.fail(key.send(), 'create').state).toBeCloseTo(500 * 1.0999);
	expect(key.pass(600).limit(key.send(), 7_000).state).toBe(7_000);
});

test('an outage that a create meets before 5 answers, and within a minute, is the one before', () => {
	const fails = (answers: number, ms: number, kind: RequestKind = 'create') => {
		const key = away();
		for (let n = 0; n <= answers; n++) key.answer(key.send());
		key.pass(ms).fail(key.send(), kind);
		expect(key.breaker.outage?.wasResumed).toBe(key.breaker.outage?.startedAt === 1_000);
		return [key.state, key.breaker.outage?.startedAt];
	};
	expect(fails(4, 59_000)).toEqual([2_000, 1_000]);
	expect(fails(5, 59_000)).toEqual([500, 60_500]);
	expect(fails(4, 60_000)).toEqual([500, 61_500]);
	expect(fails(4, 59_000, 'login')).toEqual([500, 60_500]);
	// A 429 of a create is no outage of it.
	const limited = away();
	limited
		.answer(limited.send())
		.breaker.recordFailure({ sequenceNumber: limited.send(), kind: 'create', cause: 'rateLimited' }, 4);
	expect(limited.breaker.outage).toMatchObject({ startedAt: 1_500, cause: 'rateLimited' });
	// A read that fails meanwhile says nothing of creates.
	const mixed = away();
	for (let n = 0; n <= 5; n++) mixed.answer(mixed.send());
	mixed.fail(mixed.send()).fail(mixed.send(), 'create');
	expect([mixed.breaker.outage?.startedAt, mixed.breaker.failedCount]).toEqual([1_500, 3]);
	// One that was in flight with those which failed.
	const key = new Key();
	key.send(3);
	expect(key.fail(1, 'create').answer(2).pass(1).fail(3, 'create').breaker.outage).toMatchObject({
		startedAt: 1_001,
		failures: 1,
	});
});

test('a create that fails after another one, though a later request was answered, makes the key wait until a probe is answered', () => {
	const key = new Key();
	key.send(8);
	expect(key.answer(3).fail(1, 'create').state).toBe('closed');
	expect(key.answer(4).fail(2, 'create').state).toBe(500);
	expect(key.answer(8).state).toBe(500);
	expect(key.pass(500).answer(key.send()).state).toBe('closed');
	// With five answers between, each may be its own fault.
	const other = new Key();
	other.send(20);
	other.answer(20);
	for (const number of [1, 2, 3]) {
		other.fail(number, 'create');
		for (let n = 0; n < 5; n++) other.answer(20);
		expect(other.state).toBe('closed');
	}
});

test.each<[string, number, (key: Key) => Key]>([
	[
		'at once, two seconds after the last one',
		0,
		(key) => {
			const probe = key.send();
			return key.pass(2_000).fail(probe);
		},
	],
	[
		'when it is due, if the service has asked to wait',
		7_000,
		(key) => key.fail(key.send(), 'repeatable', { retryAfterMs: 7_000 }),
	],
	['when it is due, after a 429', 1_000, (key) => key.limit(key.send())],
	[
		'when it is due, after a 429 of what was in flight',
		7_000,
		(key) => (key.send(), key.fail(key.send()).limit(3, 7_000)),
	],
	['when it is due, after a create', 2_000, (key) => key.fail(key.send(), 'create')],
	['when it is due, if another one is in flight', 10_000, (key) => (key.send(), key)],
	[
		'when it is due, less than two seconds after the last one',
		1_000,
		(key) => {
			const probe = key.send();
			return key.pass(1_999).fail(probe);
		},
	],
])('a probe for somebody who may not wait is sent %s', (_when, state, happens) => {
	const key = happens(away());
	key.breaker.outage!.makeProbeDueEarly();
	expect(key.state).toBe(state);
});

test("what can't be repeated leaves the first probe to a login, after each failure, and not after a 429", () => {
	const key = away();
	expect(key.breaker.outage?.needsLogin).toBe(true);
	expect(key.answer(key.send(), true).breaker.outage?.needsLogin).toBe(false);
	expect(key.pass(500).fail(key.send(), 'create').breaker.outage?.needsLogin).toBe(true);
	expect(key.pass(1_000).limit(key.send()).breaker.outage?.needsLogin).toBe(false);
});
