/** A token bucket: holds the tokens of one second, at least one, and refills at `perSecond`. */
export class TokenBucket {
	private readonly capacity: number;
	private tokenCount: number;
	private refilledAt: number;

	constructor(private readonly perSecond: number) {
		this.capacity = Math.max(1, perSecond);
		this.tokenCount = this.capacity;
		this.refilledAt = performance.now();
	}

	/** Takes a token and returns 0, or returns the seconds until there is one. */
	takeToken(): number {
		const now = performance.now();
		this.tokenCount = Math.min(this.capacity, this.tokenCount + ((now - this.refilledAt) / 1000) * this.perSecond);
		this.refilledAt = now;
		if (this.tokenCount < 1) return (1 - this.tokenCount) / this.perSecond;
		this.tokenCount -= 1;
		return 0;
	}
}
