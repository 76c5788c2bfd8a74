import { errorBody, type Reply } from '../apiError';
import type { InjectedFault } from './draw';
import { type FaultRule, FAULTS, type HttpFaultName } from './plan';

const ON_PURPOSE = 'A sandbox fault caused this error on purpose';
const PROXY_PAGE = `<!DOCTYPE html>
<html><head><title>Error</title></head><body><h1>Something went wrong</h1><p>nginx</p></body></html>
`;
const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' };

type HttpFault = Extract<FaultRule, { fault: HttpFaultName }>;

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
		case 'resetAfter':
			return { processes: fault.fault === 'resetAfter', replace: () => 'reset' };
		case 'htmlPage':
			return { processes: false, replace: () => ({ status: 502, headers: { 'Content-Type': 'text/html; charset=utf-8' }, body: PROXY_PAGE }) };
		case 'truncatedJson':
			return { processes: true, replace: truncated };
		case 'hugeBody': {
			const body = `{"name":"${'x'.repeat((fault.megabytes ?? 20) * 1e6)}"}`;
			return { processes: true, replace: () => ({ status: 200, headers: JSON_TYPE, body }) };
		}
		default: {
			const status = Number(fault.fault.slice('http'.length));
			const body = errorBody(status, fault.message ?? FAULTS[fault.fault].message, fault.errors ?? ON_PURPOSE);
			return { processes: fault.processed === true, replace: () => ({ status, headers: retryAfterOf(fault), body }) };
		}
	}
}

/** The header by which a reply says when to try again; none if no number of seconds is known. */
function retryAfterOf({ fault, retryAfterSeconds, retryAfterAs }: HttpFault): Record<string, string> {
	const seconds = retryAfterSeconds ?? (fault === 'http429' ? 1 : undefined);
	if (seconds === undefined || retryAfterAs === 'none') return {};
	return { 'Retry-After': retryAfterAs === 'date' ? new Date(Date.now() + seconds * 1000).toUTCString() : String(seconds) };
}

/** JSON cut in its middle, in a reply that is otherwise complete. An empty reply, such as a 204, has no middle to end in. */
function truncated(reply?: Reply): Reply {
	const status = reply?.body === undefined ? 200 : reply.status;
	const json = JSON.stringify(reply?.body ?? errorBody(status, 'This text is cut', ON_PURPOSE));
	return { status, headers: JSON_TYPE, body: json.slice(0, Math.ceil(json.length / 2)) };
}
