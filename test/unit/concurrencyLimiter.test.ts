import { AdaptiveLimit } from '../../nodes/VoiceAdmin/transport/flow/adaptiveLimit';
import { MAX_ENTRIES } from '../../nodes/VoiceAdmin/lruCache';
import type { OutageCause, FailureDetails, ServiceHealth } from '../../nodes/VoiceAdmin/transport/flow/outage';
import { ConcurrencyLimiter, limiterOf, type Permit } from '../../nodes/VoiceAdmin/transport/flow/concurrencyLimiter';
import { FairQueue, type QueuedRequest } from '../../nodes/VoiceAdmin/transport/flow/fairQueue';
import { Run } from '../../nodes/VoiceAdmin/transport/flow/run';
import { time } from '../../nodes/VoiceAdmin/time';
import { VirtualClock } from '../support/time';

/** Long enough for every permit that is not held back by the limit or an outage. */
const A_WHILE_MS = 100;

const READ: QueuedRequest = { kind: 'repeatable' };
const CREATE: QueuedRequest = { kind: 'create' };

/** A limiter with virtual time, a run, and the lines that it logs. */
function setUp(maxConcurrency = 500, maxWaitMs?: number) {
	const clock = new VirtualClock();
	jest.spyOn(time, 'now').mockImplementation(clock.now);
	jest.spyOn(time, 'sleep').mockImplementation(clock.sleep);
	const log: string[] = [];
	const limiter = new ConcurrencyLimiter((line) => log.push(line));
	return { clock, limiter, log, run: new Run(maxConcurrency, maxWaitMs ?? 120_000) };
}

type Setup = ReturnType<typeof setUp>;

const anotherRun = (setup: Setup, maxWaitMs?: number): Setup => ({ ...setup, run: new Run(500, maxWaitMs ?? 120_000) });

/** Asks for so many permits and gives those that are there after a while; the others stay asked for. */
async function acquire({ clock, limiter, run }: Setup, count: number, kind = READ): Promise<Permit[]> {
	const permits: Permit[] = [];
	for (let n = 0; n < count; n++) void limiter.acquire(run, kind).then((got) => got && permits.push(got));
	await clock.advance(A_WHILE_MS);
	return permits;
}

/** Lets one request fail for want of the service. */
async function fail(
	setup: Setup,
	cause: OutageCause = 'unavailable',
	details?: FailureDetails,
	kind = CREATE,
): Promise<void> {
	const [permit] = await acquire(setup, 1, kind);
	finish(permit, cause, details);
}

function finish(permit?: Permit, health: ServiceHealth = 'healthy', details?: FailureDetails): void {
	permit?.report(health, details);
	permit?.release();
}

/** What is got, by name, in the order in which it is. */
function recorder(got: string[]) {
	return (name: string, asked: Promise<Permit | undefined>) =>
		void asked.then((acquired) => {
			got.push(acquired ? name : `no ${name}`);
			finish(acquired);
		});
}

beforeEach(() => void jest.spyOn(time, 'random').mockReturnValue(0));

