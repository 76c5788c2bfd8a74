/** One request of the API, without anything secret: no header and no query is kept. */
export interface LoggedRequest {
	/** Rises from request to request, in the order in which they end; no two of a process have the same. */
	id: number;
	/** Moment of arrival, ISO 8601, UTC. */
	time: string;
	method: string;
	/** As it was sent, percent-encoded; a query is shown as `?…`. */
	path: string;
	/** The status sent; "reset" if the sandbox broke the connection, "aborted" if the client did. */
	status: number | 'reset' | 'aborted';
	/** From arrival to the end of the reply. */
	milliseconds: number;
	/** The operation in openapi.yaml; null if the path or method has none. */
	operationId: string | null;
	/** The fault that was injected, if one was. */
	fault?: string;
}

/** Bodies as texts without secrets, cut where they are long; absent where there was none. */
export interface LoggedBodies {
	requestBody?: string;
	responseBody?: string;
}

export interface RequestCounters {
	/** Every request of the API, control paths left out, those in flight included. */
	requests: number;
	/** By operationId; a request that has no operation is under "none". */
	byOperation: Record<string, number>;
	/** Requests for the login operation, whatever became of them. The same as byOperation.login. */
	logins: number;
	inFlight: number;
	/** The most requests that were in flight at any moment. */
	peakInFlight: number;
}

/** How many finished requests are kept; older ones are forgotten. Of the latest the bodies are kept too. */
export const MAX_LOGGED_REQUESTS = 10_000;
export const MAX_LOGGED_BODIES = 500;
const MAX_PATH_LENGTH = 500;

/** For all sandboxes of the process. */
let lastId = 0;

/** The requests that a sandbox has seen: a bounded list, and counters that are not bounded. */
export class RequestLog {
	private finished: Array<LoggedRequest & LoggedBodies> = [];
	private count: RequestCounters = noRequests();
	/** Rises with each clearing, so that a request from before it does not count as one that ends after it. */
	private generation = 0;

	/**
	 * Counts a request that has arrived.
	 * @param url raw, as it stands in the request line
	 * @returns what files the request when it has ended, and returns what was filed
	 */
	begin(method: string, url: string, operationId: string | undefined) {
		const { count, generation } = this;
		const counted = operationId ?? 'none';
		count.requests += 1;
		count.byOperation[counted] = (count.byOperation[counted] ?? 0) + 1;
		count.inFlight += 1;
		count.peakInFlight = Math.max(count.peakInFlight, count.inFlight);
		const [path = '', query] = url.split('?', 2);
		const time = new Date().toISOString();
		const startedAt = performance.now();
		return (status: LoggedRequest['status'], fault?: string, bodies: LoggedBodies = {}): LoggedRequest => {
			const logged: LoggedRequest = {
				id: (lastId += 1),
				time,
				method,
				// a query may hold a secret that someone put there by mistake
				path: path.slice(0, MAX_PATH_LENGTH) + (query === undefined ? '' : '?…'),
				status,
				milliseconds: Math.round((performance.now() - startedAt) * 10) / 10,
				operationId: operationId ?? null,
				...(fault !== undefined && { fault }),
			};
			if (generation === this.generation) this.file({ ...logged, ...bodies });
			return logged;
		};
	}

	/** The latest `max`, in the order in which they ended. */
	list(max = MAX_LOGGED_REQUESTS): LoggedRequest[] {
		return this.finished.slice(-max).map(({ requestBody: _sent, responseBody: _received, ...request }) => request);
	}

	/** One of the latest, with its bodies; undefined if it is not kept, or not any more. */
	find(id: number): (LoggedRequest & LoggedBodies) | undefined {
		return this.finished.slice(-MAX_LOGGED_BODIES).find((logged) => logged.id === id);
	}

	counters(): RequestCounters {
		const { byOperation } = this.count;
		return { ...this.count, byOperation: { ...byOperation }, logins: byOperation.login ?? 0 };
	}

	clear(): void {
		this.generation += 1;
		this.finished = [];
		this.count = noRequests();
	}

	private file(logged: LoggedRequest & LoggedBodies): void {
		this.count.inFlight -= 1;
		this.finished.push(logged);
		const older = this.finished.at(-MAX_LOGGED_BODIES - 1);
		delete older?.requestBody;
		delete older?.responseBody;
		// in one go now and then: shifting the list for each request would cost more the longer it is
		if (this.finished.length >= 2 * MAX_LOGGED_REQUESTS) this.finished = this.finished.slice(-MAX_LOGGED_REQUESTS);
	}
}

function noRequests(): RequestCounters {
	return { requests: 0, byOperation: {}, logins: 0, inFlight: 0, peakInFlight: 0 };
}
