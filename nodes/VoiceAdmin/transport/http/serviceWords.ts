import { isContainer } from '../../json';
import type { ResponseBody } from './response';

/** Where services write what is wrong, the most telling first; an object or a list among them is read in turn. */
const MESSAGE_FIELDS = [
	...['message', 'Message', 'error_description', 'error_msg', 'detail', 'title', 'faultstring', 'moreInformation', 'error', 'errors', 'msg'],
	...['description', 'reason', 'fault', 'defaultMessage'],
];

/** Where they write what an entry is about: `loc` is FastAPI's, `source` JSON:API's, `target` Microsoft's. */
const PLACE_FIELDS = ['field', 'loc', 'source', 'pointer', 'parameter', 'property', 'path', 'target', 'name'];

/** Lists whose entries need no name before them; Google's `fieldViolations` stand in its `details`. */
const UNNAMED = ['errors', 'details', 'fieldViolations'];

/** Fields that say nothing to a person: RFC 9457 and frameworks have them beside the others. */
const NOT_SHOWN = ['status', 'statusCode', 'timestamp', 'path', 'instance', 'type', 'traceId', 'trace', 'requestId', 'request_id', 'innerError'];

/** How many levels and how many values of a body are read: people read a few lines, and a service may send millions. */
const MAX_DEPTH = 6;
const MAX_VALUES = 1_000;

/** Longest part of a text that is read, in characters: an excerpt of it searches less. */
const MAX_TEXT = 5_000;

/** What a JSON body says is wrong. */
export interface ServiceWords {
	/** In one sentence; '' for nothing. */
	message: string;
	/** What else it tells, a line each: every entry of a list, with what it is about. */
	details: string[];
}

/** The API's own error body. */
type ApiErrorBody = ResponseBody & { value: { status: unknown; message: unknown; errors: unknown } };

/** Whether a body is the API's own error body, and not that of a proxy or of another server in its place. */
export function isApiError(body: ResponseBody): body is ApiErrorBody {
	const value = body.kind === 'json' ? body.value : undefined;
	return isContainer(value) && ['status', 'message', 'errors'].every((field) => Object.hasOwn(value, field));
}

/**
 * Reads a JSON body in the API's format or in another's: RFC 9457 (`title`, `detail`), OAuth (`error_description`),
 * `error.message`, lists of these. White space within is left as it is, so that secrets are recognized in it.
 */
export function serviceWords(body: unknown): ServiceWords {
	return wordsOf(beginningOf(body, { values: MAX_VALUES }, 0));
}

function beginningOf(value: unknown, left: { values: number }, depth: number): unknown {
	if (typeof value === 'string') return value.slice(0, MAX_TEXT);
	if (!isContainer(value)) return value;
	if (depth === MAX_DEPTH) return null;
	if (Array.isArray(value)) return value.slice(0, left.values).map((each) => (left.values-- > 0 ? beginningOf(each, left, depth + 1) : null));
	const names = Object.keys(value).slice(0, left.values);
	return Object.fromEntries(names.map((name) => [name, left.values-- > 0 ? beginningOf(value[name], left, depth + 1) : null]));
}

function wordsOf(value: unknown): ServiceWords {
	if (typeof value === 'string') return { message: value.trim(), details: [] };
	if (!isContainer(value)) return { message: '', details: [] };
	if (Array.isArray(value)) {
		const message = value.map((each) => wordsOf(each).message).find((each) => each !== '') ?? '';
		return { message, details: linesOf(value).filter((line) => line !== message) };
	}
	for (const field of MESSAGE_FIELDS.filter((each) => Object.hasOwn(value, each))) {
		const { message, details } = wordsOf(value[field]);
		if (message === '') continue;
		const repeated = MESSAGE_FIELDS.filter((each) => value[each] === value[field]);
		return { message, details: [...details, ...linesOf(value, [...NOT_SHOWN, ...repeated]).filter((line) => line !== message)] };
	}
	return { message: '', details: linesOf(value, NOT_SHOWN) };
}

/** The entries of a list, or the fields of an object as `name: value`, a line each. @param left names of fields to leave out */
function linesOf(value: unknown, left: string[] = []): string[] {
	if (!isContainer(value)) return [textOf(value)].filter((text) => text !== '');
	return Object.entries(value).flatMap(([name, each]) => {
		// Google's, of what is below.
		if (left.includes(name) || name === '@type') return [];
		const isUnnamed = UNNAMED.includes(name);
		const lines = (isUnnamed ? linesOf(each) : [lineOf(each)]).filter((line) => line !== '');
		return isUnnamed || Array.isArray(value) ? lines : lines.map((line) => `${name}: ${line}`);
	});
}

/** An entry on one line; `place: message (name: value)` where it has a message. */
function lineOf(entry: unknown): string {
	const field = isContainer(entry) ? MESSAGE_FIELDS.find((each) => typeof entry[each] === 'string' && textOf(entry[each]) !== '') : undefined;
	if (!isContainer(entry) || field === undefined) return linesOf(entry).join(', ');
	const place = PLACE_FIELDS.find((each) => placeOf(entry[each]) !== '') ?? '';
	const rest = linesOf(entry, [...NOT_SHOWN, field, place]).join(', ');
	return [placeOf(entry[place]), place && ': ', textOf(entry[field]), rest && ` (${rest})`].join('');
}

function placeOf(value: unknown): string {
	if (Array.isArray(value)) return value.map(placeOf).join('.');
	return isContainer(value) ? placeOf(value.pointer ?? value.parameter) : textOf(value);
}

function textOf(value: unknown): string {
	return String(value ?? '').trim();
}
