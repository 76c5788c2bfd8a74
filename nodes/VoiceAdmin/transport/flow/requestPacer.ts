import { time } from './time';

/** How much of a delay is made up for, in milliseconds: timers fire late, which would make every run slower. */
const MAX_CATCH_UP_MS = 100;

/** Lowest rate; and the lowest after the first rejection, which may come after one request: in requests a second. */
const MIN_RATE = 0.1;
const MIN_FIRST_RATE = 8;

/** After a rejection, growth starts at `BETA` of the rejected rate, which is taken to be at least `MIN_SHARE_OF_RATE` of the rate before. */
const BETA = 0.85;
const MIN_SHARE_OF_RATE = 0.8;

/** Seconds from regaining the rejected rate to doubling it: few after the first rejection, which says little about the limit. */
const FIRST_DOUBLING_S = 2;
const DOUBLING_S = 15;

/** For how long what was processed counts, in milliseconds. */
const SAMPLE_MS = 1_000;

/** If the service was available for at least this long, a new outage isn't blamed on its rate limit, in milliseconds. */
const UNAVAILABLE_AGAIN_MS = 10_000;

/** This many rejections in a second, and this share of what was processed, indicate a rate limit while others get responses. */
const MIN_OVERLOADS = 3;
const SHARE_OF_PROCESSED = 1 / 4;

/**
 * Finds the request rate as TCP CUBIC (RFC 9438) and the AWS SDKs do: unlimited until the service rejects some, then slightly
 * below what it processed in a second. The rate grows back, stays near the rejected rate for a while, then probes faster and
 * faster. (With a limit of concurrency alone, a third of the requests of many executions is rejected behind 100 a second, and
 * 3 % like this, most of them before the limit is known.)
 */
export class RequestPacer {
	/** The rate that was rejected, in requests a second; Infinity for none so far. */
	private rejectedRate = Infinity;

	/** For how many seconds the rate has grown since: while it was used. */
	private grownS = 0;

	private doublingS = FIRST_DOUBLING_S;

	/** When the service last responded again after a wait. */
	private restartedAt = -Infinity;

	/** When the last request was sent, or should have been. */
	private lastDueAt = 0;

	/** When requests were processed, in the last second. */
	private readonly processed: number[] = [];

	/** When requests were rejected while others got responses, in the last second. */
	private readonly overloads: number[] = [];

	/** Requests a second; Infinity for no limit. */
	get rate(): number {
		const isFirst = this.doublingS === FIRST_DOUBLING_S;
		const grown = this.grownS / this.doublingS - Math.cbrt(isFirst ? 0 : 1 - BETA);
		return Math.max(MIN_RATE, this.rejectedRate * (1 + grown ** 3));
	}

	/** Milliseconds after which the next request may follow; 0 if at once. */
	get delay(): number {
		return Math.max(0, this.lastDueAt + 1_000 / this.rate - time.now());
	}

	/** The service responds again, and requests that waited for it follow. */
	restart(): void {
		this.restartedAt = this.lastDueAt = time.now();
	}

	/** A request is sent. */
	recordSent(): void {
		const earliest = time.now() - MAX_CATCH_UP_MS;
		const intervalMs = 1_000 / this.rate;
		const due = this.lastDueAt + intervalMs;
		// One that has not waited doesn't show that the service can take more.
		if (due >= earliest) this.grownS += intervalMs / 1_000;
		this.lastDueAt = Math.max(due, earliest);
	}

	/** The service has processed a request. */
	recordSuccess(): void {
		add(this.processed);
	}

	/**
	 * The service has rejected a request, and requests wait. @param isLimit whether it says that it limits them; it may
	 * also have been unavailable, which is its limit if it comes soon after the last wait
	 */
	recordRejection(isLimit: boolean): void {
		if (!isLimit && time.now() - this.restartedAt > UNAVAILABLE_AGAIN_MS) return;
		const { rate } = this;
		const processed = countOfLastSecond(this.processed);
		if (rate !== Infinity) this.doublingS = DOUBLING_S;
		this.rejectedRate = rate === Infinity ? Math.max(processed, MIN_FIRST_RATE) : Math.min(rate, Math.max(processed, rate * MIN_SHARE_OF_RATE));
		this.grownS = 0;
	}

	/** The service rejects a request, and responds to others: where it rejects many of them, it limits them. */
	recordOverload(): void {
		add(this.overloads);
		if (this.overloads.length < Math.max(MIN_OVERLOADS, SHARE_OF_PROCESSED * countOfLastSecond(this.processed))) return;
		this.overloads.length = 0;
		this.recordRejection(true);
	}
}

/** Adds this moment, and takes away what was before the last second. */
function add(times: number[]): void {
	times.push(time.now());
	while (times[0]! <= time.now() - SAMPLE_MS) times.shift();
}

function countOfLastSecond(times: number[]): number {
	return times.filter((at) => at > time.now() - SAMPLE_MS).length;
}
