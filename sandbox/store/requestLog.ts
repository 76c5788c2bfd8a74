/** One request of the API, without anything secret: no header and no query is kept. */
export interface LoggedRequest {
	/** Rises from request to request, in the order in which they end, also after a reset. */
	id: number;
	time: string;
	method: string;
	/** As it was sent; a query is shown as `?…`. */
	path: string;
	/** The status sent; "reset" if the sandbox broke the connection, "aborted" if the client did. */
	status: number | 'reset' | 'aborted';
	milliseconds: number;
	/** The operation in openapi.yaml; null if the path or method has none. */
	operationId: string | null;
	fault?: string;
}

/** Without secrets, and cut where they are long; empty where there was none. */
interface Bodies {
	requestBody: string;
	responseBody: string;
}

/** How many finished requests are kept, at least. */
const MAX_REQUESTS = 5_000;
const MAX_PATH_LENGTH = 500;
const MAX_BODY_LENGTH = 10_000;

const NONE_YET = { requests: 0, inFlight: 0 };

/** The requests that a sandbox has seen: a bounded list, and counters that are not bounded. */
export class RequestLog {
	private lastId = 0;
	private finished: Array<LoggedRequest & Bodies> = [];
	/** Every request of the API, control paths left out, those in flight included; by operationId, or "none". */
	private count = { ...NONE_YET, byOperation: {} as Record<string, number> };

	/**
	 * Counts a request that has arrived.
	 * @param url raw, as it stands in the request line
	 * @returns what files the request when it has ended, unless the log was cleared, and returns what was filed
	 */
	begin(method: string, url: string, operationId: string | null = null) {
		const { count, finished } = this;
		const counted = operationId ?? 'none';
		count.requests += 1;
		count.byOperation[counted] = (count.byOperation[counted] ?? 0) + 1;
		count.inFlight += 1;
		const [path = '', query] = url.split('?', 2);
		const request = {
			time: new Date().toISOString(),
			method,
			path: withoutSecrets(path.slice(0, MAX_PATH_LENGTH)) + (query === undefined ? '' : '?…'),
			operationId,
		};
		const startedAt = performance.now();
		return (status: LoggedRequest['status'], fault: string | undefined, requestBody: string, responseBody: string): LoggedRequest => {
			const milliseconds = Math.round((performance.now() - startedAt) * 10) / 10;
			const bodies = { requestBody: shown(requestBody), responseBody: shown(responseBody) };
			const logged = { id: (this.lastId += 1), ...request, status, milliseconds, ...(fault && { fault }), ...bodies };
			count.inFlight -= 1;
			finished.push(logged);
			// in one go now and then: shifting the list for each request would cost more the longer it is
			if (finished.length >= 2 * MAX_REQUESTS) finished.splice(0, MAX_REQUESTS);
			return logged;
		};
	}

	list(max = MAX_REQUESTS): LoggedRequest[] {
		return this.finished.slice(-max).map(({ requestBody: _sent, responseBody: _received, ...request }) => request);
	}

	/** One with its bodies; undefined if it is not kept, or not any more. */
	find(id: number): (LoggedRequest & Bodies) | undefined {
		return this.finished.find((logged) => logged.id === id);
	}

	counters() {
		const { byOperation, ...count } = this.count;
		return { ...count, byOperation: { ...byOperation }, logins: byOperation.login ?? 0 };
	}

	clear(): void {
		this.finished = [];
		this.count = { ...NONE_YET, byOperation: {} };
	}
}

/** Parts in base64url, of which the first is a JSON object, where `{"` gives `eyJ`; also one that was cut. */
const ACCESS_TOKEN = /eyJ[\w-]{8,}(\.[\w-]*)*/g;

/** A field whose name often stands for a secret, in JSON or in a form, with its value. */
const SECRET_FIELD = /((?:pass|secret|token|key|auth)[\w-]{0,40}"?\s{0,20}([:=])\s{0,20})(?:"(?:[^"\\]|\\.)*"|[^"&,}\s][^&,}\s]*)/gi;

/**
 * A text in which access tokens, and fields with the name of a secret, are replaced by a word: the key that someone
 * has entered may be that of another service. (The sandbox's own keys are public.)
 */
export const withoutSecrets = (text: string): string =>
	text
		.replace(SECRET_FIELD, (_, name: string, sign: string) => name + (sign === ':' ? '"[hidden]"' : '[hidden]'))
		.replace(ACCESS_TOKEN, '[access token]');

/** Cut where it is long, once more before, as it may have megabytes. */
function shown(body: string): string {
	const text = withoutSecrets(body.slice(0, 20 * MAX_BODY_LENGTH));
	// by a Buffer: a slice would keep the whole text in memory
	return Buffer.from(text.length > MAX_BODY_LENGTH ? `${text.slice(0, MAX_BODY_LENGTH)}…` : text).toString();
}
