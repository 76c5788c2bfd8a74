import { type Clock, time } from './time';

/** How much of a delay is made up for, in milliseconds: timers fire late, which would make every run slower. */
const MAX_CATCH_UP_MS = 100;

/** Longest interval, in milliseconds. */
const MAX_INTERVAL_MS = 10_000;

/** The rate after a pause, as a share of that at which the service has processed paced requests. */
const RATE_AFTER_PAUSE = 0.95;

/** By how much the rate grows in the first second after a pause; by twice as much in the second, and so on. */
const GROWTH = 0.01;

/** The most that it grows by in a second. */
const MAX_GROWTH = 0.15;

/** How long processed requests count for the rate, in milliseconds. */
const SAMPLE_MS = 10_000;

/** An average of fewer requests says little of what the service bears: from it, the rate grows by the most at once. */
const MIN_SAMPLE = 50;

/** So long after a pause the interval is forgotten as soon as there is nothing to send, in milliseconds. */
const FORGET_INTERVAL_AFTER_MS = 60_000;

/** Shortest period that an average is taken over, in milliseconds: before the first pause, and after it. */
const MIN_BURST_MS = 1_000;
const MIN_PACED_MS = 5_000;

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

	/** Whether requests come as quickly as the interval lets them: a rate that is not used must not grow. */
	private isUsed = false;

	/** When the service has processed requests, of the last seconds and since `since`. */
	private readonly processed: number[] = [];

	private since = 0;

	private lastSuccess = 0;

	/** From when on the growth of the rate is counted. */
	private growsSince = 0;

	private lastPauseEnd = 0;

	/** The pause that has started. */
	private pause?: { start: number; minProcessed: number };

	constructor(private readonly clock: Pick<Clock, 'now'> = time) {}

	/** Milliseconds after which the next request may follow; 0 if at once. */
	get delay(): number {
		return Math.max(0, this.last + this.interval - this.clock.now());
	}

	/** Requests a second; Infinity without an interval. */
	get rate(): number {
		return 1_000 / this.interval;
	}

	/** Requests start to be sent, after a time in which there were none. */
	start(): void {
		this.since = this.lastSuccess = this.clock.now();
		if (this.since - this.lastPauseEnd > FORGET_INTERVAL_AFTER_MS) this.interval = 0;
		// Before the first pause all count: between short executions there are moments without requests, after each of which
		// the service had seemed slow (behind 100 a second, 100 executions of 20 items started with 48).
		if (this.interval > 0) this.processed.length = 0;
	}

	/** A request is sent. */
	recordSent(): void {
		const due = this.last + this.interval;
		const earliest = this.clock.now() - MAX_CATCH_UP_MS;
		this.isUsed = due >= earliest;
		this.last = Math.max(due, earliest);
	}

	/** The service has processed a request. */
	recordSuccess(): void {
		const now = this.clock.now();
		// When none is left, the comparison does not hold.
		while (this.processed[0]! < now - SAMPLE_MS) this.processed.shift();
		this.processed.push(now);
		const growth = Math.min(GROWTH * ((now - this.growsSince) / 1_000), MAX_GROWTH);
		if (this.isUsed) this.interval /= (1 + growth) ** ((now - this.lastSuccess) / 1_000);
		this.lastSuccess = now;
	}

	/**
	 * The service has asked for a pause.
	 *
	 * @param minProcessed assumed minimum of processed requests: a pause right at the start would give an interval of seconds
	 */
	pauseStarted(minProcessed: number): void {
		this.pause = { start: this.clock.now(), minProcessed };
	}

	/** The pause is over, since the time `end`. */
	pauseEnded(end: number): void {
		if (!this.pause) return;
		const { start, minProcessed } = this.pause;
		// The first pause is what a burst costs, and counts as processing time; later it would lengthen the interval each time.
		const interval =
			this.interval === 0
				? this.shortestInterval(end, MIN_BURST_MS, minProcessed)
				: Math.max(this.interval, this.shortestInterval(start, Math.min(MIN_PACED_MS, start - this.since), minProcessed) / RATE_AFTER_PAUSE);
		this.interval = Math.min(interval, MAX_INTERVAL_MS);
		this.growsSince = this.processed.length < MIN_SAMPLE ? -Infinity : end;
		this.lastPauseEnd = end;
		this.pause = undefined;
		this.last = end - this.interval;
		this.start();
	}

	/**
	 * The shortest average interval between processed requests, in milliseconds, over all periods that end then and are
	 * long enough: in a longer one n8n may have had other work, so that it was not the service that was slow.
	 */
	private shortestInterval(end: number, minMs: number, minProcessed: number): number {
		const { length } = this.processed;
		const averages = this.processed.map((at, index) => Math.max(end - at, minMs) / (length - index));
		return averages.reduce((shortest, average) => Math.min(shortest, average), Math.max(end - this.since, minMs) / minProcessed);
	}
}
