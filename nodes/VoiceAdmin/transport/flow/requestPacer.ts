import { type Clock, systemClock } from './time';

/** How much of a delay is made up for, in milliseconds: timers fire late, which would make every run slower. */
const MAX_CATCH_UP_MS = 100;

/** Longest interval, in milliseconds. */
const MAX_INTERVAL_MS = 10_000;

/** The rate after a pause, as a share of what the service has processed since the pause before. */
const RATE_AFTER_PAUSE = 0.95;

/** By how much the rate grows in the first second after a pause; by twice as much in the second, and so on. */
const GROWTH = 0.01;

/** The most that it grows by in a second. */
const MAX_GROWTH = 0.15;

/** The average of fewer requests says little of what the service bears: from it, the rate grows by the most at once. */
const MIN_SAMPLE = 50;

/**
 * Interval between requests: none until the service asks for a pause, then the average at which it has processed them.
 * From there the rate grows, slowly at first: so it stays close to what the service bears, and follows one that comes to
 * bear more. (By a lower limit of concurrency alone, 17 of 100 requests were rejected behind 100 a second, and 1 like
 * this; with 15 % from the first second on, a pause came every 3 seconds instead of 10.)
 */
export class RequestPacer {
	/** Time between two requests, in milliseconds. */
	private interval = 0;

	/** When the last request was sent, or should have been. */
	private last = 0;

	/** Requests that the service has processed since `since`. */
	private successes = 0;

	private since = 0;

	private lastSuccess = 0;

	/** From when on the growth of the rate is counted. */
	private growsSince = 0;

	/** The pause that has started. */
	private pause?: { start: number; atLeast: number };

	constructor(private readonly clock: Pick<Clock, 'now'> = systemClock) {}

	/** Milliseconds after which the next request may follow; 0 if at once. */
	get delay(): number {
		return this.interval === 0 ? 0 : Math.max(0, this.last + this.interval - this.clock.now());
	}

	/** Requests a second; Infinity without an interval. */
	get rate(): number {
		return 1_000 / this.interval;
	}

	/** Requests start to be sent, after a time in which there were none. */
	start(): void {
		this.successes = 0;
		this.since = this.lastSuccess = this.clock.now();
	}

	/** A request is sent. */
	recordSent(): void {
		this.last = Math.max(this.last + this.interval, this.clock.now() - MAX_CATCH_UP_MS);
	}

	/** The service has processed a request. */
	recordSuccess(): void {
		const now = this.clock.now();
		const growth = Math.min(GROWTH * ((now - this.growsSince) / 1_000), MAX_GROWTH);
		this.successes++;
		this.interval /= (1 + growth) ** ((now - this.lastSuccess) / 1_000);
		this.lastSuccess = now;
	}

	/**
	 * The service has asked for a pause.
	 *
	 * @param atLeast requests that it is believed to process until the pause is over, however few it has
	 */
	pauseStarted(atLeast: number): void {
		this.pause = { start: this.clock.now(), atLeast };
	}

	/** The pause is over, since the time `end`. */
	pauseEnded(end: number): void {
		if (!this.pause) return;
		const { start, atLeast } = this.pause;
		const perRequest = (until: number) => (until - this.since) / Math.max(this.successes, atLeast);
		// What came as a burst needs the pause to be bearable; what was paced does not, and would be slower each time.
		const interval = this.interval === 0 ? perRequest(end) : perRequest(start) / RATE_AFTER_PAUSE;
		this.interval = Math.min(interval, MAX_INTERVAL_MS);
		this.pause = undefined;
		this.last = end - this.interval;
		this.growsSince = this.successes < MIN_SAMPLE ? -Infinity : end;
		this.start();
	}
}
