const MAX_ENTRIES = 1_000;

/** Creates a value on first use of its key, and evicts the least recently used. */
export class LruCache<Value> {
	/** The least recently used first, as a Map keeps insertion order. */
	private readonly entries = new Map<string, Value>();

	/** @param isInUse whether a value must not be evicted */
	constructor(private readonly isInUse: (value: Value) => boolean = () => false) {}

	getOrCreate(key: string, create: () => Value): Value {
		const value = this.entries.get(key) ?? create();
		this.entries.delete(key);
		if (this.entries.size >= MAX_ENTRIES) {
			const unused = [...this.entries].find(([, each]) => !this.isInUse(each));
			if (unused) this.entries.delete(unused[0]);
		}
		this.entries.set(key, value);
		return value;
	}
}
