import { OperationalError } from 'n8n-workflow';
import type { IDataObject, IN8nHttpFullResponse } from 'n8n-workflow';

import { isObjectOrArray } from '../../json';
import { scanJson } from './scanJson';

/** Maximum size of a response's body in bytes, decompressed: of an operation's, which is given to the workflow. */
export const MAX_RESPONSE_BYTES = 25_000_000;

/** The same for a response of which only a few fields are used: a login's, and a gateway's that the trigger compares. */
export const MAX_SMALL_RESPONSE_BYTES = 1_000_000;

/** So many characters at the beginning of a body are kept for errors: the title of a page stands there. */
const MAX_TEXT_KEPT = 20_000;

/** The body of a response, by what can be done with it. */
export type ResponseBody =
	| { kind: 'empty' }
	/** `text` is its beginning, here and in a page. */
	| { kind: 'json'; value: unknown; text: string }
	| { kind: 'html'; text: string }
	| { kind: 'text'; text: string }
	/** More than what is read; `limit` in words: "25 MB". */
	| { kind: 'tooLarge'; limit: string };

/** A response of the service, whatever its status. */
export interface ApiResponse {
	/** HTTP status code. */
	status: number;
	/** Header names in lower case. */
	headers: IDataObject;
	body: ResponseBody;
}

/**
 * How a request asks n8n's helper for what `readResponse` reads: a response of any status, never redirected, as a stream; so no
 * more is read of its body than there may be, and JSON that is cut off is told from text.
 */
export const RESPONSE_OPTIONS = { encoding: 'stream', returnFullResponse: true, ignoreHttpStatusErrors: true, disableFollowRedirect: true } as const;

/** A body as `RESPONSE_OPTIONS` ask for it: a Readable of Node. */
type BodyStream = NodeJS.ReadableStream & { destroy: () => void; destroyed: boolean };

/**
 * Reads the response that n8n's request helper has begun to receive: no more than `limit` bytes of its body.
 * @throws the connection's error when it breaks before the body has ended
 */
export async function readResponse(response: IN8nHttpFullResponse, limit: number, signal: AbortSignal): Promise<ApiResponse> {
	const bytes = await readBytes(response.body as unknown as BodyStream, limit, signal);
	return {
		status: response.statusCode,
		headers: response.headers,
		body: bytes === undefined ? { kind: 'tooLarge', limit: `${limit / 1_000_000} MB` } : parseBody(decodeText(bytes, response.headers['content-type'])),
	};
}

/** @returns undefined for a body of more than `limit` bytes */
async function readBytes(stream: BodyStream, limit: number, signal: AbortSignal): Promise<Uint8Array | undefined> {
	const close = () => stream.destroy();
	signal.addEventListener('abort', close);
	if (signal.aborted) close();
	try {
		// The connection may have broken since the headers arrived, and no event would say so.
		if (stream.destroyed) throw new OperationalError('aborted');
		// By events, as iterating over a stream takes a tenth of the time that n8n has for a request.
		return await new Promise((resolve, reject) => {
			// One that grows, as each of a million small chunks would keep its own memory.
			let bytes = new Uint8Array();
			let length = 0;
			stream.on('data', (chunk: Uint8Array) => {
				const end = length + chunk.length;
				if (end > limit) {
					resolve(undefined);
					return close();
				}
				if (end > bytes.length) {
					const grown = new Uint8Array(Math.min(limit, Math.max(end, 2 * length)));
					grown.set(bytes.subarray(0, length));
					bytes = grown;
				}
				bytes.set(chunk, length);
				length = end;
			});
			let hasEnded = false;
			stream.on('end', () => {
				hasEnded = true;
				resolve(bytes.subarray(0, length));
			});
			stream.on('error', reject);
			// n8n's errors are costly to make.
			stream.on('close', () => hasEnded || reject(new OperationalError('aborted')));
		});
	} finally {
		signal.removeEventListener('abort', close);
	}
}

/** The text of a body by the charset of its content type; UTF-8 where it names none, or one that is not known. */
function decodeText(bytes: Uint8Array, contentType: unknown): string {
	const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(typeof contentType === 'string' ? contentType.slice(0, 200) : '')?.[1];
	try {
		return new TextDecoder(charset).decode(bytes);
	} catch {
		return new TextDecoder().decode(bytes);
	}
}

/** What a body's text is, whatever its content type says. */
export function parseBody(given: string): ResponseBody {
	const text = given.trim();
	if (text === '') return { kind: 'empty' };
	const { exceededLimit, json } = scanJson(text);
	if (exceededLimit !== undefined && looksLikeJson(text)) return { kind: 'tooLarge', limit: exceededLimit };
	try {
		return { kind: 'json', value: JSON.parse(json), text: text.slice(0, MAX_TEXT_KEPT) };
	} catch {
		// XHTML begins as other XML does.
		const isPage = /^(?:<\?xml[^<>]*>\s*)?<(?:!doctype html|html|head|body)/i.test(text.slice(0, 500));
		return isPage ? { kind: 'html', text: text.slice(0, MAX_TEXT_KEPT) } : { kind: 'text', text };
	}
}

export function looksLikeJson(text: string): boolean {
	return text.startsWith('{') || text.startsWith('[');
}

/** The API's own error body. */
type ApiErrorBody = ResponseBody & { value: { status: unknown; message: unknown; errors: unknown } };

/** Whether a body is the API's own error body, and not that of a proxy or of another server in its place. */
export function isApiErrorBody(body: ResponseBody): body is ApiErrorBody {
	const value = body.kind === 'json' ? body.value : undefined;
	return isObjectOrArray(value) && ['status', 'message', 'errors'].every((field) => Object.hasOwn(value, field));
}
