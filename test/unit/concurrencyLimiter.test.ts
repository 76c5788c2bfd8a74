import { ConcurrencyLimiter, type LimiterSignal, type Pause, type Permit } from '../../nodes/VoiceAdmin/transport/flow/concurrencyLimiter';
import { RunLimit } from '../../nodes/VoiceAdmin/transport/flow/runLimit';
import { VirtualClock } from '../support/time';

/** Long enough for every permit that is not held back by the limit or a pause. */
const A_WHILE_MS = 100;

/** A limiter with virtual time, a run, and the lines that it logs. */
function setUp(maxConcurrency = 500) {
	const clock = new VirtualClock();
	const log: string[] = [];
	const limiter = new ConcurrencyLimiter((line) => log.push(line), clock);
	return { clock, limiter, log, run: new RunLimit(maxConcurrency, clock) };
}

/** A pause for all requests of the key. */
const pauseOf = (ms: number): Pause => ({ ms, isForKey: true });

type Setup = ReturnType<typeof setUp>;

const anotherRun = (setup: Setup): Setup => ({ ...setup, run: new RunLimit(500, setup.clock) });

/** Asks for so many permits and gives those that are there after a while; the others stay asked for. */
async function acquire({ clock, limiter, run }: Setup, count: number, isRetry = false): Promise<Permit[]> {
	const permits: Permit[] = [];
	for (let n = 0; n < count; n++) void run.acquire(limiter, isRetry).then((permit) => permit && permits.push(permit));
	await clock.advance(A_WHILE_MS);
	return permits;
}

describe('the limit of concurrent requests', () => {
	/** A round of requests with this result, a single one, or one that is sent again; or milliseconds without any. */
	type Step = LimiterSignal | `single ${LimiterSignal}` | `again ${LimiterSignal}` | number;

	test.each<[string, Step[], number[]]>([
		['doubles with each full round of successes, up to 500', Array(6).fill('success'), [50, 100, 200, 400, 500, 500]],
		['stays when it is not used, and for a failure after 50 successes', [...Array(50).fill('single success'), 'single failed'],
			Array(51).fill(25)],
		['counts the successes of each round by themselves', ['success', ...Array(25).fill('single success')], Array(26).fill(50)],
		['halves once for all in flight that are dropped, then increases by one a round', ['dropped', 'success', 'single dropped'], [12, 13, 6]],
		['is lowered by a second failure after 50 successes, and not by the first, which says something of its item',
			['success', 'success', 'single failed', 'single failed'], [50, 100, 100, 50]],
		['is lowered once by many that fail at once, after many successes too', ['success', 'success', 'failed'], [50, 100, 50]],
		['is lowered by what the service drops, however many succeeded before', ['success', 'success', 'single dropped'], [50, 100, 50]],
		['is lowered by a request that is dropped again, and not by one that fails again',
			[...Array(3).fill('again failed'), 'again dropped'], [25, 25, 25, 12]],
		['doubles again when nothing was dropped for ten seconds', ['dropped', 10_001, 'success'], [12, 12, 24]],
		['stays for what is to be ignored', ['ignore', 'single ignore'], [25, 25]],
	])('%s, and the log says so', async (_name, steps, expected) => {
		const setup = setUp();
		const { clock, limiter, log } = setup;
		const limits: number[] = [];
		for (const step of steps) {
			const [signal, how] = String(step).split(' ').reverse() as [LimiterSignal, string?];
			if (typeof step === 'number') await clock.advance(step);
			else for (const permit of await acquire(setup, how ? 1 : limiter.limit, how === 'again')) permit.release(signal);
			limits.push(limiter.limit);
		}
		expect(limits).toEqual(expected);
		const changes = expected.map((limit, index) => [expected[index - 1] ?? 25, limit]).filter(([before, limit]) => before !== limit);
		expect(log).toEqual(changes.map(([before, limit]) => `limit of concurrent requests ${before} → ${limit}`));
	});

	test('does not count what is to be ignored as a success', async () => {
		const setup = setUp();
		const [ignored, ...others] = await acquire(setup, 25);
		ignored!.release('ignore');
		for (const permit of others) permit.release('success');
		// 24 successes are no full round.
		expect(setup.limiter.limit).toBe(25);
		(await acquire(setup, 1))[0]!.release('success');
		expect(setup.limiter.limit).toBe(50);
	});
});

test('a run goes on with one key while another has to pause', async () => {
	const setup = setUp(2);
	(await acquire(setup, 1))[0]!.release('dropped', pauseOf(60_000));
	await acquire(setup, 5);
	expect(await acquire({ ...setup, limiter: new ConcurrencyLimiter(undefined, setup.clock) }, 5)).toHaveLength(2);
});

test('a request that waits for one of its run is sent as soon as that has ended', async () => {
	const setup = setUp(1);
	const permits = await acquire(setup, 2);
	permits[0]!.release('success');
	await setup.clock.advance(1);
	expect(permits).toHaveLength(2);
});

