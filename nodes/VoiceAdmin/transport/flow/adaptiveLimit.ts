/** Before the first full round of successes. */
const INITIAL_LIMIT = 25;

/** The highest limit: the largest 'Max Concurrency' that a node can be given. */
const MAX_LIMIT = 500;

/** After so long without an overload the limit doubles again, in milliseconds: the service has recovered. */
const RECOVERY_MS = 10_000;

/** A failure after so many successes is taken for a fault of one item, or of one node, and not for overload. */
const SUCCESSES_BEFORE_ISOLATED = 50;

/** Lowest limit after failures that are not overload for certain: with a few in flight, others show whether the service answers. */
const MIN_LIMIT = 4;

/**
 * How many requests may be in flight: doubles with each full round of successes, as TCP's slow start does, until an
 * overload halves it; for ten seconds after that it grows by one a round. It grows only while half of it is used.
 * After a restart it doubles up to what it was.
 */
export class AdaptiveLimit {
	private limit = INITIAL_LIMIT;

	/** In this round. */
	private successes = 0;

	/** Most requests in flight in this round. */
	private maxInFlight = 0;

	private overloadedAt = -Infinity;

	/** Up to here it doubles, whenever the last overload was: after a restart. */
	private doublesUpTo = 0;

	private successesSinceOverload = 0;

	get current(): number {
		return this.limit;
	}

	recordSent(inFlight: number): void {
		this.maxInFlight = Math.max(this.maxInFlight, inFlight);
	}

	/** @param inFlight requests that are still in flight */
	recordSuccess(inFlight: number, now: number): void {
		this.successesSinceOverload++;
		if (++this.successes < this.limit) return;
		// A limit that was not used says nothing of what the service can bear.
		const wasUsed = this.maxInFlight * 2 >= this.limit;
		this.startRound(inFlight);
		if (!wasUsed) return;
		const doubles = now - this.overloadedAt > RECOVERY_MS || this.limit * 2 <= this.doublesUpTo;
		this.limit = Math.min(doubles ? this.limit * 2 : this.limit + 1, MAX_LIMIT);
	}

	/** Begins at one again, as the service has been away: what waited for it is not to come back all at once. */
	restart(): void {
		this.doublesUpTo = this.limit;
		this.limit = 1;
		this.startRound(0);
	}

	/**
	 * @param inFlight requests that are still in flight
	 * @param isCertain whether the service has said that it is overloaded
	 * @returns whether the limit was lowered
	 */
	recordOverload(inFlight: number, now: number, isCertain: boolean): boolean {
		const isIsolated = !isCertain && this.successesSinceOverload >= SUCCESSES_BEFORE_ISOLATED;
		this.successesSinceOverload = 0;
		if (isIsolated) return false;
		this.overloadedAt = now;
		this.startRound(inFlight);
		this.limit = Math.max(Math.min(isCertain ? 1 : MIN_LIMIT, this.limit), Math.floor(this.limit / 2));
		return true;
	}

	private startRound(inFlight: number): void {
		this.successes = 0;
		this.maxInFlight = inFlight;
	}
}
