/** When a value may be forgotten. */
interface Retention<Value> {
	/** Maximum number of values; the least recently used goes first. */
	max: number;
	/** Whether a value is in use, and has to stay even if there are more than the maximum. */
	isInUse?: (value: Value) => boolean;
	/** Whether a value has not been used for so long that a new one is to take its place. */
	isStale?: (value: Value) => boolean;
}

/** Values by key in one process: made when a key is first asked for, and bounded in number. */
export class CacheByKey<Value> {
	/** The least recently used first, as a Map keeps the order of insertion. */
	private readonly values = new Map<string, Value>();

	constructor(private readonly retention: Retention<Value>) {}

	get size(): number {
		return this.values.size;
	}

	get(key: string, create: () => Value): Value {
		this.removeStale();
		const known = this.values.get(key);
		const value = known === undefined || this.retention.isStale?.(known) ? create() : known;
		this.values.delete(key);
		this.values.set(key, value);
		if (this.values.size > this.retention.max) this.removeLeastRecentlyUsed(key);
		return value;
	}

	private removeStale(): void {
		const { isStale } = this.retention;
		if (!isStale) return;
		for (const [key, value] of this.values) {
			if (!isStale(value)) return;
			this.values.delete(key);
		}
	}

	private removeLeastRecentlyUsed(except: string): void {
		const { isInUse } = this.retention;
		for (const [key, value] of this.values) {
			if (key === except || isInUse?.(value)) continue;
			this.values.delete(key);
			return;
		}
	}
}
