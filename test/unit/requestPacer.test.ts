import { RequestPacer } from '../../nodes/VoiceAdmin/transport/flow/requestPacer';
import { time } from '../../nodes/VoiceAdmin/time';

/** A pacer with a clock that the test sets. */
function pacerOf() {
	const clock = { ms: 1_000 };
	jest.spyOn(time, 'now').mockImplementation(() => clock.ms);
	const pacer = new RequestPacer();
	/** Requests that the service has processed at one moment, some time after the last ones. */
	const processed = (count: number, afterMs = 0) => {
		clock.ms += afterMs;
		for (let n = 0; n < count; n++) pacer.recordSuccess();
	};
	/** It processes some, rejects one, and answers again after a wait. @param isLimit whether it says that it limits requests */
	const rejected = (count: number, afterMs = 0, isLimit = true) => {
		processed(count, afterMs);
		pacer.recordRejection(isLimit);
		clock.ms += 500;
		pacer.recordOutageEnd();
	};
	/** It rejects so many, and answers others. */
	const overload = (count: number) => {
		for (let n = 0; n < count; n++) pacer.recordOverload();
	};
	/** Requests that come as quickly as they may, for so many seconds. */
	const use = (seconds: number) => {
		for (const end = clock.ms + seconds * 1_000; clock.ms < end; clock.ms++) {
			if (pacer.delayMs > 0) continue;
			pacer.recordSent();
			pacer.recordSuccess();
		}
	};
	return { clock, pacer, processed, rejected, overload, use };
}

test.each<[string, number, (paced: ReturnType<typeof pacerOf>) => unknown]>([
	[
		'as many as were processed in the last second',
		10,
		({ processed, rejected }) => (processed(1_000), rejected(10, 1_001)),
	],
	['eight, where it was next to none', 8, ({ rejected }) => rejected(1)],
	['a little less than that, after the next one', 85, ({ rejected }) => (rejected(110), rejected(100, 1_000))],
	['never more than before, after the next one', 85, ({ rejected }) => (rejected(100), rejected(1_000, 1_000))],
	['a third less at the most', 46.24, ({ rejected }) => (rejected(100), rejected(4, 1_000), rejected(0, 1_000))],
	[
		'one in ten seconds at least',
		0.1,
		({ rejected }) => {
			for (let n = 0; n < 30; n++) rejected(0);
		},
	],
	[
		'any number, where the service may have been away',
		Infinity,
		({ rejected }) => (rejected(4, 0, false), rejected(4, 10_001, false)),
	],
	[
		'fewer, where it may have been away again soon',
		50,
		({ rejected }) => (rejected(100, 0, false), rejected(50, 9_000, false)),
	],
	[
		'fewer, where it rejects a quarter of what it answers',
		20,
		({ processed, overload }) => (processed(20), overload(5)),
	],
	['any number, where it rejects less', Infinity, ({ processed, overload }) => (processed(20), overload(4))],
	['any number, where it rejects two', Infinity, ({ processed, overload }) => (processed(1), overload(2))],
])('the pacer lets through, in a second after a rejection, %s: %d', (_what, rate, happens) => {
	const paced = pacerOf();
	happens(paced);
	expect(paced.pacer.rate).toBeCloseTo(rate);
});

test('the pacer does not grow a rate that is not used', () => {
	const { clock, pacer, rejected } = pacerOf();
	rejected(100);
	for (let n = 0; n < 60; n++) {
		clock.ms += 1_000;
		pacer.recordSent();
		pacer.recordSuccess();
	}
	expect(pacer.rate).toBeCloseTo(100);
});

test('the pacer grows the rate quickly until the second rejection, then to what was rejected, where it stays for long, and then beyond', () => {
	const { pacer, rejected, use } = pacerOf();
	rejected(100);
	use(2);
	expect(pacer.rate / 100).toBeCloseTo(2, 0);
	rejected(300);
	const rates = [0, 4, 4, 4, 11].map((seconds) => (use(seconds), Math.round(pacer.rate)));
	expect(rates).toEqual([170, 196, 200, 203, 400]);
});

test('the pacer makes up for a late timer, but for no more than 100 ms', () => {
	const { clock, pacer, rejected } = pacerOf();
	rejected(100);
	clock.ms += 60_000;
	let immediate = 0;
	for (; immediate < 1_000 && pacer.delayMs === 0; immediate++) pacer.recordSent();
	expect(immediate).toBe(11);
});
