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

interface Timer {
	at: number;
	fire: () => void;
}

/** Lets all go on that waits for nothing but a promise. */
export const settle = async (): Promise<void> => await new Promise((resolve) => setImmediate(resolve));

/** Time that passes only when a test says so, in milliseconds. */
export class VirtualClock {
	private time = 1_000;

	private timers: Timer[] = [];

	readonly now = (): number => this.time;

	/** As Node's timers: a millisecond at least. */
	readonly sleep = async (ms: number): Promise<void> => {
		if (ms < 0) throw new Error(`a wait of ${ms} ms`);
		await new Promise<void>((fire) => this.timers.push({ at: this.time + Math.max(1, ms), fire }));
	};

	/** Lets time pass, with all timers that are due by then, each at its time. */
	async advance(ms: number): Promise<void> {
		await settle();
		const end = this.time + ms;
		for (let next = this.due(end); next; next = this.due(end)) {
			this.timers = this.timers.filter((timer) => timer !== next);
			this.time = next.at;
			next.fire();
			await settle();
		}
		this.time = end;
		await settle();
	}

	/** Lets time pass until the next timer is due, if there is one. */
	async next(): Promise<void> {
		const next = this.due(Infinity);
		await this.advance(next ? next.at - this.time : 0);
	}

	private due(end: number): Timer | undefined {
		return this.timers.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)[0];
	}
}
