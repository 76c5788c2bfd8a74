/** Whether a JSON value is an object or a list. */
export function isContainer(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null;
}

/** Whether a JSON value has more than `max` levels. Without recursion, which such a value would exhaust. */
export function isDeeperThan(max: number, value: unknown): boolean {
	let level = [value].filter(isContainer);
	for (let depth = 1; level.length > 0; depth++) {
		if (depth > max) return true;
		level = level.flatMap((each) => Object.values(each).filter(isContainer));
	}
	return false;
}
