/** Longest text taken from a reply, in characters; a page of HTML or a 20 MB body is no error message. */
const MAX_LENGTH = 2_000;

/** Deepest nesting that is written out; what lies below is given as JSON. */
const MAX_DEPTH = 4;

/**
 * The readable form of the `errors` field of the API's error body, which is a message, a list of
 * validation errors or a structured object; the API fixes nothing beyond these three forms.
 *
 * @returns text as it is; a list as one line per entry, `field: message` where an entry has both;
 * an object as its `key: value` lines; '' when there is nothing to read
 */
export function readable(errors: unknown): string {
	return cut(lines(errors, 0));
}

/** Cuts a text to a length that people read, and says so. */
export function cut(text: string, length = MAX_LENGTH): string {
	return text.length > length ? `${text.slice(0, length).trimEnd()} … (${text.length} characters)` : text;
}

function lines(value: unknown, depth: number): string {
	if (value === null || value === undefined) return '';
	if (typeof value === 'string') return value.trim();
	if (typeof value !== 'object') return String(value);
	if (depth >= MAX_DEPTH) return JSON.stringify(value);
	if (Array.isArray(value)) {
		return value
			.map((entry) => oneLine(entry, depth + 1))
			.filter((line) => line !== '')
			.join('\n');
	}
	return Object.entries(value)
		.map(([key, entry]) => {
			const text = oneLine(entry, depth + 1);
			return text === '' ? '' : `${key}: ${text}`;
		})
		.filter((line) => line !== '')
		.join('\n');
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
