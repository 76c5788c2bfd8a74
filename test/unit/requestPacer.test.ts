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

type Paced = ReturnType<typeof startedPacer>;

/** Milliseconds between two requests at present. */
function intervalOf(pacer: RequestPacer): number {
	for (let n = 0; n < 1_000 && pacer.delay === 0; n++) pacer.recordSent();
	const before = pacer.delay;
	pacer.recordSent();
	return pacer.delay - before;
}

describe('the request pacer', () => {
	/** Requests that the service has processed at one moment, some time after the last ones. */
	const processed = ({ clock, pacer }: Paced, count: number, afterMs = 0) => {
		clock.ms += afterMs;
		for (let n = 0; n < count; n++) pacer.recordSuccess();
	};
	/** Time in which there is nothing to send. */
	const idle = ({ clock, pacer }: Paced, ms: number) => {
		clock.ms += ms;
		pacer.start();
	};

	test.each<[string, (paced: Paced) => void, number]>([
		['the pause included', ({ episode }) => episode(100, 0, 2_000), 20],
		['not how quick it was a minute ago',
			(paced) => (processed(paced, 1_000), processed(paced, 0, 60_000), paced.episode(10, 1_000, 1_000)), 100],
		['of a second at least', ({ episode }) => episode(100, 0, 0), 10],
		['without time in which n8n had other work', (paced) => (processed(paced, 1), paced.episode(100, 5_000, 1_000)), 10],
		['without time in which there was nothing to send',
			(paced) => (processed(paced, 1), idle(paced, 3_600_000), paced.episode(100, 0, 1_000)), 10],
		['with what came before a moment without requests', (paced) => (processed(paced, 80), idle(paced, 500), paced.episode(70, 0, 1_000)), 10],
		['of as many requests as are assumed', ({ episode }) => episode(1, 0, 1_000, 20), 50],
		['after the first pause, without what came before a moment without requests',
			(paced) => (paced.episode(100, 0, 1_000), processed(paced, 1_000, 1_000), idle(paced, 500), paced.episode(10, 1_000, 0)), 100 / 0.95],
		['and ten seconds at most', ({ episode }) => episode(0, 0, 60_000), 10_000],
	])('has, after a pause, the average interval at which the service processed requests: %s', (_what, happens, interval) => {
		const paced = startedPacer();
		happens(paced);
		expect(intervalOf(paced.pacer)).toBeCloseTo(interval);
	});

	/** A service that processes so many requests a second, and asks for a pause of a second at the first that is too many. */
	const behind = (perSecond: number, { clock, pacer }: Paced, seconds = 60) => {
		const counts = { processed: 0, rejected: 0 };
		const end = clock.ms + seconds * 1_000;
		for (let room = perSecond / 5; clock.ms < end; clock.ms++, room = Math.min(room + perSecond / 1_000, perSecond / 5)) {
			if (pacer.delay > 0) continue;
			pacer.recordSent();
			if (room >= 1) {
				room--;
				counts.processed++;
				pacer.recordSuccess();
				continue;
			}
			counts.rejected++;
			pacer.pauseStarted(1);
			clock.ms += 1_000;
			room = perSecond / 5;
			pacer.pauseEnded(clock.ms);
		}
		return { used: counts.processed / seconds / perSecond, rejected: counts.rejected / counts.processed };
	};

	test.each([100, 300])('keeps close to what a service bears, first %i a second, and follows it when it bears less or more', (perSecond) => {
		const paced = startedPacer();
		for (const rate of [perSecond, perSecond / 2, perSecond * 2]) {
			behind(rate, paced);
			const { used, rejected } = behind(rate, paced);
			expect(used).toBeGreaterThan(0.75);
			expect(rejected).toBeLessThan(0.01);
		}
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

	test.each([[49, 1.15], [50, 1.01]])('grows the rate by the most at once when it is an average of few requests: of %i', (count, growth) => {
		const { clock, pacer, episode } = startedPacer();
		episode(count, 0, 1_000);
		pacer.recordSent();
		clock.ms += 1_000;
		pacer.recordSuccess();
		expect(pacer.rate).toBeCloseTo(count * growth);
	});

	test('forgets the interval when there is nothing to send a minute after the pause', () => {
		const paced = startedPacer();
		paced.episode(100, 0, 1_000);
		idle(paced, 60_001);
		expect(paced.pacer.rate).toBe(Infinity);
	});

	test('makes up for a late timer, but for no more than 100 ms', () => {
		const { clock, pacer, episode } = startedPacer();
		episode(100, 0, 1_000);
		clock.ms += 60_000;
		let immediate = 0;
		for (; immediate < 1_000 && pacer.delay === 0; immediate++) pacer.recordSent();
		expect(immediate).toBe(11);
	});
});