describe('the limit of concurrent requests', () => {
	/** A round of successes, one with nothing beside it, a failure, a restart after an outage, or milliseconds without any. */
	type Step = 'round' | 'single' | 'failure' | 'restart' | number;

	test.each<[string, Step[], number[]]>([
		['doubles with each full round of successes, up to 500', Array(6).fill('round'), [50, 100, 200, 400, 500, 500]],
		[
			'stays when it is not used, and for a failure after 50 successes',
			[...Array(50).fill('single'), 'failure'],
			Array(51).fill(25),
		],
		['halves, then increases by one a round', ['failure', 'round', 'round', 'failure'], [12, 13, 14, 7]],
		[
			'is lowered by a second failure after 50 successes, and not by the first, which says something of its item',
			['round', 'round', 'failure', 'failure'],
			[50, 100, 100, 50],
		],
		['never goes below four', Array(5).fill('failure'), [12, 6, 4, 4, 4]],
		['doubles again ten seconds after a failure', ['failure', 10_001, 'round'], [12, 12, 24]],
		[
			'doubles after a restart, up to what it was',
			['failure', 'restart', ...Array<Step>(6).fill('round')],
			[12, 1, 2, 4, 8, 9, 10, 11],
		],
	])('%s', (_name, steps, expected) => {
		const limit = new AdaptiveLimit();
		let now = 1_000;
		expect(
			steps.map((step) => {
				const { limit: current } = limit;
				if (typeof step === 'number') now += step;
				else if (step === 'restart') limit.restart();
				else if (step === 'failure') limit.recordFailure(now);
				else
					for (let n = step === 'round' ? current : 1; n > 0; n--)
						limit.recordSuccess(step === 'round' ? current : 1, now);
				return limit.limit;
			}),
		).toEqual(expected);
	});

	test.each<[number, OutageCause, FailureDetails, QueuedRequest]>([
		[25, 'rateLimited', { status: 429 }, READ],
		[12, 'unavailable', {}, CREATE],
		[12, 'unavailable', { status: 503 }, READ],
		[12, 'unavailable', { status: 529 }, READ],
		[25, 'unavailable', { status: 502 }, READ],
		[25, 'unavailable', { status: 503 }, { ...READ, isRetry: true }],
	])('is %i after what was in flight had %s, %j, of %j, and the log says so', async (limit, cause, details, kind) => {
		const setup = setUp();
		const permits = await acquire(setup, 5, kind);
		for (const permit of permits) permit.report(cause, details);
		expect(setup.limiter.flow.limit).toBe(limit);
		expect(setup.log.filter((line) => line.startsWith('limit'))).toEqual(
			limit === 25 ? [] : ['limit of concurrent requests 25 → 12'],
		);
	});

	test('is raised by successes alone', async () => {
		const setup = setUp();
		const [responded, ignored, ...others] = await acquire(setup, 25);
		finish(responded, 'responded');
		finish(ignored, 'inconclusive');
		for (const permit of others) finish(permit);
		// 23 successes are no full round.
		expect(setup.limiter.flow.limit).toBe(25);
		for (const permit of await acquire(setup, 2)) finish(permit);
		expect(setup.limiter.flow.limit).toBe(50);
	});

	test('is forgotten after a minute without requests', async () => {
		const setup = setUp();
		await fail(setup, 'unavailable', { status: 503 }, READ);
		await setup.clock.advance(59_000);
		(await acquire(setup, 1))[0]!.release();
		expect(setup.limiter.flow.limit).toBe(12);
		await setup.clock.advance(60_001);
		await acquire(setup, 1);
		expect(setup.limiter.flow.limit).toBe(25);
	});
});

describe('while the service is away', () => {
	test('one request at a time is sent, and when it is answered, the others follow: one, and twice as many with each round', async () => {
		const setup = setUp();
		await fail(setup, 'unavailable', { status: 502 });
		const held = await acquire(setup, 20);
		await setup.clock.advance(10_000);
		const counts: number[] = [];
		for (; held.length > 0; await setup.clock.advance(A_WHILE_MS)) {
			counts.push(held.length);
			for (const permit of held.splice(0)) finish(permit);
		}
		expect(counts).toEqual([1, 2, 4, 8, 5]);
		expect(setup.log.slice(0, 2)).toEqual([
			'service is unavailable (502); requests wait 500 ms',
			expect.stringMatching(/^service responds again after 1\d+ ms/),
		]);
	});

	test('a login goes first, then what can be repeated, and of that first what has not failed', async () => {
		const setup = setUp();
		await fail(setup);
		const got: string[] = [];
		const asks = recorder(got);
		const of = ({ run, limiter }: Setup, kind: QueuedRequest) => limiter.acquire(run, kind);
		asks('create', of(anotherRun(setup), CREATE));
		asks('retry', of(setup, { ...READ, isRetry: true }));
		asks('read', of(setup, READ));
		asks('login', setup.limiter.acquire(setup.run, { kind: 'login' }));
		await setup.clock.advance(500);
		// A login's success is followed by another probe.
		expect(got).toEqual(['login']);
		await setup.clock.advance(400);
		expect(got).toEqual(['login']);
		await setup.clock.advance(1_000);
		expect(got).toEqual(['login', 'read', 'create', 'retry']);
	});
});

test.each<[string, ServiceHealth, FailureDetails, number]>([
	['Max Wait where it was healthy', 'healthy', {}, 60_000],
	['Max Wait where it responded', 'responded', {}, 60_000],
	['Max Wait where it returned a status', 'unavailable', { status: 502 }, 60_000],
	['ten seconds where nothing has ever responded', 'inconclusive', {}, 10_000],
])('a run waits for the service for %s', async (_where, health, details, waitMs) => {
	const setup = setUp(500, 60_000);
	const [permit] = await acquire(setup, 1, CREATE);
	finish(permit, health, details);
	await fail(setup);
	const { outage } = setup.limiter.flow.breaker;
	expect(setup.limiter.remainingWaitMs(setup.run, 'create')).toBe(waitMs - (time.now() - outage!.startedAt));
});

