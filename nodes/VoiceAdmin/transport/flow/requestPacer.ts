import { time } from '../../time';

/** Maximum delay that is caught up, in milliseconds: timers fire late, which would slow every run. */
const MAX_CATCH_UP_MS = 100;

/** Lowest rate; and the lowest after the first rejection, which may come after one request: in requests a second. */
const MIN_RATE = 0.1;
const MIN_FIRST_RATE = 8;

/**
 * After any but the first rejection, the rate restarts at this share of what was processed in a second, taken to be at
 * least 80 % of the rate before.
 */
const RESTART_SHARE = 0.85;
const MIN_SHARE_OF_RATE = 0.8;

/** Seconds from regaining the rejected rate to doubling it: few after the first rejection, which says little about the limit. */
const FIRST_DOUBLING_S = 2;
const LATER_DOUBLING_S = 15;

/** Sampling window, in milliseconds. */
const SAMPLE_MS = 1_000;

/** An outage after the service was available for this long, in milliseconds, isn't blamed on its rate limit. */
const UNAVAILABLE_AGAIN_MS = 10_000;

/** This many rejections in a second, and this share of processed requests, indicate a rate limit. */
const MIN_OVERLOADS = 3;
const SHARE_OF_PROCESSED = 1 / 4;

/**
 * Finds the request rate as TCP CUBIC (RFC 9438) and the AWS SDKs do: unlimited until the service rejects some, then at or slightly
 * below what it processed in a second. The rate grows back, stays near the last maximum for a while, then probes faster and faster.
 * (With a concurrency limit alone, a service that allows 100 requests a second rejected a third of the requests of many executions;
 * with this, 3 %, most of them before the limit is known.)
 */
export class RequestPacer {
	/** What the service processed when it last rejected something, in requests a second; Infinity until then. */
	private lastMaxRate = Infinity;

	/** Seconds for which the rate has grown since, counted while it was used. */
	private growthS = 0;

	private wasRejectedAgain = false;

	/** When the last outage ended. */
	private restartedAt = -Infinity;

	private lastDueAt = 0;

	/** When requests were processed, in the last second. */
	private readonly processed: number[] = [];

	/** When requests were rejected while others got responses, in the last second. */
	private readonly overloads: number[] = [];

	/** Requests a second; Infinity for no limit. */
	get rate(): number {
		// RFC 9438, section 4.2: growth is cubic in the distance from the time at which the last maximum is regained.
		const [doublingS, restart] = this.wasRejectedAgain
			? [LATER_DOUBLING_S, Math.cbrt(1 - RESTART_SHARE)]
			: [FIRST_DOUBLING_S, 0];
		const grown = this.growthS / doublingS - restart;
		return Math.max(MIN_RATE, this.lastMaxRate * (1 + grown ** 3));
	}

	/** Milliseconds until the next request may be sent; 0 if at once. */
	get delayMs(): number {
		return Math.max(0, this.lastDueAt + 1_000 / this.rate - time.now());
	}

	recordOutageEnd(): void {
		this.restartedAt = this.lastDueAt = time.now();
	}

	recordSent(): void {
		const earliest = time.now() - MAX_CATCH_UP_MS;
		const intervalMs = 1_000 / this.rate;
		const due = this.lastDueAt + intervalMs;
		// A request that wasn't delayed doesn't show that the service can take more.
		if (due >= earliest) this.growthS += intervalMs / 1_000;
		this.lastDueAt = Math.max(due, earliest);
	}

	recordSuccess(): void {
		addNow(this.processed);
	}

	/**
	 * Records a rejection that opened the breaker.
	 * @param isLimit false for an outage, which counts as a rate limit if it soon follows another one
	 */
	recordRejection(isLimit: boolean): void {
		if (!isLimit && time.now() - this.restartedAt > UNAVAILABLE_AGAIN_MS) return;
		const { rate } = this;
		const processed = countInLastSecond(this.processed);
		if (rate !== Infinity) this.wasRejectedAgain = true;
		this.lastMaxRate =
			rate === Infinity
				? Math.max(processed, MIN_FIRST_RATE)
				: Math.min(rate, Math.max(processed, rate * MIN_SHARE_OF_RATE));
		this.growthS = 0;
	}

	/** Records a rejection while others get responses: many of them mean a rate limit. */
	recordOverload(): void {
		addNow(this.overloads);
		if (this.overloads.length < Math.max(MIN_OVERLOADS, SHARE_OF_PROCESSED * countInLastSecond(this.processed))) return;
		this.overloads.length = 0;
		this.recordRejection(true);
	}
}

/** Adds the current time and drops those older than the window. */
function addNow(times: number[]): void {
	times.push(time.now());
	while (times[0]! <= time.now() - SAMPLE_MS) times.shift();
}

function countInLastSecond(times: number[]): number {
	return times.filter((at) => at > time.now() - SAMPLE_MS).length;
}
