import { sleep } from 'n8n-workflow';

import { ConcurrencyLimiter, type Permit } from '../../nodes/VoiceAdmin/transport/flow/concurrencyLimiter';

/** An available permit is given within this time, in milliseconds: in the next turn of the event loop at the latest. */
const IMMEDIATELY_MS = 20;

/** Acquires permits until none is available. */
async function acquireAvailable(limiter: ConcurrencyLimiter): Promise<Permit[]> {
	const permits: Permit[] = [];
	for (let isFull = false; !isFull; ) {
		const permit = await Promise.race([limiter.acquire(), sleep(IMMEDIATELY_MS)]);
		if (permit === undefined) isFull = true;
		else permits.push(permit);
	}
	return permits;
}

/** Acquires as many permits as the limit allows. */
async function acquireAll(limiter: ConcurrencyLimiter): Promise<Permit[]> {
	return await Promise.all(Array.from({ length: limiter.limit }, async () => (await limiter.acquire())!));
}

/** A full round of successes, with as many concurrent requests as the limit allows. */
async function successfulRound(limiter: ConcurrencyLimiter): Promise<void> {
	for (const permit of await acquireAll(limiter)) limiter.release(permit, 'success');
}

describe('the concurrency limiter', () => {
	test('starts with 25 permits and gives no more', async () => {
		expect(await acquireAvailable(new ConcurrencyLimiter(200))).toHaveLength(25);
	});

	test('starts with the maximum where that is lower', async () => {
		expect(await acquireAvailable(new ConcurrencyLimiter(3))).toHaveLength(3);
	});

	test('gives four permits at once, and leaves the event loop a turn before the next four', async () => {
		const limiter = new ConcurrencyLimiter(200);
		let given = 0;
		const acquired = Array.from({ length: 10 }, () => limiter.acquire().then(() => given++));
		// Before any timer, however busy the machine is.
		await new Promise(process.nextTick);
		expect(given).toBe(4);
		await Promise.all(acquired);
		expect(given).toBe(10);
	});

	test('doubles the limit with each full round of successes, up to the maximum', async () => {
		const limiter = new ConcurrencyLimiter(120);
		const limits: number[] = [];
		for (let round = 0; round < 4; round++) {
			await successfulRound(limiter);
			limits.push(limiter.limit);
		}
		expect(limits).toEqual([50, 100, 120, 120]);
	});

	test('keeps a limit that is not used: 1,000 requests one after the other do not increase it', async () => {
		const limiter = new ConcurrencyLimiter(500);
		for (let n = 0; n < 1_000; n++) limiter.release((await limiter.acquire())!, 'success');
		expect(limiter.limit).toBe(25);
	});

	test('halves the limit once for all requests in flight that are dropped, and then increases it by one a round', async () => {
		const limiter = new ConcurrencyLimiter(200);
		for (const permit of await acquireAll(limiter)) limiter.release(permit, 'dropped');
		expect(limiter.limit).toBe(12);
		await successfulRound(limiter);
		expect(limiter.limit).toBe(13);
		limiter.release((await limiter.acquire())!, 'dropped');
		expect(limiter.limit).toBe(6);
	});

	test('neither increases nor decreases the limit for what is to be ignored', async () => {
		const limiter = new ConcurrencyLimiter(200);
		for (const permit of await acquireAll(limiter)) limiter.release(permit, 'ignore');
		expect(limiter.limit).toBe(25);
		const [ignored, ...others] = await acquireAll(limiter);
		limiter.release(ignored!, 'ignore');
		for (const permit of others) limiter.release(permit, 'success');
		// 24 successes are no full round.
		expect(limiter.limit).toBe(25);
		limiter.release((await limiter.acquire())!, 'success');
		expect(limiter.limit).toBe(50);
	});

	test('paces requests once the service has asked for a pause', async () => {
		const limiter = new ConcurrencyLimiter(200);
		await successfulRound(limiter);
		const permit = (await limiter.acquire())!;
		const over = limiter.pauseUntil(new Promise((resolve) => setTimeout(resolve, 1_000)), permit);
		limiter.release(permit, 'dropped');
		await over;
		// 25 in a second are 40 ms apart. Without pacing, 25 permits would be available.
		const available = (await acquireAvailable(limiter)).length;
		expect(available).toBeGreaterThan(0);
		expect(available).toBeLessThan(10);
	});

	test('does not increase the interval for each dropped request of one burst, even when the pauses take no time', async () => {
		const limiter = new ConcurrencyLimiter(200);
		await successfulRound(limiter);
		const burst = await acquireAvailable(limiter);
		for (const permit of burst) {
			await limiter.pauseUntil(Promise.resolve(), permit);
			limiter.release(permit, 'dropped');
		}
		const started = Date.now();
		for (let n = 0; n < 50; n++) limiter.release((await limiter.acquire())!, 'success');
		// As many took a moment before the burst. If each of the 50 doubled the interval, this would never end.
		expect(Date.now() - started).toBeLessThan(5_000);
	});

	test('does not decrease the interval either, for each dropped request of one burst', async () => {
		const limiter = new ConcurrencyLimiter(200);
		const burst = await acquireAvailable(limiter);
		await sleep(500);
		for (const permit of burst) {
			await limiter.pauseUntil(Promise.resolve(), permit);
			limiter.release(permit, 'dropped');
		}
		const started = performance.now();
		for (let n = 0; n < 25; n++) limiter.release((await limiter.acquire())!, 'success');
		// 25 in half a second are 20 ms apart, of which 100 ms are made up for. Without pacing, this takes a few milliseconds.
		expect(performance.now() - started).toBeGreaterThan(200);
	});

	test('gives no permit to a request that is being paced when it is closed', async () => {
		const limiter = new ConcurrencyLimiter(1);
		const permit = (await limiter.acquire())!;
		const over = limiter.pauseUntil(new Promise((resolve) => setTimeout(resolve, 500)), permit);
		limiter.release(permit, 'dropped');
		await over;
		limiter.release((await limiter.acquire())!, 'success');
		const waiting = limiter.acquire();
		limiter.close();
		expect(await waiting).toBeUndefined();
	});

	test('does not decrease the limit below one', async () => {
		const limiter = new ConcurrencyLimiter(2);
		for (let n = 0; n < 5; n++) limiter.release((await limiter.acquire())!, 'dropped');
		expect(limiter.limit).toBe(1);
	});

	test('gives permits in the order of the calls', async () => {
		const limiter = new ConcurrencyLimiter(1);
		const first = (await limiter.acquire())!;
		const order: number[] = [];
		const others = [1, 2, 3].map(async (n) => {
			const permit = (await limiter.acquire())!;
			order.push(n);
			limiter.release(permit, 'success');
		});
		limiter.release(first, 'success');
		await Promise.all(others);
		expect(order).toEqual([1, 2, 3]);
	});

	test('gives a permit to a retry before requests that have not been sent yet', async () => {
		const limiter = new ConcurrencyLimiter(1);
		const first = (await limiter.acquire())!;
		const order: string[] = [];
		const acquire = async (name: string, isRetry: boolean) => {
			const permit = (await limiter.acquire(isRetry))!;
			order.push(name);
			limiter.release(permit, 'success');
		};
		const acquired = [acquire('new', false), acquire('another', false), acquire('retry', true)];
		limiter.release(first, 'success');
		await Promise.all(acquired);
		expect(order).toEqual(['retry', 'new', 'another']);
	});

	test('gives no permit to those who wait when it is closed, nor to anyone after that', async () => {
		const limiter = new ConcurrencyLimiter(1);
		await limiter.acquire();
		const waiting = [limiter.acquire(), limiter.acquire(true)];
		expect(limiter.isClosed).toBe(false);
		limiter.close();
		expect(limiter.isClosed).toBe(true);
		expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
		expect(await limiter.acquire()).toBeUndefined();
	});
});
