/** Whether a JSON value is an object or a list. */
export function isContainer(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null;
}
