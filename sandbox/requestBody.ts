import type { IncomingMessage } from 'node:http';

import { ApiError, invalidRequest } from './apiError';

/** Larger bodies are refused. */
export const MOST_BODY_BYTES = 1024 * 1024;

/** Levels of lists and objects in JSON; what is nested deeper is refused, as JSON.stringify and others recurse. */
export const MOST_LEVELS = 64;

/**
 * Reads the whole body.
 * @throws {ApiError} 413 if it is larger than MOST_BODY_BYTES
 */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of request as AsyncIterable<Buffer>) {
		size += chunk.length;
		if (size <= MOST_BODY_BYTES) chunks.push(chunk);
	}
	if (size > MOST_BODY_BYTES) {
		throw new ApiError(413, 'The request body is too large', `At most ${MOST_BODY_BYTES} bytes are accepted`);
	}
	return Buffer.concat(chunks);
}

/**
 * The body as a value: an object for a form, an object, a list or null for JSON, undefined if it is empty.
 * @param accepted the content types that the operation takes; none if it takes no body, which is then not looked at
 * @throws {ApiError} 415 for another content type, 400 for JSON that is malformed, nested too deep, or a bare text,
 * number or boolean
 */
export function parseBody(body: Buffer, contentType: string | undefined, accepted: string[]): unknown {
	if (body.length === 0 || accepted.length === 0) return undefined;
	const sent = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
	if (!accepted.includes(sent)) {
		throw new ApiError(
			415,
			'The content type of the request is not accepted',
			`Sent: ${sent === '' ? 'none' : sent}. Accepted: ${accepted.join(', ')}`,
		);
	}
	const text = body.toString('utf8');
	if (sent === 'application/x-www-form-urlencoded') return Object.fromEntries(new URLSearchParams(text));
	const value = parseJson(text);
	if (typeof value !== 'object') throw invalidRequest([{ field: 'body', message: `must be object, not ${typeof value}` }]);
	if (isDeeperThan(MOST_LEVELS, value)) throw invalidRequest([{ field: 'body', message: `is nested too deep; accepted are ${MOST_LEVELS} levels of lists and objects` }]);
	return value;
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch (error) {
		throw invalidRequest([{ field: 'body', message: `is not JSON: ${(error as Error).message}` }]);
	}
}

/** Takes one level after the other: recursion would end where the nesting is too deep for it, too. */
function isDeeperThan(most: number, value: unknown): boolean {
	let level = [value].filter(isNested);
	for (let depth = 1; level.length > 0; depth += 1) {
		if (depth > most) return true;
		level = level.flatMap((nested) => Object.values(nested).filter(isNested));
	}
	return false;
}

function isNested(value: unknown): value is object {
	return typeof value === 'object' && value !== null;
}
