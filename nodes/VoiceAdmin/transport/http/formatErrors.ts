/** Levels that are written as lines; what is below stands as JSON. */
const MAX_DEPTH = 4;

/** Maximum number of entries of a list or an object that are read. */
const MAX_ENTRIES = 1_000;

/** Maximum length of the result, in characters: people read a few lines of it. */
const MAX_LENGTH = 20_000;

/**
 * Formats the `errors` of the API's error body, which is text, a list of validation errors or an object.
 * @returns text as it is; a list as one line per entry, `field: message` where it has both; an object as `key: value`
 * lines; '' when there is nothing to read
 */
export function formatErrors(errors: unknown): string {
	return lines(errors, 0);
}

function lines(value: unknown, depth: number): string {
	if (value === null || value === undefined) return '';
	if (typeof value === 'string') return value.trim();
	if (typeof value !== 'object') return String(value);
	if (depth >= MAX_DEPTH) return json(value);
	const collected: string[] = [];
	let length = 0;
	let entries = 0;
	// One by one: the service may send millions, and Object.entries would make a list of them all.
	for (const key in value) {
		if (++entries > MAX_ENTRIES || length > MAX_LENGTH) break;
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
		// Nested too deep for JSON.stringify.
		return '…';
	}
}
