import { Readable } from 'node:stream';

import { errorBody } from '../apiError';
import type { Reply } from '../apiError';
import type { InjectedFault } from './draw';
import { FAULTS } from './schema';
import type { RetryAfter } from './schema';

const ON_PURPOSE = 'A sandbox fault caused this error on purpose';
const PROXY_PAGE = '<!DOCTYPE html>\n<html><head><title>Error</title></head><body><h1>Something went wrong</h1><p>nginx</p></body></html>\n';
const JSON_TYPE = 'application/json; charset=utf-8';

/** How a fault treats a request. */
interface Injection {
	/** Whether the request is processed first, so that the store changes although the client is not told. */
	processes: boolean;
	/** What is sent in place of the reply of the processed request, if it was; "reset" breaks the connection. */
	replace: (reply?: Reply) => Reply | 'reset';
}

/** What the fault does, with its defaults filled in. */
export function injectionOf(fault: InjectedFault): Injection {
	switch (fault.fault) {
		case 'resetBefore':
			return { processes: false, replace: () => 'reset' };
		case 'resetAfter':
			return { processes: true, replace: () => 'reset' };
		case 'htmlPage':
			return { processes: false, replace: () => ({ status: 502, headers: { 'Content-Type': 'text/html; charset=utf-8' }, raw: PROXY_PAGE }) };
		case 'truncatedJson':
			return { processes: true, replace: truncated };
		case 'hugeBody':
			return { processes: true, replace: () => hugeBody((fault.megabytes ?? 20) * 1e6) };
		default: {
			const status = Number(fault.fault.slice('http'.length));
			const body = errorBody(status, fault.message ?? FAULTS[fault.fault].message, fault.errors ?? ON_PURPOSE);
			return { processes: fault.processed === true, replace: () => ({ status, headers: retryAfterOf(fault, status === 429 ? 1 : undefined), body }) };
		}
	}
}

/** The header by which a reply says when to try again; none if no number of seconds is known. */
function retryAfterOf({ retryAfterSeconds, retryAfterAs = 'seconds' }: RetryAfter, defaultSeconds?: number): Record<string, string> {
	const seconds = retryAfterSeconds ?? defaultSeconds;
	if (seconds === undefined || retryAfterAs === 'none') return {};
	return { 'Retry-After': retryAfterAs === 'date' ? new Date(Date.now() + seconds * 1000).toUTCString() : String(seconds) };
}

/** JSON cut in its middle, in a reply that is otherwise complete. An empty reply, such as a 204, has no middle to end in. */
function truncated(reply?: Reply): Reply {
	const status = reply?.body === undefined ? 200 : reply.status;
	const json = Buffer.from(JSON.stringify(reply?.body ?? errorBody(status, 'This text is cut', ON_PURPOSE)));
	return { status, headers: { 'Content-Type': JSON_TYPE }, raw: json.subarray(0, Math.ceil(json.length / 2)) };
}

/** Valid JSON of about `bytes` bytes, made while it is sent. */
function hugeBody(bytes: number): Reply {
	const [head, tail] = ['{"name":"', '"}'];
	const chunk = 'x'.repeat(64 * 1024);
	function* parts() {
		yield head;
		for (let left = bytes; left > 0; left -= chunk.length) yield left >= chunk.length ? chunk : chunk.slice(0, left);
		yield tail;
	}
	const headers = { 'Content-Type': JSON_TYPE, 'Content-Length': String(head.length + bytes + tail.length) };
	return { status: 200, headers, raw: Readable.from(parts(), { objectMode: false }) };
}
