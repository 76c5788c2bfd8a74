import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';

import { errorBody } from '../apiError';
import type { Reply } from '../apiError';
import type { InjectedFault } from './draw';
import { FAULTS } from './schema';
import type { RetryAfter } from './schema';

const ON_PURPOSE = 'A sandbox fault caused this error on purpose';
const PROXY_PAGE = '<!DOCTYPE html>\n<html><head><title>Error</title></head><body><h1>Something went wrong</h1><p>nginx</p></body></html>\n';
const JSON_TYPE = 'application/json; charset=utf-8';

/** How a fault treats a request. */
export interface Injection {
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
			return withStatus(fault.status ?? 502, { headers: { 'Content-Type': 'text/html; charset=utf-8' }, raw: PROXY_PAGE });
		case 'truncatedJson':
			return {
				processes: fault.status === undefined || fault.status < 400,
				replace: (reply) => {
					// an empty reply, such as a 204, has no middle to end in
					const status = fault.status ?? (reply?.body === undefined ? 200 : reply.status);
					const json = Buffer.from(JSON.stringify(reply?.body ?? errorBody(status, 'This text is cut', ON_PURPOSE)));
					return { status, headers: { 'Content-Type': JSON_TYPE }, raw: json.subarray(0, Math.ceil(json.length / 2)) };
				},
			};
		case 'wrongJson': {
			const { status = 400, body = { ...errorBody(status, 'The types of this body are wrong', ''), errors: 42 } } = fault;
			return withStatus(status, { body });
		}
		case 'emptyBody':
			return withStatus(fault.status ?? 500, {});
		case 'hugeBody':
			return hugeBody(fault.status ?? 200, (fault.megabytes ?? 20) * 1e6);
		case 'neverEnds': {
			const { status = 200, everyMs = 250 } = fault;
			return { processes: status < 400, replace: () => ({ status, headers: { 'Content-Type': JSON_TYPE }, raw: Readable.from(spaces(everyMs)) }) };
		}
		case 'redirect':
			return { processes: false, replace: () => ({ status: fault.status ?? 307, headers: { Location: fault.location } }) };
		case 'loginWithoutToken':
			return login({});
		case 'loginTokenOfWrongType':
			return login({ access_token: fault.accessToken === undefined ? 12345 : fault.accessToken });
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

/** Processes the request only where the status says that it went well. */
function withStatus(status: number, reply: Omit<Reply, 'status'>): Injection {
	return { processes: status < 400, replace: () => ({ status, ...reply }) };
}

/** Replaces the body of a login that succeeded. */
function login(body: object): Injection {
	return { processes: true, replace: (reply = { status: 200 }) => (reply.status === 200 ? { ...reply, body } : reply) };
}

/** Valid JSON of about `bytes` bytes, made while it is sent. */
function hugeBody(status: number, bytes: number): Injection {
	const [head, tail] = JSON.stringify(status < 400 ? { name: '|' } : errorBody(status, '|', ON_PURPOSE)).split('|') as [string, string];
	const chunk = 'x'.repeat(64 * 1024);
	function* parts() {
		yield head;
		for (let left = bytes; left > 0; left -= chunk.length) yield left >= chunk.length ? chunk : chunk.slice(0, left);
		yield tail;
	}
	const headers = { 'Content-Type': JSON_TYPE, 'Content-Length': String(head.length + bytes + tail.length) };
	return { processes: status < 400, replace: () => ({ status, headers, raw: Readable.from(parts(), { objectMode: false }) }) };
}

/** The begin of a JSON text, and a space now and then until nobody reads any more. */
async function* spaces(everyMs: number) {
	yield '{"status":';
	for (;;) yield await setTimeout(everyMs, ' ', { ref: false });
}
