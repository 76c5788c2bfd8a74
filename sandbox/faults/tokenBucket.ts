/** A token bucket: holds `burst` requests (by default as many as in one second), and refills with `perSecond` of them. */
export class TokenBucket {
	private readonly capacity: number;
	private left: number;
	private refilledAt: number;

	/** @param now milliseconds that only ever rise */
	constructor(readonly limit: { perSecond: number; burst?: number }, private readonly now = () => performance.now()) {
		this.capacity = Math.max(1, limit.burst ?? limit.perSecond);
		this.left = this.capacity;
		this.refilledAt = now();
	}

	/** Lets a request pass and returns 0, or returns the seconds after which one may pass. */
	secondsToWait(): number {
		const now = this.now();
		this.left = Math.min(this.capacity, this.left + ((now - this.refilledAt) / 1000) * this.limit.perSecond);
		this.refilledAt = now;
		if (this.left < 1) return (1 - this.left) / this.limit.perSecond;
		this.left -= 1;
		return 0;
	}
}
