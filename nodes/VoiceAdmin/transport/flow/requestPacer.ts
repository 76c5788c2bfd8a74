import { type Clock, time } from './time';

/** How much of a delay is made up for, in milliseconds: timers fire late, which would make every run slower. */
const MAX_CATCH_UP_MS = 100;

/** From this interval on nothing is made up for, in milliseconds. */
const SLOW_MS = 50;

/** Longest interval, in milliseconds. */
const MAX_INTERVAL_MS = 10_000;

/** The rate after a rejection, as a share of that at which the service has processed requests; where it processed next to none, of the rate before. */
const RATE_AFTER_REJECTION = 0.92;
const RATE_AFTER_REJECTION_AT_ONCE = 0.7;

/** Fewer requests than these since the last rejection are next to none. */
const FEW = 5;

/** How much the rate grows in a second: after the first rejection, which says little of what the service bears, and later, up to what was rejected last. */
const GROWTH_AT_FIRST = 1;
const GROWTH = 0.15;

/** It stays below what was rejected for so long, in milliseconds; then it grows on, by so much more with every second. */
const PLATEAU_MS = 10_000;
const GROWTH_PER_SECOND = 0.01;

/** How long processed requests count for the rate, in milliseconds. */
const SAMPLE_MS = 10_000;

/** Assumed minimum of requests that the service processes in a second: a rejection right at the start would give an interval of seconds. */
const MIN_PROCESSED = 8;

/** So long after a rejection the interval is forgotten as soon as there is nothing to send, in milliseconds. */
const FORGET_INTERVAL_AFTER_MS = 60_000;

/** An average of fewer requests says little of what the service bears. */
const MIN_SAMPLE = 50;

/** Shortest period that an average is taken over, in milliseconds. */
const MIN_PERIOD_MS = 1_000;

/**
 * Interval between requests: none until the service rejects one, then the average at which it has processed them. From
 * there the rate grows to just below what was rejected, and stays there for a while: so it keeps close to what the service
 * bears, and follows one that comes to bear more. (By a lower limit of concurrency alone, 17 of 100 requests were rejected
 * behind 100 a second, and less than 1 like this.)
 */
export class RequestPacer {
	/** Time between two requests, in milliseconds. */
	private interval = 0;

	/** Shortest interval for a while after a rejection; 0 where little is known of what the service bears. */
	private shortest = 0;

	private rejectedAt = -Infinity;

	/** When the service last answered again after a rejection. */
	private restartedAt = -Infinity;

	/** When the last request was sent, or should have been. */
	private last = 0;

	/** Whether requests come as quickly as the interval lets them: a rate that is not used must not grow. */
	private isUsed = false;

	/** When the service has processed requests, of the last seconds. */
	private processed: number[] = [];

	/** When it has rejected requests and answered others, in the last second. */
	private overloads: number[] = [];

	/** Since when requests are sent, without a wait for the service. */
	private since = 0;

	private lastSuccess = 0;

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
		if (this.since - this.rejectedAt > FORGET_INTERVAL_AFTER_MS) this.interval = 0;
		// Before the first rejection all count: between short executions there are moments without requests, after each of which
		// the service had seemed slow (behind 100 a second, 100 executions of 20 items started with 48).
		if (this.interval > 0) this.processed = [];
	}

	/**
	 * The service answers again, after it has rejected requests.
	 * @param isLimit whether it has limited them; undefined where it may have been away, which may be its limit if it comes again at once
	 */
	restart(isLimit: boolean | undefined): void {
		const few = this.processed.filter((at) => at >= this.since).length < FEW;
		const isAgainAtOnce = this.rejectedAt - this.restartedAt < PLATEAU_MS && (this.interval > 0 || few);
		if (isLimit ?? isAgainAtOnce) this.slowDown();
		this.start();
		this.restartedAt = this.last = this.since;
	}

	/** A request is sent. */
	recordSent(): void {
		const due = this.last + this.interval;
		// A slow limit often has no burst: two requests that are a little too close would be one too many.
		const now = this.clock.now();
		this.isUsed = due >= now - MAX_CATCH_UP_MS;
		this.last = Math.max(due, this.interval < SLOW_MS ? now - MAX_CATCH_UP_MS : now);
	}

	/** The service has processed a request. */
	recordSuccess(): void {
		const now = this.clock.now();
		// When none is left, the comparison does not hold.
		while (this.processed[0]! < now - SAMPLE_MS) this.processed.shift();
		this.processed.push(now);
		const beyondPlateau = Math.max(0, now - this.rejectedAt - PLATEAU_MS);
		const growth = this.shortest === 0 ? GROWTH_AT_FIRST : beyondPlateau > 0 ? Math.min((GROWTH_PER_SECOND * beyondPlateau) / 1_000, GROWTH) : GROWTH;
		const grown = this.interval / (1 + growth) ** ((now - this.lastSuccess) / 1_000);
		if (this.isUsed) this.interval = Math.max(grown, beyondPlateau > 0 ? 0 : Math.min(this.shortest, this.interval));
		this.lastSuccess = now;
	}

	/** The service has rejected a request, and requests wait. */
	recordRejection(): void {
		this.rejectedAt = this.clock.now();
	}

	/** The service rejects a request, and answers others: where it rejects most of them, it limits them. */
	recordOverload(): void {
		const now = this.clock.now();
		this.overloads = this.overloads.filter((at) => at > now - MIN_PERIOD_MS);
		this.overloads.push(now);
		const { length } = this.overloads;
		if (length < FEW || length < this.processed.filter((at) => at > now - MIN_PERIOD_MS).length) return;
		this.overloads = [];
		this.recordRejection();
		this.slowDown();
	}

	private slowDown(): void {
		const before = this.interval;
		const average = this.shortestInterval(this.rejectedAt, Math.min(MIN_PERIOD_MS, before === 0 ? Infinity : this.rejectedAt - this.since));
		const isReliable = before > 0 || this.processed.length >= MIN_SAMPLE;
		if (before === 0) this.interval = average;
		else if (this.processed.length < FEW) this.interval = before / RATE_AFTER_REJECTION_AT_ONCE;
		else this.interval = Math.max(before, average / RATE_AFTER_REJECTION);
		this.shortest = isReliable ? Math.max(before / RATE_AFTER_REJECTION, average) : 0;
		this.interval = Math.min(this.interval, MAX_INTERVAL_MS);
	}

	/**
	 * The shortest average interval between processed requests, in milliseconds, over all periods that end then and are
	 * long enough: in a longer one n8n may have had other work, so that it was not the service that was slow.
	 */
	private shortestInterval(end: number, minMs: number): number {
		const { length } = this.processed;
		const averages = this.processed.map((at, index) => Math.max(end - at, minMs) / (length - index));
		return averages.reduce((shortest, average) => Math.min(shortest, average), Math.max(end - this.since, minMs) / MIN_PROCESSED);
	}
}