test('a request sent before a pause, and rejected after it, asks for another one', async () => {
	const setup = setUp();
	for (const permit of await acquire(setup, 2)) {
		permit.release('dropped', pauseOf(1_000));
		const held = await acquire(setup, 1);
		expect(held).toHaveLength(0);
		await setup.clock.advance(1_000);
		expect(held).toHaveLength(1);
	}
});

test('a pause that the service asks for is followed by paced requests', async () => {
	const setup = setUp();
	for (const permit of await acquire(setup, 25)) permit.release('success');
	for (const permit of await acquire(setup, 50)) permit.release('dropped', pauseOf(1_000));
	const held = await acquire(setup, 1);
	expect([held.length, setup.log.splice(2)]).toEqual([0, ['service asks to wait 1000 ms']]);
	await setup.clock.advance(1_000);
	expect(setup.log.splice(2)).toEqual(['pause is over; at most 22.7 requests a second']);
	// 25 in 1.1 s are 44 ms apart, and of 100 ms are made up for. Without pacing, all would be there.
	const permits = await acquire(setup, 24);
	expect(permits.length).toBeGreaterThan(0);
	expect(permits.length).toBeLessThan(8);
	await setup.clock.advance(60_000);
	for (const permit of [...held, ...permits]) permit.release('ignore');
	// After a minute without another pause, and a moment without requests, they are no longer paced.
	expect(await acquire(setup, 25)).toHaveLength(25);
});

describe('a pause for one run, as after a 503', () => {
	const ofRun: Pause = { ms: 5_000, isForKey: false };

	test('holds the run, and no other', async () => {
		const setup = setUp();
		for (const permit of await acquire(setup, 2)) permit.release('dropped', ofRun);
		const held = await acquire(setup, 1);
		expect(await acquire(anotherRun(setup), 1)).toHaveLength(1);
		expect(held).toHaveLength(0);
		await setup.clock.advance(5_000);
		expect(held).toHaveLength(1);
	});

	test('holds all runs when the service asks for it again, and has processed nothing meanwhile', async () => {
		const setup = setUp();
		(await acquire(setup, 1))[0]!.release('dropped', ofRun);
		(await acquire(anotherRun(setup), 1))[0]!.release('dropped', ofRun);
		expect(await acquire(anotherRun(setup), 1)).toHaveLength(0);
	});
});

describe('requests that hang', () => {
	test('do not hold other runs for longer than five seconds', async () => {
		const setup = setUp();
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

	test('are not assumed because of idle time before the first request', async () => {
		const setup = setUp();
		await setup.clock.advance(30_000);
		const runs = Array.from({ length: 50 }, () => new RunLimit(500, setup.clock));
		for (const run of runs) void run.acquire(setup.limiter);
		await setup.clock.advance(A_WHILE_MS);
		expect(runs.filter(({ inFlight }) => inFlight > 0)).toHaveLength(25);
	});
});

test.each<[LimiterSignal, boolean]>([['ignore', false], ['failed', false], ['success', false], ['dropped', true]])(
	'a service that asks to wait is not given up while it gives other answers in between: %s',
	async (signal, isGivenUp) => {
		const setup = setUp();
		for (let n = 0; n < 5; n++) {
			(await acquire(setup, 1))[0]!.release('dropped', pauseOf(60_000));
			await setup.clock.advance(70_000);
			(await acquire(setup, 1))[0]!.release(signal);
			await setup.clock.advance(10_000);
		}
		expect(setup.log.includes('nothing but pauses for three minutes; waiting requests fail')).toBe(isGivenUp);
	},
);

test('a login goes before all requests that wait, and is not held by the limit', async () => {
	const setup = setUp();
	(await acquire(setup, 1))[0]!.release('dropped', pauseOf(5_000));
	const order: string[] = [];
	for (let n = 0; n < 30; n++) void setup.run.acquire(setup.limiter).then(() => order.push('request'));
	for (let n = 0; n < 30; n++) void setup.limiter.acquireForLogin().then(() => order.push('login'));
	await setup.clock.advance(4_900);
	expect(order).toEqual([]);
	await setup.clock.advance(30_000);
	expect(order.slice(0, 30)).toEqual(Array(30).fill('login'));
});

test('a run adds up the waits that the service asks it for, and counts times that overlap once', async () => {
	const clock = new VirtualClock();
	const run = new RunLimit(5, clock);
	run.recordAskedToWait(3_000);
	run.recordAskedToWait(2_000);
	await clock.advance(1_000);
	run.recordAskedToWait(3_000);
	expect(run.askedToWaitMs).toBe(4_000);
	await clock.advance(10_000);
	run.recordAskedToWait(500);
	expect(run.askedToWaitMs).toBe(4_500);
});

test('a run that is closed does not wait for what is done for others, too, and sends nothing more', async () => {
	const { run, limiter } = setUp();
	const never = run.unlessClosed(new Promise(() => {}));
	run.close();
	expect(await never).toBeUndefined();
	expect(await run.acquire(limiter)).toBeUndefined();
});
