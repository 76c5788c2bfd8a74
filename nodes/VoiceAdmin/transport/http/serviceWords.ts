import { isObjectOrArray } from '../../json';

/** Where services write what is wrong, the most telling first; an object or a list among them is read in turn. */
const MESSAGE_FIELDS = [
	...['message', 'Message', 'error_description', 'error_msg', 'detail', 'title', 'faultstring', 'moreInformation', 'error', 'errors', 'msg'],
	...['description', 'reason', 'fault', 'defaultMessage'],
];

/** Where they write what an entry is about: `loc` is FastAPI's, `source` JSON:API's, `target` Microsoft's. */
const PLACE_FIELDS = ['field', 'loc', 'source', 'pointer', 'parameter', 'property', 'path', 'target', 'name'];

/** Fields whose value needs no name before it: Google's `fieldViolations` stand in its `details`, JSON:API's `pointer` in its `source`. */
const UNNAMED = ['errors', 'details', 'fieldViolations', 'pointer', 'parameter'];

/** Fields that say nothing to a person beside a message: RFC 9457 and frameworks have them. */
const NOT_SHOWN = ['status', 'statusCode', 'timestamp', 'path', 'instance', 'type', 'traceId', 'trace', 'requestId', 'request_id', 'innerError'];

/** How many levels and how many values of a body are read: people read a few lines, and a service may send millions. */
const MAX_DEPTH = 6;
const MAX_VALUES = 1_000;

/** Longest part of a text that is read, in characters: an excerpt of it searches less. */
const MAX_TEXT = 5_000;

/** What a JSON value says is wrong. */
interface Words {
	/** In one sentence; '' for nothing. */
	message: string;
	/** All that it tells, the message included: every entry of a list, with what it is about. */
	lines: string[];
	/** The same of an object whose names are those of fields, as of `errors`: none of them is taken for a message. */
	named: string[];
	/** The same on one line. */
	line: string;
}

/**
 * Reads a JSON body in the API's format or in another's: RFC 9457 (`title`, `detail`), OAuth (`error_description`),
 * `error.message`, lists of these. White space within is left as it is, so that secrets are recognized in it.
 * @returns the message, and what else the body tells, a line each
 */
export function serviceWords(body: unknown): { message: string; details: string[] } {
	const { message, lines } = wordsOf(body, { left: MAX_VALUES }, 0);
	return { message, details: lines.filter((line) => line !== message) };
}

function wordsOf(value: unknown, values: { left: number }, depth: number): Words {
	if (!isObjectOrArray(value)) {
		const text = String(value ?? '').slice(0, MAX_TEXT).trim();
		// A number explains nothing.
		return { message: typeof value === 'string' ? text : '', ...listed(text === '' ? [] : [text]) };
	}
	const names = depth === MAX_DEPTH ? [] : Object.keys(value).slice(0, values.left);
	const parts = new Map(names.map((name) => [name, values.left-- > 0 ? wordsOf(value[name], values, depth + 1) : NO_WORDS]));
	return Array.isArray(value) ? wordsOfList([...parts.values()]) : wordsOfObject(parts);
}

const NO_WORDS: Words = { message: '', ...listed([]) };

function wordsOfList(entries: Words[]): Words {
	const lines = entries.map(({ line }) => line).filter((line) => line !== '');
	return { message: entries.find(({ message }) => message !== '')?.message ?? '', ...listed(lines) };
}

function listed(lines: string[]): Omit<Words, 'message'> {
	return { lines, named: lines, line: lines.join(', ') };
}

/** As lines, the message and `name: value` for each other field; as an entry of a list, `place: message (name: value)`. */
function wordsOfObject(parts: Map<string, Words>): Words {
	const field = MESSAGE_FIELDS.find((name) => parts.get(name)?.message);
	const othersThan = (left: string[], repeated = '') =>
		[...parts].flatMap(([name, { named, line }]) => {
			// Google's, of what is below.
			if (line === repeated || line === '' || left.includes(name) || name === '@type') return [];
			return UNNAMED.includes(name) ? named : [`${name}: ${line}`];
		});
	const named = othersThan([]);
	const { message, lines: said } = parts.get(field ?? '') ?? NO_WORDS;
	if (field === undefined) return { message, ...listed(named) };
	const place = PLACE_FIELDS.find((name) => parts.get(name)?.line) ?? '';
	const more = [...said.filter((line) => line !== message), ...othersThan([...NOT_SHOWN, field, place], message)].join(', ');
	return {
		message,
		lines: [...said, ...othersThan([...NOT_SHOWN, field], message)],
		named,
		line: [parts.get(place)?.lines.join('.'), place && ': ', message, more && ` (${more})`].join(''),
	};
}
