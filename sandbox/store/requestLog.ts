/** A logged request to the API, without secrets: headers and query are not kept. */
export interface LoggedRequest {
	/** Ascending in the order in which requests end; not restarted by a reset. */
	id: number;
	time: string;
	method: string;
	/** As it was sent, but with `?…` for a query. */
	path: string;
	/** The status sent; "reset" if the sandbox reset the connection, "aborted" if the client closed it. */
	status: number | 'reset' | 'aborted';
	milliseconds: number;
	/** In openapi.yaml; null for an unknown path or method. */
	operationId: string | null;
	fault?: string;
}

/** Without secrets, and truncated; empty if there was no body. */
interface Bodies {
	requestBody: string;
	responseBody: string;
}

/** At least this many of the latest requests are kept. */
const MAX_REQUESTS = 5_000;
const MAX_PATH_LENGTH = 500;
const MAX_BODY_LENGTH = 10_000;

const ZERO_COUNTS = { requests: 0, inFlight: 0 };

/** The latest requests, and counters of all requests. */
export class RequestLog {
	private lastId = 0;
	private entries: Array<LoggedRequest & Bodies> = [];
	/** All requests to the API, including those in flight; by operationId, or "none". Control paths aren't counted. */
	private counts = { ...ZERO_COUNTS, byOperation: {} as Record<string, number> };

	/**
	 * Counts a request when it arrives.
	 * @param url as in the request line
	 * @returns a function that logs the request when it has ended, unless the log was cleared meanwhile, and returns the entry
	 */
	startRequest(method: string, url: string, operationId: string | null = null) {
		const { counts, entries } = this;
		const operation = operationId ?? 'none';
		counts.requests += 1;
		counts.byOperation[operation] = (counts.byOperation[operation] ?? 0) + 1;
		counts.inFlight += 1;
		const [path = '', query] = url.split('?', 2);
		const request = {
			time: new Date().toISOString(),
			method,
			path: hideSecrets(path.slice(0, MAX_PATH_LENGTH)) + (query === undefined ? '' : '?…'),
			operationId,
		};
		const startedAt = performance.now();
		return (status: LoggedRequest['status'], fault: string | undefined, requestBody: string, responseBody: string) => {
			const milliseconds = Math.round((performance.now() - startedAt) * 10) / 10;
			const bodies = { requestBody: formatForLog(requestBody), responseBody: formatForLog(responseBody) };
			const entry: LoggedRequest & Bodies = {
				id: (this.lastId += 1),
				...request,
				status,
				milliseconds,
				...(fault && { fault }),
				...bodies,
			};
			counts.inFlight -= 1;
			entries.push(entry);
			// many at a time: removing the oldest at each request would take longer the longer the list is
			if (entries.length >= 2 * MAX_REQUESTS) entries.splice(0, MAX_REQUESTS);
			return entry;
		};
	}

	list(max = MAX_REQUESTS): LoggedRequest[] {
		return this.entries.slice(-max).map(({ requestBody: _, responseBody: _body, ...request }) => request);
	}

	/** One request with its bodies; undefined if it isn't kept. */
	find(id: number): (LoggedRequest & Bodies) | undefined {
		return this.entries.find((entry) => entry.id === id);
	}

	getCounters() {
		const { byOperation, ...counts } = this.counts;
		return { ...counts, byOperation: { ...byOperation }, logins: byOperation.login ?? 0 };
	}

	clear(): void {
		this.entries = [];
		this.counts = { ...ZERO_COUNTS, byOperation: {} };
	}
}

/** A JSON Web Token, also truncated: `{"`, with which its first part begins, is `eyJ` in base64url. */
const ACCESS_TOKEN = /eyJ[\w-]{8,}(\.[\w-]*)*/g;

/** A field of JSON or of a form whose name suggests a secret, with its value. */
const SECRET_FIELD = new RegExp(
	[
		/((?:pass|secret|token|key|auth)[\w-]{0,40}"?\s{0,20}([:=])\s{0,20})/,
		/(?:"(?:[^"\\]|\\.)*(?:"|\\?$)|(?<==\s{0,20})[^"&\s][^&\s]*|[^"&,}\s][^&,}\s]*)/,
	]
		.map(({ source }) => source)
		.join(''),
	'gi',
);

/**
 * Hides access tokens, and fields with the name of a secret. The sandbox's own keys are public, but a user may have entered
 * the key of another service.
 */
export const hideSecrets = (text: string): string =>
	text
		.replace(SECRET_FIELD, (_, name: string, sign: string) => name + (sign === ':' ? '"[hidden]"' : '[hidden]'))
		.replace(ACCESS_TOKEN, '[access token]');

/** Hides secrets and truncates; truncates once before, as a body may have megabytes. */
function formatForLog(body: string): string {
	const text = hideSecrets(body.slice(0, 20 * MAX_BODY_LENGTH));
	// copied by a Buffer: a slice would keep the whole body in memory
	return Buffer.from(text.length > MAX_BODY_LENGTH ? `${text.slice(0, MAX_BODY_LENGTH)}…` : text).toString();
}
