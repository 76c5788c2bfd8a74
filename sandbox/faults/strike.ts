import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';

import { errorBody } from '../apiError';
import { send } from '../reply';
import type { Reply } from '../reply';
import type { StrikingFault } from './draw';
import { FAULTS } from './schema';
import type { RetryAfter } from './schema';

const ON_PURPOSE = 'This error was asked for by a fault of the sandbox';

/** How a fault treats a request. */
export interface Strike {
	/** Whether the request is processed first, so that the books change although the client is not told. */
	processes: boolean;
	/** Answers, or breaks the connection. The reply is that of the processed request, if it was. */
	strike(response: ServerResponse, reply: Reply | undefined): void;
}

/** Resets the connection, so that the client sees ECONNRESET and not a clean end. */
const reset = (response: ServerResponse): void => {
	response.socket?.resetAndDestroy();
};

/** What the fault does, with its defaults filled in. */
export function strikeOf(fault: StrikingFault): Strike {
	switch (fault.fault) {
		case 'resetBefore':
			return { processes: false, strike: reset };
		case 'resetAfter':
			return { processes: true, strike: reset };
		case 'htmlPage':
			return withStatus(fault.status ?? 502, (response, status) => {
				const page = '<!DOCTYPE html>\n<html><head><title>Error</title></head><body><h1>Something went wrong</h1><p>nginx</p></body></html>\n';
				response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Length': String(Buffer.byteLength(page)) }).end(page);
			});
		case 'truncatedJson':
			return {
				processes: fault.status === undefined || fault.status < 400,
				strike: (response, reply) => {
					// an empty reply, such as a 204, has no middle to end in
					const status = fault.status ?? (reply?.body === undefined ? 200 : reply.status);
					const json = Buffer.from(JSON.stringify(reply?.body ?? errorBody(status, 'This text is cut', ON_PURPOSE)));
					sendJson(response, status, json.subarray(0, Math.ceil(json.length / 2)));
				},
			};
		case 'wrongJson':
			return withStatus(fault.status ?? 400, (response, status) => {
				const body = fault.body === undefined ? { ...errorBody(status, 'The types of this body are wrong', ''), errors: 42 } : fault.body;
				sendJson(response, status, Buffer.from(JSON.stringify(body)));
			});
		case 'emptyBody':
			return withStatus(fault.status ?? 500, (response, status) => send(response, { status }));
		case 'hugeBody':
			return withStatus(fault.status ?? 200, (response, status) => sendHuge(response, status, (fault.megabytes ?? 20) * 1e6));
		case 'neverEnds':
			return withStatus(fault.status ?? 200, (response, status) => dribble(response, status, fault.everyMs ?? 250));
		case 'redirect':
			return {
				processes: false,
				strike: (response) => send(response, { status: fault.status ?? 307, headers: { Location: fault.location } }),
			};
		case 'loginWithoutToken':
			return login(() => ({}));
		case 'loginTokenOfWrongType':
			return login(() => ({ access_token: fault.accessToken === undefined ? 12345 : fault.accessToken }));
		default: {
			const status = Number(fault.fault.slice('http'.length));
			const body = errorBody(status, fault.message ?? FAULTS[fault.fault].message, fault.errors ?? ON_PURPOSE);
			return {
				processes: fault.processed === true,
				strike: (response) => send(response, { status, headers: retryAfterOf(fault, status === 429 ? 1 : undefined), body }),
			};
		}
	}
}

/** The header by which a reply says when to try again; none if no number of seconds is known. */
export function retryAfterOf({ retryAfterSeconds, retryAfterAs = 'seconds' }: RetryAfter, defaultSeconds?: number): Record<string, string> {
	const seconds = retryAfterSeconds ?? defaultSeconds;
	if (seconds === undefined || retryAfterAs === 'none') return {};
	return { 'Retry-After': retryAfterAs === 'date' ? new Date(Date.now() + seconds * 1000).toUTCString() : String(seconds) };
}

/** Processes the request only where the status says that it went well. */
function withStatus(status: number, strike: (response: ServerResponse, status: number) => void): Strike {
	return { processes: status < 400, strike: (response) => strike(response, status) };
}

/** Replaces the body of a login that succeeded. */
function login(body: () => unknown): Strike {
	return {
		processes: true,
		strike: (response, reply = { status: 200 }) => send(response, reply.status === 200 ? { ...reply, body: body() } : reply),
	};
}

function sendJson(response: ServerResponse, status: number, json: Buffer): void {
	response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': String(json.length) }).end(json);
}

/** Valid JSON of about `bytes` bytes, made while it is sent. */
function sendHuge(response: ServerResponse, status: number, bytes: number): void {
	const [head, tail] = JSON.stringify(errorBody(status, '|', ON_PURPOSE)).split('|') as [string, string];
	response.writeHead(status, {
		'Content-Type': 'application/json; charset=utf-8',
		'Content-Length': String(head.length + bytes + tail.length),
	});
	const chunk = 'x'.repeat(64 * 1024);
	function* parts() {
		yield head;
		for (let left = bytes; left > 0; left -= chunk.length) yield left >= chunk.length ? chunk : chunk.slice(0, left);
		yield tail;
	}
	const body = Readable.from(parts(), { objectMode: false });
	response.on('close', () => body.destroy());
	body.pipe(response);
}

/** Begins a JSON text and adds a space to it now and then until the client leaves. */
function dribble(response: ServerResponse, status: number, everyMs: number): void {
	response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' });
	response.write('{"status":');
	const timer = setInterval(() => response.write(' '), everyMs);
	response.on('close', () => clearInterval(timer));
}
