import { ApiError, invalidField } from './apiError';

/** Larger bodies are rejected. */
export const MAX_BODY_BYTES = 1024 * 1024;

/**
 * The body as a value: an object for a form, an object, a list or null for JSON, undefined if it is empty.
 * @param accepted the content types that the operation takes; none if it takes no body, which is then not looked at
 * @throws {ApiError} 413 for a larger body, 415 for another content type, 400 for JSON that is malformed, or no object or list
 */
export function parseBody(body: Buffer, contentType: string | undefined, accepted: string[]): unknown {
	if (body.length === 0 || accepted.length === 0) return undefined;
	if (body.length > MAX_BODY_BYTES) throw new ApiError(413, 'The request body is too large', `At most ${MAX_BODY_BYTES} bytes are accepted`);
	const sent = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
	if (!accepted.includes(sent)) {
		throw new ApiError(415, 'The content type of the request is not accepted', `Sent: ${sent === '' ? 'none' : sent}. Accepted: ${accepted.join(', ')}`);
	}
	const text = body.toString('utf8');
	return sent === 'application/x-www-form-urlencoded' ? Object.fromEntries(new URLSearchParams(text)) : parseJson(text);
}

/** @throws {ApiError} 400 if it is malformed, or no object or list */
export function parseJson(text: string): unknown {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch (error) {
		throw invalidField('body', `is not JSON: ${(error as Error).message}`);
	}
	if (typeof value !== 'object') throw invalidField('body', `must be object, not ${typeof value}`);
	return value;
}
