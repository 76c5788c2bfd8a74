import { isObjectOrArray } from '../../json';

/** Where services write what is wrong, the most telling first; an object or a list among them is read in turn. */
const MESSAGE_FIELDS = [
	...['message', 'Message', 'error_description', 'error_msg', 'detail', 'title', 'faultstring', 'moreInformation', 'error', 'errors', 'msg'],
	...['description', 'reason', 'fault', 'defaultMessage'],
];

/** Where they write what an entry is about: `loc` is FastAPI's, `source` JSON:API's, `target` Microsoft's. */
const LOCATION_FIELDS = ['field', 'loc', 'source', 'pointer', 'parameter', 'property', 'path', 'target', 'name'];

/** Fields whose value needs no name before it: Google's `fieldViolations` stand in its `details`, JSON:API's `pointer` in its `source`. */
const WITHOUT_NAME = ['errors', 'details', 'fieldViolations', 'pointer', 'parameter'];

/** Fields that say nothing to a person beside a message: RFC 9457 and frameworks have them. */
const METADATA_FIELDS = ['status', 'statusCode', 'timestamp', 'path', 'instance', 'type', 'traceId', 'trace', 'requestId', 'request_id', 'innerError'];

/** How many levels and how many values of a body are read: people read a few lines, and a service may send millions. */
const MAX_DEPTH = 6;
const MAX_VALUES = 1_000;

/** Longest part of a text that is read, in characters: an excerpt of it searches less. */
const MAX_TEXT_LENGTH = 5_000;

/** What a JSON value says is wrong. */
interface ErrorText {
	/** In one sentence; '' for nothing. */
	message: string;
	/** All that it tells, the message included: every entry of a list, with what it is about. */
	lines: string[];
	/** The same of an object whose names are those of fields, as of `errors`: none of them is taken for a message. */
	fieldLines: string[];
	/** The same on one line. */
	summary: string;
}

/**
 * Reads a JSON body in the API's format or in another's: RFC 9457 (`title`, `detail`), OAuth (`error_description`),
 * `error.message`, lists of these. White space within is left as it is, so that secrets are recognized in it.
 * @returns the message, and what else the body tells, a line each
 */
export function readErrorBody(body: unknown): { message: string; details: string[] } {
	const { message, lines } = errorTextOf(body, { left: MAX_VALUES }, 0);
	return { message, details: lines.filter((line) => line !== message) };
}

function errorTextOf(value: unknown, budget: { left: number }, depth: number): ErrorText {
	if (!isObjectOrArray(value)) {
		const text = String(value ?? '').slice(0, MAX_TEXT_LENGTH).trim();
		// A number explains nothing.
		return { message: typeof value === 'string' ? text : '', ...fromLines(text === '' ? [] : [text]) };
	}
	const names = depth === MAX_DEPTH ? [] : Object.keys(value).slice(0, budget.left);
	const properties = new Map(names.map((name) => [name, budget.left-- > 0 ? errorTextOf(value[name], budget, depth + 1) : NO_TEXT]));
	return Array.isArray(value) ? errorTextOfList([...properties.values()]) : errorTextOfObject(properties);
}

const NO_TEXT: ErrorText = { message: '', ...fromLines([]) };

function errorTextOfList(entries: ErrorText[]): ErrorText {
	const lines = entries.map(({ summary }) => summary).filter((line) => line !== '');
	return { message: entries.find(({ message }) => message !== '')?.message ?? '', ...fromLines(lines) };
}

function fromLines(lines: string[]): Omit<ErrorText, 'message'> {
	return { lines, fieldLines: lines, summary: lines.join(', ') };
}

/** As lines, the message and `name: value` for each other field; as an entry of a list, `place: message (name: value)`. */
function errorTextOfObject(properties: Map<string, ErrorText>): ErrorText {
	const field = MESSAGE_FIELDS.find((name) => properties.get(name)?.message);
	const linesExcept = (excluded: string[], repeated = '') =>
		[...properties].flatMap(([name, property]) => {
			// Google's, of what is below.
			if (property.summary === repeated || property.summary === '' || excluded.includes(name) || name === '@type') return [];
			return WITHOUT_NAME.includes(name) ? property.fieldLines : [`${name}: ${property.summary}`];
		});
	const fieldLines = linesExcept([]);
	const { message, lines: messageLines } = properties.get(field ?? '') ?? NO_TEXT;
	if (field === undefined) return { message, ...fromLines(fieldLines) };
	const location = LOCATION_FIELDS.find((name) => properties.get(name)?.summary) ?? '';
	const details = [...messageLines.filter((line) => line !== message), ...linesExcept([...METADATA_FIELDS, field, location], message)].join(', ');
	return {
		message,
		lines: [...messageLines, ...linesExcept([...METADATA_FIELDS, field], message)],
		fieldLines,
		summary: [properties.get(location)?.lines.join('.'), location && ': ', message, details && ` (${details})`].join(''),
	};
}
