/**
 * A JSON value as text that is the same for the same value, in whatever order the fields of its objects come.
 *
 * @param value as `JSON.parse` gives it
 */
export function canonical(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
	if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
	const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
	return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join(',')}}`;
}
