import { ConcurrencyLimiter } from '../../nodes/VoiceAdmin/transport/flow/concurrencyLimiter';
import { RequestPacer } from '../../nodes/VoiceAdmin/transport/flow/requestPacer';
import { RunLimit } from '../../nodes/VoiceAdmin/transport/flow/runLimit';
import { time } from '../../nodes/VoiceAdmin/transport/flow/time';
import { VirtualClock } from '../support/time';

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
		pacer.restart();
	};
	/** It rejects so many, and answers others. */
	const overload = (count: number) => {
		for (let n = 0; n < count; n++) pacer.recordOverload();
	};
	/** Requests that come as quickly as they may, for so many seconds. */
	const use = (seconds: number) => {
		for (const end = clock.ms + seconds * 1_000; clock.ms < end; clock.ms++) {
			if (pacer.delay > 0) continue;
			pacer.recordSent();
			pacer.recordSuccess();
		}
	};
	return { clock, pacer, processed, rejected, overload, use };
}

afterEach(() => jest.restoreAllMocks());

describe('the request pacer', () => {
	test.each<[string, number, (paced: ReturnType<typeof pacerOf>) => unknown]>([
		['as many as were processed in the last second', 10, ({ processed, rejected }) => (processed(1_000), rejected(10, 1_001))],
		['eight, where it was next to none', 8, ({ rejected }) => rejected(1)],
		['a little less than that, after the next one', 85, ({ rejected }) => (rejected(110), rejected(100, 1_000))],
		['never more than before, after the next one', 85, ({ rejected }) => (rejected(100), rejected(1_000, 1_000))],
		['a third less at the most', 46.24, ({ rejected }) => (rejected(100), rejected(4, 1_000), rejected(0, 1_000))],
		['one in ten seconds at least', 0.1, ({ rejected }) => { for (let n = 0; n < 30; n++) rejected(0); }],
		['any number, where the service may have been away', Infinity, ({ rejected }) => (rejected(4, 0, false), rejected(4, 10_001, false))],
		['fewer, where it may have been away again soon', 50, ({ rejected }) => (rejected(100, 0, false), rejected(50, 9_000, false))],
		['fewer, where it rejects a quarter of what it answers', 20, ({ processed, overload }) => (processed(20), overload(5))],
		['any number, where it rejects less', Infinity, ({ processed, overload }) => (processed(20), overload(4))],
		['any number, where it rejects two', Infinity, ({ processed, overload }) => (processed(1), overload(2))],
	])('lets through, in a second after a rejection, %s: %d', (_what, rate, happens) => {
		const paced = pacerOf();
		happens(paced);
		expect(paced.pacer.rate).toBeCloseTo(rate);
	});

	test('does not grow a rate that is not used', () => {
		const { clock, pacer, rejected } = pacerOf();
		rejected(100);
		for (let n = 0; n < 60; n++) {
			clock.ms += 1_000;
			pacer.recordSent();
			pacer.recordSuccess();
		}
		expect(pacer.rate).toBeCloseTo(100);
	});

	test('grows the rate quickly until the second rejection, then to what was rejected, where it stays for long, and then beyond', () => {
		const { pacer, rejected, use } = pacerOf();
		rejected(100);
		use(2);
		expect(pacer.rate / 100).toBeCloseTo(2, 0);
		rejected(300);
		const rates = [0, 4, 4, 4, 11].map((seconds) => (use(seconds), Math.round(pacer.rate)));
		expect(rates).toEqual([170, 196, 200, 203, 400]);
	});

	test('makes up for a late timer, but for no more than 100 ms', () => {
		const { clock, pacer, rejected } = pacerOf();
		rejected(100);
		clock.ms += 60_000;
		let immediate = 0;
		for (; immediate < 1_000 && pacer.delay === 0; immediate++) pacer.recordSent();
		expect(immediate).toBe(11);
	});
});

describe('behind a service, by the limiter,', () => {
	/** What a service makes of a request at this moment. */
	type Service = (now: number) => 'success' | { status: 429; retryAfterMs?: number };

	/** The same each time, as chance and latencies are. */
	async function send(serviceOf: Service, runs: number, requests: number) {
		let seed = 7;
		jest.spyOn(time, 'random').mockImplementation(() => (seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32);
		const clock = new VirtualClock();
		jest.spyOn(time, 'now').mockImplementation(clock.now);
		jest.spyOn(time, 'sleep').mockImplementation(clock.sleep);
		const limiter = new ConcurrencyLimiter(() => {});
		const counts = { sent: 0, rejected: 0 };
		const startedAt = clock.now();
		const sendOne = async (run: RunLimit) => {
			for (let isRetry = false; ; isRetry = true) {
				const permit = await limiter.acquire(run, { kind: 'idempotent', isRetry });
				counts.sent++;
				const answer = serviceOf(clock.now());
				await clock.sleep(answer === 'success' ? 16 + 8 * time.random() : 2);
				if (answer !== 'success') permit!.report('rateLimited', answer);
				permit!.release('success');
				if (answer === 'success') return;
				counts.rejected++;
			}
		};
		const limits = Array.from({ length: runs }, () => new RunLimit(200, 120_000));
		let left = runs * requests;
		for (const run of limits) for (let n = 0; n < requests; n++) void sendOne(run).finally(() => left--);
		while (left > 0) await clock.advance(100);
		return { ...counts, seconds: (clock.now() - startedAt) / 1_000 };
	}

	/** A token bucket of so many a second, and as many at once. */
	function bucket(rate: number, retryAfterMs?: number): Service {
		let [room, last] = [rate, 0];
		return (now) => {
			room = Math.min(rate, room + ((now - last) * rate) / 1_000);
			last = now;
			if (room < 1) return { status: 429, retryAfterMs };
			room--;
			return 'success';
		};
	}

	test.each<[number, string, number | undefined, number, number, number, number]>([
		[100, 'at most 1 % rejected, and in little more than', 1_000, 5, 400, 0.01, 1.1],
		[10, 'that does not say how long to wait, and in 1.3 times', undefined, 1, 100, 1, 1.3],
	])('of %i a second all come through, with %s the time that it needs', async (rate, _what, retryAfterMs, runs, requests, share, times) => {
		const { sent, rejected, seconds } = await send(bucket(rate, retryAfterMs), runs, requests);
		expect(rejected / sent).toBeLessThan(share);
		expect(seconds).toBeLessThan((runs * requests / rate - 1) * times);
	});
});
