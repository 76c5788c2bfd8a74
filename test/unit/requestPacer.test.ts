import { RequestPacer } from '../../nodes/VoiceAdmin/transport/flow/requestPacer';

/** A pacer with a clock that the test sets. `episode`: the service processes some requests, then asks for a pause. */
function startedPacer() {
	const clock = { ms: 1_000 };
	const pacer = new RequestPacer(() => clock.ms);
	pacer.start();
	const episode = (successes: number, ms: number, pauseMs: number, atLeast = 1) => {
		clock.ms += ms;
		for (let n = 0; n < successes; n++) pacer.recordSuccess();
		pacer.pauseStarted();
		clock.ms += pauseMs;
		pacer.pauseEnded(atLeast);
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

	test('then has the average interval at which the service processed requests, the pause included', () => {
		const { pacer, episode } = startedPacer();
		episode(100, 200, 1_800);
		expect(pacer.delay).toBe(0);
		expect(intervalOf(pacer)).toBeCloseTo(20);
	});

	test('shrinks the interval by 15 % with each second of successes', () => {
		const { clock, pacer, episode } = startedPacer();
		episode(10, 0, 1_000);
		clock.ms += 1_000;
		pacer.recordSuccess();
		expect(intervalOf(pacer)).toBeCloseTo(85);
	});

	test('measures the average again at the next pause, the pause excluded, so that the interval does not grow each time', () => {
		const { pacer, episode } = startedPacer();
		episode(100, 0, 1_000);
		episode(100, 900, 1_000);
		expect(intervalOf(pacer)).toBeCloseTo(9);
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

	test('makes up for a late timer, but for no more than 100 ms', () => {
		const { clock, pacer, episode } = startedPacer();
		episode(100, 0, 1_000);
		clock.ms += 60_000;
		let immediate = 0;
		for (; pacer.delay === 0; immediate++) pacer.recordSent();
		expect(immediate).toBe(11);
	});
});
