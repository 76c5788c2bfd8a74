/** Maximum number of values in one cache. */
export const MAX_ENTRIES = 1_000;

/** Values by key: made when a key is first asked for; the least recently used goes when there are too many. */
export class LruCache<Value> {
	/** The least recently used first, as a Map keeps the order of insertion. */
	private readonly entries = new Map<string, Value>();

	/** @param isInUse whether a value has to stay even if there are more than the maximum */
	constructor(private readonly isInUse: (value: Value) => boolean = () => false) {}

	get(key: string, create: () => Value): Value {
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
