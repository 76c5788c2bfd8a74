import { isObjectOrArray } from '../../json';

/** Fields with a message, the most telling first; an object or list among them is read recursively. */
const MESSAGE_FIELDS = ['message', 'error_description', 'detail', 'title', 'error', 'errors', 'msg', 'defaultMessage'];

/** Fields with the location of an error: `loc` is FastAPI's, `source` JSON:API's. */
const LOCATION_FIELDS = ['field', 'loc', 'source', 'pointer', 'parameter', 'property', 'path', 'name'];

/** Fields shown without their name: JSON:API's `pointer` is in `source`. */
const WITHOUT_NAME = ['errors', 'details', 'pointer', 'parameter'];

/** Fields of RFC 9457 and of frameworks that tell a person nothing beside a message. */
const METADATA_FIELDS = ['status', 'statusCode', 'timestamp', 'path', 'instance', 'type', 'traceId', 'trace'];

/** Maximum depth and values that are read: people read a few lines, and a service may send millions. */
const MAX_DEPTH = 6;
const MAX_VALUES = 1_000;

/** Maximum characters of a text: more than an excerpt searches. */
const MAX_TEXT_LENGTH = 5_000;

interface ErrorText {
	/** One sentence; '' for none. */
	message: string;
	/** Everything, including the message; a line per list entry, with its location. */
	lines: string[];
	/** The same for an object keyed by field names, such as `errors`: none is taken for a message. */
	fieldLines: string[];
	/** On one line. */
	summary: string;
}

/**
 * Reads a JSON error body in the API's format or another: RFC 9457 (`title`, `detail`), OAuth (`error_description`), `error.message`, lists
 * of these. Keeps white space, so that secrets are recognized. @returns the message, and details, one per line
 */
export function readErrorBody(body: unknown): { message: string; details: string[] } {
	const { message, lines } = textOf(body, { left: MAX_VALUES }, 0);
	return { message, details: lines.filter((line) => line !== message) };
}

function textOf(value: unknown, budget: { left: number }, depth: number): ErrorText {
	if (!isObjectOrArray(value)) {
		const text = String(value ?? '')
			.slice(0, MAX_TEXT_LENGTH)
			.trim();
		// A number explains nothing.
		return { message: typeof value === 'string' ? text : '', ...fromLines(text === '' ? [] : [text]) };
	}
	const names = depth === MAX_DEPTH ? [] : Object.keys(value).slice(0, budget.left);
	const properties = new Map(
		names.map((name) => [name, budget.left-- > 0 ? textOf(value[name], budget, depth + 1) : NO_TEXT]),
	);
	return Array.isArray(value) ? textOfList([...properties.values()]) : textOfObject(properties);
}

const NO_TEXT: ErrorText = { message: '', ...fromLines([]) };

function textOfList(entries: ErrorText[]): ErrorText {
	const lines = entries.map(({ summary }) => summary).filter((line) => line !== '');
	return { message: entries.find(({ message }) => message !== '')?.message ?? '', ...fromLines(lines) };
}

function fromLines(lines: string[]): Omit<ErrorText, 'message'> {
	return { lines, fieldLines: lines, summary: lines.join(', ') };
}

/** Lines: the message, then `name: value` per other field. Summary: `location: message (name: value)`. */
function textOfObject(properties: Map<string, ErrorText>): ErrorText {
	const field = MESSAGE_FIELDS.find((name) => properties.get(name)?.message);
	const linesExcept = (excluded: string[], repeated = '') =>
		[...properties].flatMap(([name, property]) => {
			if (property.summary === repeated || property.summary === '' || excluded.includes(name)) return [];
			return WITHOUT_NAME.includes(name) ? property.fieldLines : [`${name}: ${property.summary}`];
		});
	const fieldLines = linesExcept([]);
	const { message, lines: messageLines } = properties.get(field ?? '') ?? NO_TEXT;
	if (field === undefined) return { message, ...fromLines(fieldLines) };
	const location = LOCATION_FIELDS.find((name) => properties.get(name)?.summary) ?? '';
	const details = [
		...messageLines.filter((line) => line !== message),
		...linesExcept([...METADATA_FIELDS, field, location], message),
	].join(', ');
	return {
		message,
		lines: [...messageLines, ...linesExcept([...METADATA_FIELDS, field], message)],
		fieldLines,
		summary: [properties.get(location)?.lines.join('.'), location && ': ', message, details && ` (${details})`].join(
			'',
		),
	};
}
