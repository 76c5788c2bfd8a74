/** The limit before anything is known about the service. */
const INITIAL_LIMIT = 25;

/** The highest limit: the largest 'Max Concurrency' that a node can be given. */
const MAX_LIMIT = 500;

/** Lowest limit after failures: with a few in flight, others show whether the service responds. */
const MIN_LIMIT = 4;

/** After this long without a failure, the limit doubles again, in milliseconds: the service has recovered. */
const RECOVERY_MS = 10_000;

/** A failure after this many successes is blamed on one item or node, not on overload. */
const SUCCESSES_BEFORE_ISOLATED = 50;

/**
 * How many requests may be in flight, as TCP's congestion control finds it: twice as many with each full round of successes
 * ("slow start"), until a failure halves the limit; from there one more a round. It grows only while half of it is used.
 */
export class AdaptiveLimit {
	limit = INITIAL_LIMIT;

	/** Up to this limit, it doubles. */
	private slowStartThreshold = MAX_LIMIT;

	private loweredAt = -Infinity;

	/** In this round: successes, and most requests in flight. */
	private round = { successes: 0, maxInFlight: 0 };

	private successesSinceFailure = 0;

	/** @param inFlight requests in flight, with the one that succeeded */
	recordSuccess(inFlight: number, now: number): void {
		const { round } = this;
		this.successesSinceFailure++;
		round.maxInFlight = Math.max(round.maxInFlight, inFlight);
		if (++round.successes < this.limit) return;
		const isSlowStart = this.limit * 2 <= this.slowStartThreshold || now - this.loweredAt > RECOVERY_MS;
		if (round.maxInFlight * 2 >= this.limit) this.limit = Math.min(isSlowStart ? this.limit * 2 : this.limit + 1, MAX_LIMIT);
		this.startRound();
	}

	/** Begins at one again, as the service has been unavailable: what waited for it is not to come back all at once. */
	restart(): void {
		this.slowStartThreshold = this.limit;
		this.limit = 1;
		this.startRound();
	}

	/** A request has failed, maybe as there are too many. @returns whether the limit was lowered */
	recordFailure(now: number): boolean {
		const isIsolated = this.successesSinceFailure >= SUCCESSES_BEFORE_ISOLATED;
		this.successesSinceFailure = 0;
		if (isIsolated) return false;
		this.loweredAt = now;
		this.limit = Math.max(Math.min(MIN_LIMIT, this.limit), Math.floor(this.limit / 2));
		this.slowStartThreshold = this.limit;
		this.startRound();
		return true;
	}

	private startRound(): void {
		this.round = { successes: 0, maxInFlight: 0 };
	}
}
