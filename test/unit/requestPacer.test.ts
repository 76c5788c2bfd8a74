import { RequestPacer } from '../../nodes/VoiceAdmin/transport/flow/requestPacer';

/** A pacer with a clock that the test sets. `episode`: the service processes some requests, then asks for a pause. */
function startedPacer() {
	const clock = { ms: 1_000, now: () => clock.ms };
	const pacer = new RequestPacer(clock);
	pacer.start();
	const episode = (successes: number, ms: number, pauseMs: number, atLeast = 1) => {
		clock.ms += ms;
		for (let n = 0; n < successes; n++) pacer.recordSuccess();
		pacer.pauseStarted(atLeast);
		clock.ms += pauseMs;
		pacer.pauseEnded(clock.ms);
	};
	return { clock, pacer, episode };
}

/** Milliseconds between two requests at present. */
function intervalOf(pacer: RequestPacer): number {
	for (let n = 0; n < 1_000 && pacer.delay === 0; n++) pacer.recordSent();
	const before = pacer.delay;
	pacer.recordSent();
	return pacer.delay - before;
}

/** Sends as many requests as the interval lets. */
function sendAll(pacer: RequestPacer): void {
	while (pacer.delay === 0) pacer.recordSent();
}

/** By how many percent the rate grows in each of 20 seconds of successes. */
function growthOf(pacer: RequestPacer, clock: { ms: number }): number[] {
	return Array.from({ length: 20 }, () => {
		const before = pacer.rate;
		clock.ms += 1_000;
		sendAll(pacer);
		pacer.recordSuccess();
		return Math.round(100 * (pacer.rate / before - 1));
	});
}

describe('the request pacer', () => {
	test('has no interval until the service asks for a pause', () => {
		const { clock, pacer } = startedPacer();
		for (let n = 0; n < 1_000; n++) {
			pacer.recordSent();
			pacer.recordSuccess();
			clock.ms++;
		}
		expect(pacer.delay).toBe(0);
	});

	test('has, after a pause, the average interval at which the service processed requests, the pause included', () => {
		const { pacer, episode } = startedPacer();
		episode(100, 0, 2_000);
		expect(pacer.delay).toBe(0);
		expect(intervalOf(pacer)).toBeCloseTo(20);
	});

	test('does not count how quickly the service was a minute ago', () => {
		const { clock, pacer, episode } = startedPacer();
		for (let n = 0; n < 1_000; n++) pacer.recordSuccess();
		clock.ms += 60_000;
		// 10 in the second of the pause; with those 1,000 it would be 60 ms.
		episode(10, 1_000, 1_000);
		expect(intervalOf(pacer)).toBe(100);
	});

	test('does not take an average of less than a second', () => {
		const { pacer, episode } = startedPacer();
		episode(100, 0, 0);
		expect(intervalOf(pacer)).toBeCloseTo(10);
	});

	test('does not count time in which n8n had other work, and the service little to do', () => {
		const { clock, pacer, episode } = startedPacer();
		pacer.recordSuccess();
		clock.ms += 5_000;
		episode(100, 0, 1_000);
		expect(intervalOf(pacer)).toBeCloseTo(10);
	});

	test('counts, at the first pause, what the service processed before a moment without requests', () => {
		const { clock, pacer, episode } = startedPacer();
		for (let n = 0; n < 80; n++) pacer.recordSuccess();
		clock.ms += 500;
		pacer.start();
		episode(70, 0, 1_000);
		expect(pacer.rate).toBeCloseTo(100);
	});

	test('grows the rate by 1 % in the first second of successes, by one more in each that follows, and by 15 % at most', () => {
		const { clock, pacer, episode } = startedPacer();
		episode(50, 0, 1_000);
		expect(pacer.rate).toBeCloseTo(50);
		expect(growthOf(pacer, clock)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 15, 15, 15, 15, 15]);
	});

	test('grows the rate by 15 % at once where the average is of fewer than 50 requests', () => {
		const { clock, pacer, episode } = startedPacer();
		episode(49, 0, 1_000);
		expect(growthOf(pacer, clock)).toEqual(Array(20).fill(15));
	});

	test('does not grow a rate that is not used', () => {
		const { clock, pacer, episode } = startedPacer();
		episode(100, 0, 1_000);
		for (let n = 0; n < 60; n++) {
			clock.ms += 1_000;
			pacer.recordSent();
			pacer.recordSuccess();
		}
		expect(pacer.rate).toBeCloseTo(100);
	});

	test('at the next pause takes 95 % of the average since, the pause excluded, so that the interval does not grow each time', () => {
		const { pacer, episode } = startedPacer();
		episode(100, 0, 1_000);
		expect(intervalOf(pacer)).toBeCloseTo(10);
		episode(76, 1_000, 1_000);
		expect(pacer.rate).toBeCloseTo(0.95 * 76);
	});

	test('counts what the service processes while it pauses', () => {
		const { clock, pacer, episode } = startedPacer();
		episode(100, 0, 1_000);
		clock.ms += 1_000;
		pacer.pauseStarted(1);
		for (let n = 0; n < 76; n++) pacer.recordSuccess();
		clock.ms += 1_000;
		pacer.pauseEnded(clock.ms);
		expect(pacer.rate).toBeCloseTo(0.95 * 76);
	});

	test('is never faster after a pause than before it', () => {
		const { pacer, episode } = startedPacer();
		episode(100, 0, 1_000);
		episode(100, 10, 1_000);
		expect(pacer.rate).toBeCloseTo(100);
		episode(0, 0, 1_000, 12);
		expect(pacer.rate).toBeCloseTo(100);
	});

	test('stays as it is when a pause is over that was not counted', () => {
		const { clock, pacer, episode } = startedPacer();
		episode(100, 0, 1_000);
		clock.ms += 60_000;
		pacer.pauseEnded(clock.ms);
		expect(intervalOf(pacer)).toBeCloseTo(10);
	});

	test('assumes a minimum number of processed requests where there were fewer', () => {
		const { pacer, episode } = startedPacer();
		episode(1, 0, 1_000, 20);
		expect(intervalOf(pacer)).toBeCloseTo(50);
	});

	test('limits the interval to ten seconds', () => {
		const { pacer, episode } = startedPacer();
		episode(0, 0, 60_000);
		expect(intervalOf(pacer)).toBeCloseTo(10_000);
	});

	test('shortens a delay that has begun when successes arrive meanwhile', () => {
		const { clock, pacer, episode } = startedPacer();
		episode(0, 0, 10_000);
		pacer.recordSent();
		clock.ms += 5_000;
		expect(pacer.delay).toBeCloseTo(5_000);
		pacer.recordSuccess();
		expect(pacer.delay).toBeLessThan(1_000);
	});

	test('does not count time in which there was nothing to send', () => {
		const { clock, pacer, episode } = startedPacer();
		pacer.recordSuccess();
		clock.ms += 3_600_000;
		pacer.start();
		episode(100, 0, 1_000);
		expect(intervalOf(pacer)).toBeCloseTo(10);
	});

	test('forgets the interval when there is nothing to send a minute after the pause', () => {
		const { clock, pacer, episode } = startedPacer();
		episode(100, 0, 1_000);
		clock.ms += 60_001;
		pacer.start();
		expect(pacer.rate).toBe(Infinity);
	});

	test('makes up for a late timer, but for no more than 100 ms', () => {
		const { clock, pacer, episode } = startedPacer();
		episode(100, 0, 1_000);
		clock.ms += 60_000;
		let immediate = 0;
		for (; pacer.delay === 0; immediate++) pacer.recordSent();
		expect(immediate).toBe(11);
	});
});
