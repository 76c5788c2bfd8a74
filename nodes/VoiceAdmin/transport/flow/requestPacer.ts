import { now as monotonic } from './clock';

/** What is left, after a second of good replies, of the time between two requests. */
const LEFT_AFTER_A_SECOND = 0.85;

/** How much of a delay is made up for, in milliseconds: timers are late, and would make every run slower. */
const MADE_UP_FOR_MS = 100;

/** The longest time between two requests, in milliseconds. */
const LONGEST_MS = 10_000;

/**
 * How soon a request may follow the one before: at once, until the service asks for a pause.
 *
 * From then on they follow each other as the service has been taking them up to the end of that pause: an
 * average that it can bear. The time between them shrinks by 15 % with each second of good replies, and
 * goes back to the average since the pause when the service asks for another. (With fewer in flight
 * alone, a run comes back in bursts after each pause: behind a limit of 100 a second, 17 of 100 requests
 * were refused, and 1 to 3 like this. What is not asked for during a pause the service has spare after it:
 * growing by 10 % instead leaves more of that unused, and no fewer requests are refused.)
 */
export class Spacing {
	/** Time between two requests, in milliseconds. */
	private interval = 0;

	/** When the last request was sent, or should have been. */
	private last = 0;

	private taken = 0;

	private since = 0;

	private lastTaken = 0;

	private pausedAt = 0;

	/** @param now a clock that never goes back, in milliseconds */
	constructor(private readonly now = monotonic) {}

	/** Milliseconds after which the next request may follow; 0 if at once. */
	get delay(): number {
		return this.interval === 0 ? 0 : Math.max(0, this.last + this.interval - this.now());
	}

	/** Requests begin to be sent, after a time in which there were none. */
	begins(): void {
		this.taken = 0;
		this.since = this.lastTaken = this.now();
	}

	/** Notes that a request is sent. */
	sent(): void {
		this.last = Math.max(this.last + this.interval, this.now() - MADE_UP_FOR_MS);
	}

	/** Notes that the service has taken a request. */
	took(): void {
		const now = this.now();
		this.taken++;
		this.interval *= LEFT_AFTER_A_SECOND ** ((now - this.lastTaken) / 1_000);
		this.lastTaken = now;
	}

	/** The service has asked for a pause. */
	pauseBegins(): void {
		this.pausedAt = this.now();
	}

	/**
	 * The pause is over.
	 *
	 * @param atLeast requests that the service is believed to take in that time, however few it has taken
	 */
	pauseEnds(atLeast: number): void {
		const now = this.now();
		// What came as a burst needs the pause to be bearable; what was spaced does not, and would be slower each time.
		const spent = (this.interval === 0 ? now : this.pausedAt) - this.since;
		this.interval = Math.min(spent / Math.max(this.taken, atLeast), LONGEST_MS);
		this.last = now - this.interval;
		this.begins();
	}
}
