import type { IDataObject, IN8nHttpFullResponse } from 'n8n-workflow';

/** The body of a reply, told apart by what a reader can do with it. */
export type ReplyBody =
	| { kind: 'empty' }
	| { kind: 'json'; value: unknown }
	| { kind: 'html'; title: string }
	| { kind: 'text'; text: string };

/** A reply of the service, whatever its status. */
export interface Reply {
	/** HTTP status code. */
	status: number;
	/** Header names in lower case. */
	headers: IDataObject;
	body: ReplyBody;
}

/** Makes a `Reply` of what n8n's request helper returns for a full response with `encoding: 'text'`. */
export function asReply(response: IN8nHttpFullResponse): Reply {
	return {
		status: response.statusCode,
		headers: response.headers,
		body: readBody(response.body),
	};
}

function readBody(raw: unknown): ReplyBody {
	if (raw === undefined || raw === null) return { kind: 'empty' };
	if (typeof raw !== 'string') return { kind: 'json', value: raw };
	const text = raw.trim();
	if (text === '') return { kind: 'empty' };
	try {
		return { kind: 'json', value: JSON.parse(text) };
	} catch {
		if (/^<(!doctype|html|head|body|\?xml)/i.test(text)) {
			const title = /<title[^>]*>([^<]*)/i.exec(text)?.[1] ?? '';
			return { kind: 'html', title: title.replace(/\s+/g, ' ').trim() };
		}
		return { kind: 'text', text };
	}
}
