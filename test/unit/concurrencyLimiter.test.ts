import { ConcurrencyLimiter, type LimiterSignal, type Pause, type Permit } from '../../nodes/VoiceAdmin/transport/flow/concurrencyLimiter';
import { RunLimit } from '../../nodes/VoiceAdmin/transport/flow/runLimit';
import { VirtualClock } from '../support/virtualClock';

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

/** Asks for so many permits and gives those that are there after a while; the others stay asked for. */
async function acquire({ clock, limiter, run }: Setup, count: number): Promise<Permit[]> {
	const permits: Permit[] = [];
	for (let n = 0; n < count; n++) void run.acquire(limiter).then((permit) => permit && permits.push(permit));
	await clock.advance(A_WHILE_MS);
	return permits;
}

/** A round with as many concurrent requests as the limit allows. */
async function round(setup: Setup, signal: LimiterSignal, pause?: Pause): Promise<void> {
	for (const permit of await acquire(setup, setup.limiter.limit)) permit.release(signal, pause);
}

describe('the limit of concurrent requests', () => {
	test('doubles with each full round of successes, up to 500, and says so in the log', async () => {
		const setup = setUp();
		const limits: number[] = [];
		for (let n = 0; n < 6; n++) {
			await round(setup, 'success');
			limits.push(setup.limiter.limit);
		}
		expect(limits).toEqual([50, 100, 200, 400, 500, 500]);
		expect(setup.log[0]).toBe('limit of concurrent requests 25 → 50');
		expect(setup.log).toHaveLength(5);
	});

	test('stays when it is not used: 1,000 requests one after the other do not increase it', async () => {
		const setup = setUp();
		for (let n = 0; n < 1_000; n++) (await acquire(setup, 1))[0]!.release('success');
		expect(setup.limiter.limit).toBe(25);
	});

	test('halves once for all requests in flight that are dropped, and then increases by one a round', async () => {
		const setup = setUp();
		await round(setup, 'dropped');
		expect(setup.limiter.limit).toBe(12);
		await round(setup, 'success');
		expect(setup.limiter.limit).toBe(13);
		(await acquire(setup, 1))[0]!.release('dropped');
		expect(setup.limiter.limit).toBe(6);
	});

	test('is not lowered by one failed request after 50 successes: it says something of its item, and not of the service', async () => {
		const setup = setUp();
		await round(setup, 'success');
		await round(setup, 'success');
		(await acquire(setup, 1))[0]!.release('failed');
		expect(setup.limiter.limit).toBe(100);
		(await acquire(setup, 1))[0]!.release('failed');
		expect(setup.limiter.limit).toBe(50);
		// What the service rejects does, however many succeeded before.
		await round(setup, 'success');
		(await acquire(setup, 1))[0]!.release('dropped');
		expect(setup.limiter.limit).toBe(25);
	});

	test('is not lowered by a request that fails again', async () => {
		const setup = setUp();
		for (let n = 0; n < 3; n++) {
			const permit = setup.run.acquire(setup.limiter, true);
			await setup.clock.advance(A_WHILE_MS);
			(await permit)!.release('failed');
		}
		expect(setup.limiter.limit).toBe(25);
	});

	test('doubles again when nothing was dropped for ten seconds: a service that was down is not avoided for ever', async () => {
		const setup = setUp();
		await round(setup, 'dropped');
		await setup.clock.advance(10_001);
		await round(setup, 'success');
		expect(setup.limiter.limit).toBe(24);
	});

	test('neither increases nor decreases for what is to be ignored', async () => {
		const setup = setUp();
		await round(setup, 'ignore');
		expect(setup.limiter.limit).toBe(25);
		const [ignored, ...others] = await acquire(setup, 25);
		ignored!.release('ignore');
		for (const permit of others) permit.release('success');
		// 24 successes are no full round.
		expect(setup.limiter.limit).toBe(25);
		(await acquire(setup, 1))[0]!.release('success');
		expect(setup.limiter.limit).toBe(50);
	});
});

describe('a run', () => {
	test('goes on with one key while another has to pause', async () => {
		const setup = setUp(2);
		(await acquire(setup, 1))[0]!.release('dropped', pauseOf(60_000));
		await acquire(setup, 5);
		const other = { ...setup, limiter: new ConcurrencyLimiter(undefined, setup.clock) };
		expect(await acquire(other, 5)).toHaveLength(2);
	});

	test('that is closed gets no permit any more, and does not wait for what is done for others, too', async () => {
		const { limiter, run } = setUp();
		const never = run.unlessClosed(new Promise(() => {}));
		run.close();
		expect([await never, await run.acquire(limiter)]).toEqual([undefined, undefined]);
	});
});

describe('a pause that the service asks for', () => {
	test('is followed by paced requests', async () => {
		const setup = setUp();
		await round(setup, 'success');
		await round(setup, 'dropped', pauseOf(1_000));
		await setup.clock.advance(1_000);
		// 25 in 1.2 s are 48 ms apart, and of 100 ms are made up for. Without pacing, all would be there.
		const permits = await acquire(setup, 25);
		expect(permits.length).toBeGreaterThan(0);
		expect(permits.length).toBeLessThan(8);
	});
});

describe('a pause for one run, as after a 503', () => {
	const ofRun: Pause = { ms: 5_000, isForKey: false };

	test('holds the run, and no other', async () => {
		const setup = setUp();
		(await acquire(setup, 1))[0]!.release('dropped', ofRun);
		const held = await acquire(setup, 1);
		const other = { ...setup, run: new RunLimit(500, setup.clock) };
		expect(await acquire(other, 1)).toHaveLength(1);
		expect(held).toHaveLength(0);
		await setup.clock.advance(5_000);
		expect(held).toHaveLength(1);
	});

	test('holds all runs when the service asks for it again, and has processed nothing meanwhile', async () => {
		const setup = setUp();
		(await acquire(setup, 1))[0]!.release('dropped', ofRun);
		const other = { ...setup, run: new RunLimit(500, setup.clock) };
		(await acquire(other, 1))[0]!.release('dropped', ofRun);
		expect(await acquire({ ...setup, run: new RunLimit(500, setup.clock) }, 1)).toHaveLength(0);
	});
});

describe('requests that hang', () => {
	test('do not hold other runs for longer than five seconds', async () => {
		const setup = setUp();
		expect(await acquire(setup, 30)).toHaveLength(25);
		const single = await acquire({ ...setup, run: new RunLimit(500, setup.clock) }, 2);
		const another = await acquire({ ...setup, run: new RunLimit(500, setup.clock) }, 2);
		expect([single.length, another.length]).toEqual([0, 0]);
		await setup.clock.advance(5_500);
		// One each, beyond the limit.
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

describe('a service that only asks to wait', () => {
	test.each<LimiterSignal>(['ignore', 'failed',
		'success'])('is not given up while it gives other answers in between: %s', async (signal) => {
		const setup = setUp();
		for (let n = 0; n < 5; n++) {
			(await acquire(setup, 1))[0]!.release('dropped', pauseOf(60_000));
			await setup.clock.advance(70_000);
			(await acquire(setup, 1))[0]!.release(signal);
			await setup.clock.advance(10_000);
		}
		expect(setup.log).not.toContain('nothing but pauses for three minutes; waiting requests fail');
	});
});

describe('a login', () => {
	test('goes before all requests that wait, and is not held by the limit', async () => {
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
