import { now as monotonic } from './time';

/** Factor by which the interval shrinks with each second of successes. */
const DECAY_PER_SECOND = 0.85;

/** How much of a delay is made up for, in milliseconds: timers fire late, which would make every run slower. */
const MAX_CATCH_UP_MS = 100;

/** Longest interval, in milliseconds. */
const MAX_INTERVAL_MS = 10_000;

/**
 * Interval between requests: none until the service asks for a pause, then the average at which it has processed them up
 * to the end of that pause, shrinking by 15 % with each second of successes. (By a lower limit of concurrency alone,
 * 17 of 100 requests were rejected behind 100 a second, and 1 to 3 like this.)
 */
export class RequestPacer {
	/** Time between two requests, in milliseconds. */
	private interval = 0;

	/** When the last request was sent, or should have been. */
	private last = 0;

	private successes = 0;

	private since = 0;

	private lastSuccess = 0;

	private pausedAt = 0;

	/** @param now a clock that never goes back, in milliseconds */
	constructor(private readonly now = monotonic) {}

	/** Milliseconds after which the next request may follow; 0 if at once. */
	get delay(): number {
		return this.interval === 0 ? 0 : Math.max(0, this.last + this.interval - this.now());
	}

	/** Requests start to be sent, after a time in which there were none. */
	start(): void {
		this.successes = 0;
		this.since = this.lastSuccess = this.now();
	}

	/** A request is sent. */
	recordSent(): void {
		this.last = Math.max(this.last + this.interval, this.now() - MAX_CATCH_UP_MS);
	}

	/** The service has processed a request. */
	recordSuccess(): void {
		const now = this.now();
		this.successes++;
		this.interval *= DECAY_PER_SECOND ** ((now - this.lastSuccess) / 1_000);
		this.lastSuccess = now;
	}

	/** The service has asked for a pause. */
	pauseStarted(): void {
		this.pausedAt = this.now();
	}

	/**
	 * The pause is over.
	 *
	 * @param atLeast requests that the service is believed to process in that time, however few it has
	 */
	pauseEnded(atLeast: number): void {
		const now = this.now();
		// What came as a burst needs the pause to be bearable; what was spaced does not, and would be slower each time.
		const elapsed = (this.interval === 0 ? now : this.pausedAt) - this.since;
		this.interval = Math.min(elapsed / Math.max(this.successes, atLeast), MAX_INTERVAL_MS);
		this.last = now - this.interval;
		this.start();
	}
}
