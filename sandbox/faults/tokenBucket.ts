/** A token bucket: holds the tokens of one second, at least one, and refills at `perSecond`. */
export class TokenBucket {
	private readonly capacity: number;
	private left: number;
	private refilledAt: number;

	constructor(private readonly perSecond: number) {
		this.capacity = Math.max(1, perSecond);
		this.left = this.capacity;
		this.refilledAt = performance.now();
	}

	/** Takes a token and returns 0, or returns the seconds until there is one. */
	secondsToWait(): number {
		const now = performance.now();
		this.left = Math.min(this.capacity, this.left + ((now - this.refilledAt) / 1000) * this.perSecond);
		this.refilledAt = now;
		if (this.left < 1) return (1 - this.left) / this.perSecond;
		this.left -= 1;
		return 0;
	}
}
