/**
 * Makes the node's clock and its time-outs run so many times as fast as timers, so that waits of minutes end in a moment;
 * until the test ends. What the node remembers of a key is in that time too: use a key of the test's own.
 */
export function makeTimeFaster(times: number): void {
	const now = performance.now.bind(performance);
	const timeout = AbortSignal.timeout.bind(AbortSignal);
	const start = now();
	jest.spyOn(performance, 'now').mockImplementation(() => start + (now() - start) * times);
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(Math.ceil(ms / times)));
}

/** Sets the node's clock ahead by milliseconds, as often as it is called. What is said above holds here too. */
export function aheadClock(): (ms: number) => void {
	const now = performance.now.bind(performance);
	let ahead = 0;
	jest.spyOn(performance, 'now').mockImplementation(() => now() + ahead);
	return (ms) => (ahead += ms);
}
