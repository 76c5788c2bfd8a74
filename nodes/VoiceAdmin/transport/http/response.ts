import { OperationalError } from 'n8n-workflow';
import type { IDataObject, IN8nHttpFullResponse } from 'n8n-workflow';

/** Maximum size of a response's body in bytes, decompressed: of an operation's, which is given to the workflow. */
export const MAX_RESPONSE_BYTES = 25_000_000;

/** The same for a response of which only a few fields are used: a login's, and a gateway's that the trigger compares. */
export const MAX_SMALL_RESPONSE_BYTES = 1_000_000;

/** Maximum number of values in a JSON body, at whatever depth: so many take up to 0.5 s to parse, in which n8n does nothing else. */
const MAX_VALUES = 250_000;

/** Maximum depth of JSON: n8n copies and stores items by recursion, and fails on what is nested without end. */
export const MAX_JSON_DEPTH = 200;

/**
 * Only an integer of so many digits may be beyond 2^53 − 1. Without the boundary, 25 MB of integers with a digit less would be
 * read eight times over.
 */
const LONG_INTEGER = /\b[0-9]{16}/;

/** So many characters of an HTML page are kept, at its beginning: its title stands there. */
const PAGE_WITHIN = 20_000;

/** The body of a response, by what can be done with it. */
export type ResponseBody =
	| { kind: 'empty' }
	| { kind: 'json'; value: unknown }
	/** The beginning of a page. */
	| { kind: 'html'; text: string }
	| { kind: 'text'; text: string }
	/** Larger than what is read; `limit` in words: "25 MB". */
	| { kind: 'tooLarge'; limit: string };

/** A response of the service, whatever its status. */
export interface ApiResponse {
	/** HTTP status code. */
	status: number;
	/** Header names in lower case. */
	headers: IDataObject;
	body: ResponseBody;
}

/** What is used of a body as n8n's request helper gives it with `encoding: 'stream'`: a Readable of Node. */
interface BodyStream {
	on(event: 'data', listener: (chunk: Uint8Array) => void): void;
	on(event: 'end' | 'close', listener: () => void): void;
	on(event: 'error', listener: (error: Error) => void): void;
	destroy(): void;
	destroyed: boolean;
}

/**
 * Reads the response that n8n's request helper has begun to receive, with `encoding: 'stream'`: no more than `limit` bytes
 * of its body. @throws the connection's error when it breaks before the body has ended
 */
export async function readResponse(response: IN8nHttpFullResponse, limit: number, signal: AbortSignal): Promise<ApiResponse> {
	const bytes = await readBytes(response.body as unknown as BodyStream, limit, signal);
	return {
		status: response.statusCode,
		headers: response.headers,
		body: bytes === undefined ? { kind: 'tooLarge', limit: `${limit / 1_000_000} MB` } : bodyOf(decode(bytes, response.headers['content-type'])),
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
			stream.on('data', (chunk) => {
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
function decode(bytes: Uint8Array, contentType: unknown): string {
	const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(typeof contentType === 'string' ? contentType.slice(0, 200) : '')?.[1];
	try {
		return new TextDecoder(charset).decode(bytes);
	} catch {
		return new TextDecoder().decode(bytes);
	}
}

/** What a body's text is, whatever its content type says. */
export function bodyOf(given: string): ResponseBody {
	const text = given.trim();
	if (text === '') return { kind: 'empty' };
	if (hasMoreValuesThan(MAX_VALUES, text)) return { kind: 'tooLarge', limit: `${MAX_VALUES.toLocaleString('en-US')} JSON values` };
	try {
		return { kind: 'json', value: JSON.parse(withUnsafeIntegersAsText(text)) };
	} catch {
		// XHTML begins as other XML does.
		const isPage = /^(?:<\?xml[^<>]*>\s*)?<(?:!doctype html|html|head|body)/i.test(text.slice(0, 500));
		return isPage ? { kind: 'html', text: text.slice(0, PAGE_WITHIN) } : { kind: 'text', text };
	}
}

export function looksLikeJson(text: string): boolean {
	return text.startsWith('{') || text.startsWith('[');
}

/** A JSON text in which integers beyond ±(2^53 − 1) are strings: as numbers, JavaScript would round them. */
function withUnsafeIntegersAsText(json: string): string {
	if (!LONG_INTEGER.test(json)) return json;
	let result = '';
	let copied = 0;
	for (let at = 0; at < json.length; at++) {
		if (json[at] === '"') at = stringEnd(json, at);
		else if (json[at] === '-' || isDigit(json, at)) {
			let end = at + 1;
			while (isDigit(json, end)) end++;
			const isReal = '.eE'.includes(json[end] || ' ');
			if (isReal) while (isDigit(json, end) || '.eE+-'.includes(json[end] || ' ')) end++;
			else if (Math.abs(Number(json.slice(at, end))) > Number.MAX_SAFE_INTEGER) {
				result += `${json.slice(copied, at)}"${json.slice(at, end)}"`;
				copied = end;
			}
			at = end - 1;
		}
	}
	return result + json.slice(copied);
}

function isDigit(text: string, at: number): boolean {
	const code = text.charCodeAt(at);
	return code >= 48 && code <= 57;
}

/** Whether a JSON text has more values than `max`, by the separators outside of strings. */
function hasMoreValuesThan(max: number, json: string): boolean {
	if (json.length <= max || !looksLikeJson(json)) return false;
	let separators = 0;
	for (let at = 0; at < json.length && separators < max; at++) {
		const character = json[at];
		if (character === '"') at = stringEnd(json, at);
		else if (character === ',' || character === '[' || character === '{') separators++;
	}
	return separators >= max;
}

/** Where the string ends that begins at `start`, or the text, if it is cut off. */
function stringEnd(json: string, start: number): number {
	for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
		let escapes = 0;
		while (json[end - 1 - escapes] === '\\') escapes++;
		if (escapes % 2 === 0) return end;
	}
	return json.length;
}
