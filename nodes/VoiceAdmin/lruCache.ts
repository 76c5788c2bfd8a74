/** Maximum number of values in one cache. */
export const MAX_ENTRIES = 1_000;

/** Values by key: made when a key is first asked for; the least recently used goes when there are too many. */
export class LruCache<Value> {
	/** The least recently used first, as a Map keeps the order of insertion. */
	private readonly values = new Map<string, Value>();

	/** @param isInUse whether a value has to stay even if there are more than the maximum */
	constructor(private readonly isInUse: (value: Value) => boolean = () => false) {}

	get(key: string, create: () => Value): Value {
		const value = this.values.get(key) ?? create();
		this.values.delete(key);
		if (this.values.size >= MAX_ENTRIES) {
			const unused = [...this.values].find(([, each]) => !this.isInUse(each));
			if (unused) this.values.delete(unused[0]);
		}
		this.values.set(key, value);
		return value;
	}
}
