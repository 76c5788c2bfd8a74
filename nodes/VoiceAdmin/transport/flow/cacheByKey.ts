/** Maximum number of API keys that are remembered in one n8n process. */
export const MAX_KEYS = 1_000;

/** When a value may be forgotten. */
interface Retention<Value> {
	/** Maximum number of values; the least recently used goes first. */
	max: number;
	/** Whether a value is in use, and has to stay even if there are more than the maximum. */
	isInUse?: (value: Value) => boolean;
}

/** Values by key in one process: made when a key is first asked for, and bounded in number. */
export class CacheByKey<Value> {
	/** The least recently used first, as a Map keeps the order of insertion. */
	private readonly values = new Map<string, Value>();

	constructor(private readonly retention: Retention<Value>) {}

	get(key: string, create: () => Value): Value {
		const { max } = this.retention;
		const value = this.values.get(key) ?? create();
		this.values.delete(key);
		if (this.values.size >= max) this.removeLeastRecentlyUsed();
		this.values.set(key, value);
		return value;
	}

	private removeLeastRecentlyUsed(): void {
		const { isInUse } = this.retention;
		for (const [key, value] of this.values) {
			if (isInUse?.(value)) continue;
			this.values.delete(key);
			return;
		}
	}
}
