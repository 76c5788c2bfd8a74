/** Before it is known what the service bears. */
const INITIAL_LIMIT = 25;

/** The highest limit: the largest 'Max Concurrency' that a node can be given. */
const MAX_LIMIT = 500;

/** Lowest limit after failures: with a few in flight, others show whether the service answers. */
const MIN_LIMIT = 4;

/** After so long without a failure the limit doubles again, in milliseconds: the service has recovered. */
const RECOVERY_MS = 10_000;

/** A failure after so many successes is taken for a fault of one item, or of one node, and not for overload. */
const SUCCESSES_BEFORE_ISOLATED = 50;

/**
 * How many requests may be in flight, as TCP's congestion control finds it: one more with each success, which doubles the
 * limit in a round ("slow start"), until a failure halves it; from there one more a round. It grows only while half of it is used.
 */
export class AdaptiveLimit {
	/** Not whole: a round adds one by its parts. */
	private limit = INITIAL_LIMIT;

	/** Below this, it grows as at the start. */
	private slowStartThreshold = MAX_LIMIT;

	private loweredAt = -Infinity;

	/** Since the last failure. */
	private successes = 0;

	get current(): number {
		return Math.floor(this.limit);
	}

	/** @param inFlight requests in flight, with the one that succeeded */
	recordSuccess(inFlight: number, now: number): void {
		this.successes++;
		if (inFlight * 2 < this.limit) return;
		const isSlowStart = this.limit < this.slowStartThreshold || now - this.loweredAt > RECOVERY_MS;
		this.limit = Math.min(this.limit + (isSlowStart ? 1 : 1 / this.limit), MAX_LIMIT);
	}

	/** Begins at one again, as the service has been away: what waited for it is not to come back all at once. */
	restart(): void {
		this.slowStartThreshold = this.limit;
		this.limit = 1;
	}

	/** A request has failed, maybe as there are too many. @returns whether the limit was lowered */
	recordFailure(now: number): boolean {
		const isIsolated = this.successes >= SUCCESSES_BEFORE_ISOLATED;
		this.successes = 0;
		if (isIsolated) return false;
		this.loweredAt = now;
		this.limit = Math.max(Math.min(MIN_LIMIT, this.limit), this.limit / 2);
		this.slowStartThreshold = this.limit;
		return true;
	}
}
