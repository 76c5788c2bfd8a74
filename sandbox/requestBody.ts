import type { Readable } from 'node:stream';

import { ApiError, invalidField } from './apiError';

/** Larger bodies are rejected. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** Levels of lists and objects in JSON; what is nested deeper is not valid, as JSON.stringify and others recurse. */
export const MAX_LEVELS = 64;

/**
 * Reads the whole body, also one that is too large, as a client that still sends would not read the reply.
 * @throws {ApiError} 413 if it is larger than MAX_BODY_BYTES
 */
export async function readBody(request: Readable): Promise<Buffer> {
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of request as AsyncIterable<Buffer>) {
		size += chunk.length;
		if (size <= MAX_BODY_BYTES) chunks.push(chunk);
	}
	if (size > MAX_BODY_BYTES) throw new ApiError(413, 'The request body is too large', `At most ${MAX_BODY_BYTES} bytes are accepted`);
	return Buffer.concat(chunks);
}

/**
 * The body as a value: an object for a form, an object, a list or null for JSON, undefined if it is empty.
 * @param accepted the content types that the operation takes; none if it takes no body, which is then not looked at
 * @throws {ApiError} 415 for another content type; 400 for JSON that is malformed, nested too deep, or no object or list
 */
export function parseBody(body: Buffer, contentType: string | undefined, accepted: string[]): unknown {
	if (body.length === 0 || accepted.length === 0) return undefined;
	const sent = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
	if (!accepted.includes(sent)) {
		throw new ApiError(415, 'The content type of the request is not accepted', `Sent: ${sent === '' ? 'none' : sent}. Accepted: ${accepted.join(', ')}`);
	}
	const text = body.toString('utf8');
	return sent === 'application/x-www-form-urlencoded' ? Object.fromEntries(new URLSearchParams(text)) : parseJson(text);
}

/** @throws {ApiError} 400 if it is malformed, nested too deep, or no object or list */
export function parseJson(text: string): unknown {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch (error) {
		throw invalidField('body', `is not JSON: ${(error as Error).message}`);
	}
	if (typeof value !== 'object') throw invalidField('body', `must be object, not ${typeof value}`);
	// One level after the other: recursion would end where the nesting is too deep for it, too.
	let level = [value].filter(isNested);
	for (let depth = 1; level.length > 0; depth += 1) {
		if (depth > MAX_LEVELS) throw invalidField('body', `is nested too deeply; expected at most ${MAX_LEVELS} levels of lists and objects`);
		level = level.flatMap((nested) => Object.values(nested).filter(isNested));
	}
	return value;
}

function isNested(value: unknown): value is object {
	return typeof value === 'object' && value !== null;
}
