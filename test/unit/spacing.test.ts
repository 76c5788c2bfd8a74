import { Spacing } from '../../nodes/VoiceAdmin/transport/spacing';

/** A spacing with a clock that a test sets; the service takes so many requests, then asks for a pause of so many ms. */
function spacingAt() {
	const clock = { ms: 1_000 };
	const spacing = new Spacing(() => clock.ms);
	const episode = (taken: number, ms: number, pauseMs: number) => {
		clock.ms += ms;
		for (let n = 0; n < taken; n++) spacing.took();
		spacing.pauseBegins();
		clock.ms += pauseMs;
		spacing.pauseEnds();
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

	test('becomes a tenth shorter with each second of good replies', () => {
		const { clock, spacing, episode } = spacingAt();
		episode(10, 0, 1_000);
		clock.ms += 1_000;
		spacing.took();
		expect(interval(spacing)).toBeCloseTo(90);
	});

	test('goes back to the average when the service asks again, without the pause, so that it does not widen each time', () => {
		const { spacing, episode } = spacingAt();
		episode(100, 0, 1_000);
		episode(100, 900, 1_000);
		expect(interval(spacing)).toBeCloseTo(9);
	});

	test('doubles when the service has taken none since', () => {
		const { spacing, episode } = spacingAt();
		episode(100, 0, 1_000);
		episode(0, 50, 1_000);
		expect(interval(spacing)).toBeCloseTo(20);
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