test('where only creates fail, one at a time is sent, and the others wait for as long as their run may; reads go on', async () => {
	const setup = setUp(500, 60_000);
	const reader = anotherRun(setup, 60_000);
	// One at a time, so that more than four reads are answered between two.
	const creator = { ...setup, run: new Run(1, 20_000) };
	const creates: Permit[] = [];
	let [failed, sentAway] = [0, 0];
	for (let n = 0; n < 100; n++)
		void setup.limiter.acquire(creator.run, CREATE).then((permit) => (permit ? creates.push(permit) : sentAway++));
	for (let seconds = 0; seconds < 30; seconds++) {
		for (let n = 0; n < 6; n++) void setup.limiter.acquire(reader.run, READ).then((permit) => finish(permit));
		await setup.clock.advance(A_WHILE_MS);
		for (const permit of creates.splice(0)) {
			failed++;
			finish(permit, 'unavailable');
		}
		await setup.clock.advance(900);
	}
	// One, and after it one after 0.5, 2 and 8 seconds.
	expect(failed).toBeLessThanOrEqual(1 + 3);
	expect(failed + sentAway).toBe(100);
});

test('requests that hang do not hold other runs for longer than five seconds', async () => {
	const setup = setUp();
	// Idle time before the first request does not count.
	await setup.clock.advance(30_000);
	expect(await acquire(setup, 30)).toHaveLength(25);
	const single = await acquire(anotherRun(setup), 2);
	await setup.clock.advance(3_000);
	const another = await acquire(anotherRun(setup), 2);
	expect([single.length, another.length]).toEqual([0, 0]);
	// One each, beyond the limit, and one after the other.
	await setup.clock.advance(1_800);
	expect([single.length, another.length]).toEqual([1, 0]);
	await setup.clock.advance(200);
	expect([single.length, another.length]).toEqual([1, 1]);
	expect(setup.run.inFlight).toBe(25);
});

test('a run adds up for how long it has waited, by the cause, and counts times that overlap once', async () => {
	await setUp().clock.advance(9_000);
	const run = new Run(5, 120_000);
	const outage = (cause: OutageCause, since: number, overAt?: number) =>
		({ cause, startedAt: since, endedAt: overAt }) as never;
	run.recordWait(undefined, 0);
	for (let n = 0; n < 2; n++) run.recordWait(outage('unavailable', 2_000, 5_000), 1_000);
	run.recordWait(outage('unavailable', 4_000, 6_000), 3_000);
	run.recordWait(outage('rateLimited', 6_000, 9_000), 8_000);
	// It lasts.
	run.recordWait(outage('rateLimited', 9_500), 0);
	expect(run.waitedMs).toEqual({ unavailable: 4_000, rateLimited: 1_500 });
});

test('four requests at most are sent before the event loop goes on', async () => {
	const { limiter, run, clock } = setUp();
	let granted = 0;
	for (let n = 0; n < 6; n++) void limiter.acquire(run, READ).then(() => granted++);
	// Time stands still.
	await new Promise((resolve) => setImmediate(resolve));
	expect(granted).toBe(4);
	await clock.advance(A_WHILE_MS);
	expect(granted).toBe(6);
});

test('a run that is stopped waits for no permit', async () => {
	const { run, limiter } = setUp();
	run.stop();
	expect([await run.stopped, await limiter.acquire(run, READ), await limiter.acquire(run, { kind: 'login' })]).toEqual([
		undefined,
		undefined,
		undefined,
	]);
});

describe('the limiter of a key', () => {
	const limiterOfKey = (fingerprint: string) => limiterOf({ baseUrl: 'https://api.example', fingerprint });
	let others = 0;
	const askForOthers = (count: number, meanwhile = () => {}) => {
		for (let n = 0; n < count; n++) {
			limiterOfKey(`other ${others++}`);
			meanwhile();
		}
	};

	test('stays while a request of it is in flight or waits, as another one would send beyond the limit', async () => {
		const limiter = limiterOfKey('in use');
		const run = new Run(1, 120_000);
		const permit = (await limiter.acquire(run, READ)) as Permit;
		askForOthers(MAX_ENTRIES);
		expect(limiterOfKey('in use')).toBe(limiter);
		permit.report('rateLimited', { retryAfterMs: 60_000 });
		permit.release();
		void limiter.acquire(run, READ);
		askForOthers(MAX_ENTRIES);
		expect(limiterOfKey('in use')).toBe(limiter);
		run.stop();
	});

	test('is forgotten when none is in flight and as many keys come after it as are remembered, unless it was asked for meanwhile', () => {
		const [idle, asked] = [limiterOfKey('idle'), limiterOfKey('asked for')];
		askForOthers(MAX_ENTRIES - 1, () => void limiterOfKey('asked for'));
		expect(limiterOfKey('idle')).not.toBe(idle);
		expect(limiterOfKey('asked for')).toBe(asked);
	});
});

test('a request that joins a long queue is not compared with all that wait', () => {
	const queue = new FairQueue();
	const run = {};
	let compared = 0;
	const waiter = {
		kind: 'repeatable',
		run,
		get isRetry() {
			compared++;
			return false;
		},
	} as const;
	for (let n = 0; n < 1_000; n++) queue.add(Object.create(waiter));
	expect(compared).toBeLessThan(5_000);
});
