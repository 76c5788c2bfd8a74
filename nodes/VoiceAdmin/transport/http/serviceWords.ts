import { isContainer } from '../../json';
import { formatErrors } from './formatErrors';

/** Where services write what is wrong, the most telling first; an object among them is read in turn. */
const MESSAGE_FIELDS = ['message', 'error_description', 'detail', 'title', 'error', 'errors', 'msg', 'description', 'reason', 'fault'];

/** Fields that say nothing to a person: RFC 9457 and frameworks have them beside the others. */
const NOT_SHOWN = ['status', 'statusCode', 'timestamp', 'path', 'instance', 'type', 'traceId', 'trace', 'requestId'];

/** How deep a message is looked for, in levels. */
const MAX_DEPTH = 4;

/** The API's own error body (`status`, `message`, `errors`), by its `errors` and `message`. */
export function isApiErrorBody(value: unknown): value is { message: unknown; errors: unknown } {
	return isContainer(value) && ['status', 'message', 'errors'].every((field) => Object.hasOwn(value, field));
}

/**
 * What a JSON body says is wrong, in one sentence, in the API's format or in another's: RFC 9457 (`title`, `detail`), OAuth
 * (`error_description`), `error.message`, lists of these. @returns '' for nothing
 */
export function serviceMessage(value: unknown, depth = 0): string {
	if (typeof value === 'string') return value.trim();
	if (!isContainer(value) || depth > MAX_DEPTH) return '';
	const parts = Array.isArray(value) ? value : MESSAGE_FIELDS.map((field) => (Object.hasOwn(value, field) ? value[field] : undefined));
	for (const part of parts) {
		const message = serviceMessage(part, depth + 1);
		if (message !== '') return message;
	}
	return '';
}

/** What else a JSON body tells beside its message, a line each. @returns '' for nothing */
export function serviceDetails(value: unknown): string {
	if (!isContainer(value) || Array.isArray(value)) return '';
	// The API's.
	if ('errors' in value && typeof value.message === 'string') return formatErrors(value.errors);
	const message = serviceMessage(value);
	const rest = Object.entries(value).filter(([name, each]) => !NOT_SHOWN.includes(name) && serviceMessage(each) !== message);
	return formatErrors(Object.fromEntries(rest));
}
