import { TokenBucket } from '../../sandbox/faults/tokenBucket';

it('lets a burst pass, and then as many as the rate has refilled', () => {
	let now = 0;
	const limiter = new TokenBucket({ perSecond: 2, burst: 3 }, () => now);
	expect([1, 2, 3, 4].map(() => limiter.secondsToWait())).toEqual([0, 0, 0, 0.5]);
	now = 500;
	expect([1, 2].map(() => limiter.secondsToWait())).toEqual([0, 0.5]);
	now = 60_000;
	expect([1, 2, 3, 4].map(() => limiter.secondsToWait())).toEqual([0, 0, 0, 0.5]);
});

it('lets as many pass at once as in a second if no burst is given, but at least one', () => {
	const countAtOnce = (perSecond: number) => {
		const limiter = new TokenBucket({ perSecond }, () => 0);
		return Array.from({ length: 20 }, () => limiter.secondsToWait()).filter((seconds) => seconds === 0).length;
	};
	expect([countAtOnce(10), countAtOnce(0.5)]).toEqual([10, 1]);
});
