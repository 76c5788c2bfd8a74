import { STATUS_CODES } from 'node:http';

import { ApiError, errorBody, type Reply, textOf } from '../apiError';
import type { InjectedFault } from './draw';
import { FAULTS } from './plan';

const ON_PURPOSE = 'A sandbox fault caused this error on purpose';
const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' };

const PROCESSED = ['refused', 'http408', 'resetAfter', 'pageAfter', 'truncatedJson', 'hugeBody'];

/** Whether the request is processed first, so that the store changes although the client is not told. */
export const isProcessed = (fault: InjectedFault): boolean =>
	('processed' in fault ? fault.processed : undefined) ?? PROCESSED.includes(fault.fault);

/** What is sent in place of the reply of the processed request; "reset" breaks the connection. */
export function injectedReply(fault: InjectedFault, processed: Reply = { status: 200 }) {
	switch (fault.fault) {
		case 'resetBefore':
		case 'resetAfter':
			return 'reset';
		case 'refused':
			return processed;
		case 'unavailable':
		case 'htmlPage':
			return page(502);
		case 'nginxLimit':
			return page(fault.status ?? 503);
		case 'pageAfter':
			return page(503, { 'Retry-After': String(fault.retryAfterSeconds ?? 5) });
		case 'truncatedJson':
			return truncated(processed);
		case 'hugeBody':
			return { status: 200, headers: JSON_TYPE, body: `{"name":"${'x'.repeat((fault.megabytes ?? 20) * 1e6)}"}` };
		case 'rateLimit':
			return new ApiError(429, FAULTS.http429.message, `At most ${fault.perSecond} requests a second are accepted`, retryAfterOf(fault)).reply;
		default: {
			const { message, errors } = fault;
			const status = Number(fault.fault.slice('http'.length));
			return new ApiError(status, message ?? FAULTS[fault.fault].message, errors ?? ON_PURPOSE, retryAfterOf(fault)).reply;
		}
	}
}

/** The header by which a reply says when to try again; none if no number of seconds is known. */
function retryAfterOf({ fault, retryAfterSeconds, retryAfterAs }: Extract<InjectedFault, { retryAfterAs?: unknown }>): Record<string, string> {
	const seconds = retryAfterSeconds ?? (fault === 'http429' ? 1 : undefined);
	if (seconds === undefined || retryAfterAs === 'none') return {};
	return { 'Retry-After': retryAfterAs === 'date' ? new Date(Date.now() + seconds * 1000).toUTCString() : String(seconds) };
}

/** A page as proxies have for a status. */
function page(status: number, headers: Record<string, string> = {}): Reply {
	const title = `${status} ${STATUS_CODES[status]}`;
	const body = `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`;
	return { status, headers: { 'Content-Type': 'text/html; charset=utf-8', ...headers }, body };
}

/** JSON cut in its middle, in a reply that is otherwise complete. An empty reply, such as a 204, has no middle to end in. */
function truncated(reply: Reply): Reply {
	const { status, body } = reply.body ? reply : { status: 200, body: errorBody(200, 'This text is cut', ON_PURPOSE) };
	const text = textOf({ status, body });
	return { status, headers: { ...JSON_TYPE, ...reply.headers }, body: text.slice(0, Math.ceil(text.length / 2)) };
}
