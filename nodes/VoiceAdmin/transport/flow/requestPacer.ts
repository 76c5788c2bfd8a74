import { time } from './time';

/** How much of a delay is made up for, in milliseconds: timers fire late, which would make every run slower. */
const MAX_CATCH_UP_MS = 100;

/** Up to this rate nothing is made up for, in requests a second: a slow limit often has no burst. */
const SLOW_RATE = 20;

/** Lowest rate; and the lowest after the first rejection, which may come after one request: in requests a second. */
const MIN_RATE = 0.1;
const MIN_FIRST_RATE = 8;

/** The rate after a further rejection, as a share of what was processed in the last second, and of the rate before at least. */
const SHARE_OF_PROCESSED = 0.92;
const MIN_SHARE_OF_RATE = 0.7;

/** How much the rate grows in a second: after the first rejection, which says little of what the service bears, and after others. */
const GROWTH_AT_FIRST = 0.7;
const GROWTH = 0.15;

/** It stays below this share of the rate that was rejected for so long, in milliseconds; then it grows on, by so much more with every second. */
const CEILING = 0.92;
const PLATEAU_MS = 10_000;
const GROWTH_PER_SECOND = 0.01;

/** For how long what was processed counts, and the longest time that the rate grows for at once, in milliseconds. */
const SAMPLE_MS = 1_000;

/** Fewer rejections in that time, or a smaller share of what was processed, say nothing of a limit: of one that is not known yet, and of one that is. */
const UNKNOWN_LIMIT = { rejections: 5, share: 1 };
const KNOWN_LIMIT = { rejections: 2, share: 1 / 4 };

/**
 * The rate at which requests follow each other: any until the service limits them, then what it has processed in a second.
 * From there the rate grows to just below what was rejected, and stays there for a while: so it keeps close to what the
 * service bears, and follows one that comes to bear more. (By a limit of concurrency alone, 17 of 100 requests were rejected
 * behind 100 a second, and less than 1 like this.)
 */
export class RequestPacer {
	/** Requests a second; Infinity for no limit. */
	rate = Infinity;

	/** For a while after a rejection, the rate does not grow beyond this one. */
	private ceiling = Infinity;

	private rejectedAt = -Infinity;

	/** When the service last answered again after a wait. */
	private restartedAt = -Infinity;

	/** When the last request was sent, or should have been. */
	private last = 0;

	/** Whether requests come as quickly as the rate lets them: one that is not used must not grow. */
	private isUsed = false;

	/** Until when the rate has grown. */
	private grownAt = 0;

	/** When the service has processed requests, and rejected them while it answered others, in the last second. */
	private readonly processed: number[] = [];

	private readonly overloads: number[] = [];

	/** Milliseconds after which the next request may follow; 0 if at once. */
	get delay(): number {
		return Math.max(0, this.last + 1_000 / this.rate - time.now());
	}

	/** The service answers again, and requests that waited for it follow. */
	restart(): void {
		this.restartedAt = this.last = this.grownAt = time.now();
	}

	/** A request is sent. */
	recordSent(): void {
		const now = time.now();
		const due = this.last + 1_000 / this.rate;
		this.isUsed = due >= now - MAX_CATCH_UP_MS;
		this.last = Math.max(due, this.rate > SLOW_RATE ? now - MAX_CATCH_UP_MS : now);
	}

	/** The service has processed a request. */
	recordSuccess(): void {
		const now = time.now();
		const seconds = Math.min(now - this.grownAt, SAMPLE_MS) / 1_000;
		add(this.processed, now);
		this.grownAt = now;
		if (!this.isUsed || this.rate === Infinity) return;
		const beyond = (now - this.rejectedAt - PLATEAU_MS) / 1_000;
		const growth = this.ceiling === Infinity ? GROWTH_AT_FIRST : beyond > 0 ? Math.min(GROWTH_PER_SECOND * beyond, GROWTH) : GROWTH;
		const grown = this.rate * (1 + growth) ** seconds;
		this.rate = beyond > 0 ? grown : Math.min(grown, Math.max(this.rate, this.ceiling));
	}

	/**
	 * The service has rejected a request, and requests wait. @param isLimit whether it says that it limits them; it may
	 * also have been away, which is its limit if it comes soon after the last wait
	 */
	recordRejection(isLimit: boolean): void {
		const now = time.now();
		this.rejectedAt = this.grownAt = now;
		if (!isLimit && now - this.restartedAt > PLATEAU_MS) return;
		const processed = countOfLastSecond(this.processed, now);
		const lowest = Math.max(MIN_RATE, this.rate * MIN_SHARE_OF_RATE);
		this.ceiling = this.rate * CEILING;
		this.rate = this.rate === Infinity ? Math.max(processed, MIN_FIRST_RATE) : Math.min(this.rate, Math.max(lowest, processed * SHARE_OF_PROCESSED));
	}

	/** The service rejects a request, and answers others: where it rejects most of them, it limits them. */
	recordOverload(): void {
		const now = time.now();
		add(this.overloads, now);
		const { rejections, share } = this.rate === Infinity ? UNKNOWN_LIMIT : KNOWN_LIMIT;
		if (this.overloads.length < Math.max(rejections, share * countOfLastSecond(this.processed, now))) return;
		this.overloads.length = 0;
		this.recordRejection(true);
	}
}

/** Adds a time, and takes away those before the last second. */
function add(times: number[], now: number): void {
	times.push(now);
	while (times[0]! <= now - SAMPLE_MS) times.shift();
}

function countOfLastSecond(times: number[], now: number): number {
	return times.filter((at) => at > now - SAMPLE_MS).length;
}
