import { OperationalError } from 'n8n-workflow';
import type { IDataObject, IN8nHttpFullResponse } from 'n8n-workflow';

import { isObjectOrArray } from '../../json';
import { beginningOf } from '../../text';
import { scanJson } from './scanJson';

/** Maximum response body in bytes, decompressed, for operations, which output it. */
export const MAX_RESPONSE_BYTES = 25_000_000;

/** The same where only a few fields are used: for logins, and for gateways that the trigger compares. */
export const MAX_SMALL_RESPONSE_BYTES = 1_000_000;

/** Characters at the beginning of a body that are kept for errors, e.g. a page's title. */
const MAX_TEXT_KEPT = 20_000;

export type ResponseBody =
	| { kind: 'empty' }
	/** `text` is the beginning, here and below. */
	| { kind: 'json'; value: unknown; text: string }
	| { kind: 'html' | 'text'; text: string }
	/** `limit` in words: "25 MB". */
	| { kind: 'tooLarge'; limit: string };

export interface ApiResponse {
	status: number;
	/** Header names in lower case. */
	headers: IDataObject;
	body: ResponseBody;
}

/**
 * Request options for `readResponse`: a response of any status, without redirects, as a stream, which allows limiting its size and
 * recognizing truncated JSON.
 */
export const RESPONSE_OPTIONS = {
	encoding: 'stream',
	returnFullResponse: true,
	ignoreHttpStatusErrors: true,
	disableFollowRedirect: true,
} as const;

/** A body requested with `RESPONSE_OPTIONS`: a Node Readable. */
type BodyStream = NodeJS.ReadableStream & { destroy: () => void; destroyed: boolean };

/**
 * Reads a response from n8n's helper, with at most `maxBytes` bytes of its body.
 * @throws the connection's error if it breaks before the end
 */
export async function readResponse(
	response: IN8nHttpFullResponse,
	maxBytes: number,
	signal: AbortSignal,
): Promise<ApiResponse> {
	const bytes = await readBytes(response.body as unknown as BodyStream, maxBytes, signal);
	return {
		status: response.statusCode,
		headers: response.headers,
		body:
			bytes === undefined
				? { kind: 'tooLarge', limit: `${maxBytes / 1_000_000} MB` }
				: parseBody(decodeText(bytes, response.headers['content-type'])),
	};
}

/** With Node's code for it, by which `connectionErrors` knows it. */
const brokenConnection = () =>
	Object.assign(new OperationalError('the connection broke during the response'), { code: 'ECONNRESET' });

/** @returns undefined for a body of more than `maxBytes` bytes */
async function readBytes(stream: BodyStream, maxBytes: number, signal: AbortSignal): Promise<Uint8Array | undefined> {
	const close = () => stream.destroy();
	signal.addEventListener('abort', close);
	if (signal.aborted) close();
	try {
		// The connection may have broken since the headers arrived, without an event.
		if (stream.destroyed) throw brokenConnection();
		// By events: iterating over a stream takes a tenth of n8n's time for a request.
		return await new Promise((resolve, reject) => {
			// One growing buffer: a million small chunks would each keep their own memory.
			let bytes = new Uint8Array();
			let length = 0;
			stream.on('data', (chunk: Uint8Array) => {
				const end = length + chunk.length;
				if (end > maxBytes) {
					resolve(undefined);
					return close();
				}
				if (end > bytes.length) {
					const grown = new Uint8Array(Math.min(maxBytes, Math.max(end, 2 * length)));
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
			// Only if needed: n8n's errors are costly to create.
			stream.on('close', () => hasEnded || reject(brokenConnection()));
		});
	} finally {
		signal.removeEventListener('abort', close);
	}
}

/** Decodes by the content type's charset; by default, or for an unknown one, UTF-8. */
function decodeText(bytes: Uint8Array, contentType: unknown): string {
	const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(
		typeof contentType === 'string' ? contentType.slice(0, 200) : '',
	)?.[1];
	try {
		return new TextDecoder(charset).decode(bytes);
	} catch {
		return new TextDecoder().decode(bytes);
	}
}

/** Parses a body's text, whatever its content type. */
export function parseBody(given: string): ResponseBody {
	const text = given.trim();
	if (text === '') return { kind: 'empty' };
	const beginning = beginningOf(text, MAX_TEXT_KEPT);
	const { exceededLimit, json } = scanJson(text);
	if (exceededLimit !== undefined && looksLikeJson(text)) return { kind: 'tooLarge', limit: exceededLimit };
	try {
		return { kind: 'json', value: JSON.parse(json), text: beginning };
	} catch {
		// XHTML begins as other XML does.
		const isPage = /^(?:<\?xml[^<>]*>\s*)?<(?:!doctype html|html|head|body)/i.test(beginning);
		return { kind: isPage ? 'html' : 'text', text: beginning };
	}
}

/** Whether a text is meant as a JSON object or list, maybe cut off; a log's "[error]" is not. */
export function looksLikeJson(text: string): boolean {
	return /^(?:\{\s*(?:["}]|$)|\[\s*(?:["{[\]]|-?\d[\d.eE+-]*\s*(?:[,\]]|$)|true|false|null|$))/.test(text);
}

type ApiErrorBody = ResponseBody & { value: { status: unknown; message: unknown; errors: unknown } };

/** Whether a body is the API's own error body, and not that of a proxy or another server. */
export function isApiErrorBody(body: ResponseBody): body is ApiErrorBody {
	const value = body.kind === 'json' ? body.value : undefined;
	return isObjectOrArray(value) && ['status', 'message', 'errors'].every((field) => Object.hasOwn(value, field));
}

/** 2xx. */
export function isSuccess(status: number): boolean {
	return status >= 200 && status <= 299;
}

/** 3xx. */
export function isRedirect(status: number): boolean {
	return status >= 300 && status <= 399;
}
