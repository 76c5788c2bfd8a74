import { Spacing } from '../../nodes/VoiceAdmin/transport/flow/requestPacer';

/** A spacing with a clock that a test sets; the service takes so many requests, then asks for a pause of so many ms. */
function spacingAt() {
	const clock = { ms: 1_000 };
	const spacing = new Spacing(() => clock.ms);
	spacing.begins();
	const episode = (taken: number, ms: number, pauseMs: number, atLeast = 1) => {
		clock.ms += ms;
		for (let n = 0; n < taken; n++) spacing.took();
		spacing.pauseBegins();
		clock.ms += pauseMs;
		spacing.pauseEnds(atLeast);
	};
	return { clock, spacing, episode };
}

/** Milliseconds between two requests at present. */
function interval(spacing: Spacing): number {
	for (let n = 0; n < 1_000 && spacing.delay === 0; n++) spacing.sent();
	const before = spacing.delay;
	spacing.sent();
	return spacing.delay - before;
}

describe('the spacing of requests', () => {
	test('is none until the service asks for a pause', () => {
		const { clock, spacing } = spacingAt();
		for (let n = 0; n < 1_000; n++) {
			spacing.sent();
			spacing.took();
			clock.ms++;
		}
		expect(spacing.delay).toBe(0);
	});

	test('is then what the service took on the average, the pause included', () => {
		const { spacing, episode } = spacingAt();
		episode(100, 200, 1_800);
		expect(spacing.delay).toBe(0);
		expect(interval(spacing)).toBeCloseTo(20);
	});

	test('shrinks by 15 % with each second of good replies', () => {
		const { clock, spacing, episode } = spacingAt();
		episode(10, 0, 1_000);
		clock.ms += 1_000;
		spacing.took();
		expect(interval(spacing)).toBeCloseTo(85);
	});

	test('goes back to the average when the service asks again, without the pause, so that it does not widen each time', () => {
		const { spacing, episode } = spacingAt();
		episode(100, 0, 1_000);
		episode(100, 900, 1_000);
		expect(interval(spacing)).toBeCloseTo(9);
	});

	test('supposes a number that the service takes, where it has taken fewer', () => {
		const { spacing, episode } = spacingAt();
		episode(1, 0, 1_000, 20);
		expect(interval(spacing)).toBeCloseTo(50);
	});

	test('is never more than ten seconds', () => {
		const { spacing, episode } = spacingAt();
		episode(0, 0, 60_000);
		expect(interval(spacing)).toBeCloseTo(10_000);
	});

	test('shortens a delay that has begun with the replies that come meanwhile', () => {
		const { clock, spacing, episode } = spacingAt();
		episode(0, 0, 10_000);
		spacing.sent();
		clock.ms += 5_000;
		expect(spacing.delay).toBeCloseTo(5_000);
		spacing.took();
		expect(spacing.delay).toBeLessThan(1_000);
	});

	test('does not count time in which there was nothing to send', () => {
		const { clock, spacing, episode } = spacingAt();
		spacing.took();
		clock.ms += 3_600_000;
		spacing.begins();
		episode(100, 0, 1_000);
		expect(interval(spacing)).toBeCloseTo(10);
	});

	test('makes up for a late timer, but not for more', () => {
		const { clock, spacing, episode } = spacingAt();
		episode(100, 0, 1_000);
		clock.ms += 60_000;
		let atOnce = 0;
		for (; spacing.delay === 0; atOnce++) spacing.sent();
		expect(atOnce).toBe(11);
	});
});
