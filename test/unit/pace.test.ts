import { sleep } from 'n8n-workflow';

import { Pace, type Place } from '../../nodes/VoiceAdmin/transport/flow/concurrencyLimiter';

/** A place that is free is given within this time, in milliseconds: in the next turn of the event loop at the latest. */
const AT_ONCE_MS = 20;

/** Takes every place that is free. */
async function fill(pace: Pace): Promise<Place[]> {
	const places: Place[] = [];
	for (let full = false; !full; ) {
		const place = await Promise.race([pace.enter(), sleep(AT_ONCE_MS)]);
		if (place === undefined) full = true;
		else places.push(place);
	}
	return places;
}

/** As many places as there may be. */
async function take(pace: Pace): Promise<Place[]> {
	return await Promise.all(Array.from({ length: pace.limit }, async () => (await pace.enter())!));
}

/** A full round of good replies, to as many requests in flight as there may be. */
async function goodRound(pace: Pace): Promise<void> {
	for (const place of await take(pace)) pace.leave(place, 'good');
}

describe('the pace of a run', () => {
	test('begins with 25 in flight and lets nobody else in', async () => {
		expect(await fill(new Pace(200))).toHaveLength(25);
	});

	test('begins with the bound where that is lower', async () => {
		expect(await fill(new Pace(3))).toHaveLength(3);
	});

	test('gives four places at once, and leaves the event loop a turn before the next four', async () => {
		const pace = new Pace(200);
		let given = 0;
		const entered = Array.from({ length: 10 }, () => pace.enter().then(() => given++));
		// Before any timer, however busy the machine is.
		await new Promise(process.nextTick);
		expect(given).toBe(4);
		await Promise.all(entered);
		expect(given).toBe(10);
	});

	test('doubles with each full round of good replies, up to the bound', async () => {
		const pace = new Pace(120);
		const limits: number[] = [];
		for (let round = 0; round < 4; round++) {
			await goodRound(pace);
			limits.push(pace.limit);
		}
		expect(limits).toEqual([50, 100, 120, 120]);
	});

	test('does not grow while it is not used: 1,000 requests one after the other leave it where it was', async () => {
		const pace = new Pace(500);
		for (let n = 0; n < 1_000; n++) pace.leave((await pace.enter())!, 'good');
		expect(pace.limit).toBe(25);
	});

	test('is halved by strain, once for all requests that were in flight then, and grows by one from there', async () => {
		const pace = new Pace(200);
		for (const place of await take(pace)) pace.leave(place, 'strained');
		expect(pace.limit).toBe(12);
		await goodRound(pace);
		expect(pace.limit).toBe(13);
		pace.leave((await pace.enter())!, 'strained');
		expect(pace.limit).toBe(6);
	});

	test('is spaced out once the service has asked for a pause', async () => {
		const pace = new Pace(200);
		await goodRound(pace);
		const place = (await pace.enter())!;
		const over = pace.pause(place, new Promise((resolve) => setTimeout(resolve, 1_000)));
		pace.leave(place, 'strained');
		await over;
		// 25 in a second are 40 ms apart: without that, 25 places would be given at once.
		const atOnce = (await fill(pace)).length;
		expect(atOnce).toBeGreaterThan(0);
		expect(atOnce).toBeLessThan(10);
	});

	test('is not spaced out more for each request of one burst that is refused, even with no time to wait', async () => {
		const pace = new Pace(200);
		await goodRound(pace);
		const burst = await fill(pace);
		for (const place of burst) {
			await pace.pause(place, Promise.resolve());
			pace.leave(place, 'strained');
		}
		const started = Date.now();
		for (let n = 0; n < 50; n++) pace.leave((await pace.enter())!, 'good');
		// As many as came before the burst took a moment; doubled for each of the 50 it would be never.
		expect(Date.now() - started).toBeLessThan(5_000);
	});

	test('lets nobody in and sleeps no longer when it is closed while requests are spaced', async () => {
		const pace = new Pace(1);
		const place = (await pace.enter())!;
		const over = pace.pause(place, new Promise((resolve) => setTimeout(resolve, 500)));
		pace.leave(place, 'strained');
		await over;
		pace.leave((await pace.enter())!, 'good');
		const waiting = pace.enter();
		pace.close();
		expect(await waiting).toBeUndefined();
	});

	test('does not fall below one', async () => {
		const pace = new Pace(2);
		for (let i = 0; i < 5; i++) pace.leave((await pace.enter())!, 'strained');
		expect(pace.limit).toBe(1);
	});

	test('gives places in the order in which they were asked for', async () => {
		const pace = new Pace(1);
		const first = (await pace.enter())!;
		const order: number[] = [];
		const others = [1, 2, 3].map(async (n) => {
			const place = (await pace.enter())!;
			order.push(n);
			pace.leave(place, 'good');
		});
		pace.leave(first, 'good');
		await Promise.all(others);
		expect(order).toEqual([1, 2, 3]);
	});

	test('gives a place to a request that comes again before those that were not sent yet', async () => {
		const pace = new Pace(1);
		const first = (await pace.enter())!;
		const order: string[] = [];
		const enter = async (name: string, comesAgain: boolean) => {
			const place = (await pace.enter(comesAgain))!;
			order.push(name);
			pace.leave(place, 'good');
		};
		const entered = [enter('new', false), enter('another', false), enter('again', true)];
		pace.leave(first, 'good');
		await Promise.all(entered);
		expect(order).toEqual(['again', 'new', 'another']);
	});

	test('sends those who wait away when it is closed, and lets nobody in any more', async () => {
		const pace = new Pace(1);
		await pace.enter();
		const waiting = [pace.enter(), pace.enter(true)];
		pace.close();
		expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
		expect(await pace.enter()).toBeUndefined();
	});
});
