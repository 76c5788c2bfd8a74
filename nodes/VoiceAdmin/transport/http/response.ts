import { OperationalError } from 'n8n-workflow';
import type { IDataObject, IN8nHttpFullResponse } from 'n8n-workflow';

/** Most bytes of a reply's body that are read, decompressed: an operation's reply, which is given to the workflow. */
export const MAX_REPLY_BYTES = 25_000_000;

/** The same for a reply of which only a few fields are of use: a login's, and a gateway's that a trigger compares. */
export const MAX_SMALL_REPLY_BYTES = 1_000_000;

/** Most values of a JSON body, at whatever depth: a million take a tenth of a second to read, in which n8n does nothing else. */
const MAX_VALUES = 1_000_000;

/** Characters at the beginning of an HTML page in which its title is looked for. */
const TITLE_WITHIN = 20_000;

/** The body of a reply, told apart by what a reader can do with it. */
export type ReplyBody =
	| { kind: 'empty' }
	| { kind: 'json'; value: unknown }
	| { kind: 'html'; title: string }
	| { kind: 'text'; text: string }
	/** More than is read: what it has more of than so many. */
	| { kind: 'tooLarge'; limit: string };

/** A reply of the service, whatever its status. */
export interface Reply {
	/** HTTP status code. */
	status: number;
	/** Header names in lower case. */
	headers: IDataObject;
	body: ReplyBody;
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
 * Reads the reply that n8n's request helper has begun to receive: a full response with `encoding: 'stream'`.
 *
 * @param limit bytes; of a longer body no more is read, and its connection is closed
 * @param signal ends the reading early
 * @throws the connection's error when it breaks before the body has ended
 */
export async function readReply(response: IN8nHttpFullResponse, limit: number, signal: AbortSignal): Promise<Reply> {
	const text = await readText(response.body as unknown as BodyStream, limit, signal);
	return {
		status: response.statusCode,
		headers: response.headers,
		body: text === undefined ? { kind: 'tooLarge', limit: `${limit / 1_000_000} MB` } : bodyOf(text),
	};
}

/** @returns undefined for a body of more than `limit` bytes */
async function readText(stream: BodyStream, limit: number, signal: AbortSignal): Promise<string | undefined> {
	const close = () => stream.destroy();
	signal.addEventListener('abort', close);
	if (signal.aborted) close();
	try {
		// The connection may have broken since the headers arrived; no event would tell of it any more.
		if (stream.destroyed) throw new OperationalError('aborted');
		// By events, as iterating over a stream takes a tenth of the time that n8n has for a request.
		return await new Promise((resolve, reject) => {
			const chunks: Uint8Array[] = [];
			let bytes = 0;
			stream.on('data', (chunk) => {
				bytes += chunk.length;
				if (bytes <= limit) return void chunks.push(chunk);
				resolve(undefined);
				close();
			});
			stream.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
			stream.on('error', reject);
			stream.on('close', () => reject(new OperationalError('aborted')));
		});
	} finally {
		signal.removeEventListener('abort', close);
	}
}

/** Tells what a body's text is, whatever its content type says. */
export function bodyOf(given: string): ReplyBody {
	const text = given.trim();
	if (text === '') return { kind: 'empty' };
	if (hasMoreValuesThan(MAX_VALUES, text)) return { kind: 'tooLarge', limit: `${MAX_VALUES.toLocaleString('en-US')} JSON values` };
	try {
		return { kind: 'json', value: JSON.parse(text) };
	} catch {
		const beginning = text.slice(0, TITLE_WITHIN);
		if (/^<(?:!doctype|html|head|body|\?xml)/i.test(beginning)) return { kind: 'html', title: titleOf(beginning) };
		return { kind: 'text', text };
	}
}

export function beginsLikeJson(text: string): boolean {
	return text.startsWith('{') || text.startsWith('[');
}

/** An attribute of `<title>` with a "<" in it is not read: so no character is looked at twice. */
function titleOf(html: string): string {
	const title = /<title[^<>]*>([^<]*)/i.exec(html)?.[1] ?? '';
	return title.replace(/\s+/g, ' ').trim();
}

/** Whether a JSON text has more values than `max`, by what separates them outside of strings. */
function hasMoreValuesThan(max: number, json: string): boolean {
	if (json.length <= max || !beginsLikeJson(json)) return false;
	let separators = 0;
	for (let at = 0; at < json.length && separators < max; at++) {
		const character = json[at];
		if (character === '"') at = endOfString(json, at);
		else if (character === ',' || character === '[' || character === '{') separators++;
	}
	return separators >= max;
}

/** Where the string ends that begins at `start`, or the text, if it is cut off. */
function endOfString(json: string, start: number): number {
	for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
		let escapes = 0;
		while (json[end - 1 - escapes] === '\\') escapes++;
		if (escapes % 2 === 0) return end;
	}
	return json.length;
}
