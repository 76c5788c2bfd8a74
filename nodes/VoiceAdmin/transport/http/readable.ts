/** Deepest nesting that is written out; what lies below is given as JSON. */
const MAX_DEPTH = 4;

/** Most entries of a list or an object that are looked at. */
const MAX_ENTRIES = 1_000;

/** No more is collected than this, in characters: people read a few lines of it. */
const ENOUGH = 20_000;

/**
 * The readable form of the `errors` field of the API's error body, which is a message, a list of
 * validation errors or a structured object; the API fixes nothing beyond these three forms.
 *
 * @returns text as it is; a list as one line per entry, `field: message` where an entry has both;
 * an object as its `key: value` lines; '' when there is nothing to read
 */
export function readable(errors: unknown): string {
	return lines(errors, 0);
}

function lines(value: unknown, depth: number): string {
	if (value === null || value === undefined) return '';
	if (typeof value === 'string') return value.trim();
	if (typeof value !== 'object') return String(value);
	if (depth >= MAX_DEPTH) return json(value);
	const collected: string[] = [];
	let length = 0;
	let looked = 0;
	// One by one: a list of all entries would be made of millions, where the service sends so many.
	for (const key in value) {
		if (++looked > MAX_ENTRIES || length > ENOUGH) break;
		const text = oneLine((value as Record<string, unknown>)[key], depth + 1);
		if (text === '') continue;
		collected.push(Array.isArray(value) ? text : `${key}: ${text}`);
		length += text.length;
	}
	return collected.join('\n');
}

function oneLine(entry: unknown, depth: number): string {
	if (typeof entry === 'object' && entry !== null && !Array.isArray(entry)) {
		const { field, message, ...rest } = entry as Record<string, unknown>;
		if (isText(field) && isText(message)) {
			const more = lines(rest, depth).replaceAll('\n', ', ');
			return more === '' ? `${field}: ${message}` : `${field}: ${message} (${more})`;
		}
	}
	return lines(entry, depth).replaceAll('\n', ', ');
}

function isText(value: unknown): value is string {
	return typeof value === 'string' && value.trim() !== '';
}

function json(value: object): string {
	try {
		return JSON.stringify(value);
	} catch {
		// Nested too deep even for that.
		return '…';
	}
}
