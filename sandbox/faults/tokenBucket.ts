/** A token bucket: holds `burst` requests (by default as many as in one second), and refills with `perSecond` of them. */
export class TokenBucket {
	private readonly capacity: number;
	private left: number;
	private refilledAt: number;

	constructor(private readonly limit: { perSecond: number; burst?: number }) {
		this.capacity = Math.max(1, limit.burst ?? limit.perSecond);
		this.left = this.capacity;
		this.refilledAt = performance.now();
	}

	/** Lets a request pass and returns 0, or returns the seconds after which one may pass. */
	secondsToWait(): number {
		const now = performance.now();
		this.left = Math.min(this.capacity, this.left + ((now - this.refilledAt) / 1000) * this.limit.perSecond);
		this.refilledAt = now;
		if (this.left < 1) return (1 - this.left) / this.limit.perSecond;
		this.left -= 1;
		return 0;
	}
}
