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

/** Without secrets, cut where they are long; absent where they were empty. */
export type LoggedBodies = { requestBody?: string; responseBody?: string };

/** How many finished requests are kept, and of how many of these the bodies. */
const MAX_REQUESTS = 10_000;
const MAX_BODIES = 500;
const MAX_PATH_LENGTH = 500;

/** The requests that a sandbox has seen: a bounded list, and counters that are not bounded. */
export class RequestLog {
	private lastId = 0;
	private finished: Array<LoggedRequest & LoggedBodies> = [];
	/** Every request of the API, control paths left out, those in flight included. */
	private count = { requests: 0, byOperation: {} as Record<string, number>, inFlight: 0, peakInFlight: 0 };

	/**
	 * Counts a request that has arrived.
	 * @param url raw, as it stands in the request line
	 * @returns what files the request when it has ended, unless the log was cleared, and returns what was filed
	 */
	begin(method: string, url: string, operationId: string | undefined) {
		const { count, finished } = this;
		const counted = operationId ?? 'none';
		count.requests += 1;
		count.byOperation[counted] = (count.byOperation[counted] ?? 0) + 1;
		count.inFlight += 1;
		count.peakInFlight = Math.max(count.peakInFlight, count.inFlight);
		const [path = '', query] = url.split('?', 2);
		const time = new Date().toISOString();
		const startedAt = performance.now();
		return (status: LoggedRequest['status'], fault: string | undefined, bodies: LoggedBodies): LoggedRequest => {
			const logged: LoggedRequest & LoggedBodies = {
				id: (this.lastId += 1),
				time,
				method,
				// a query may hold a secret that someone put there by mistake
				path: path.slice(0, MAX_PATH_LENGTH) + (query === undefined ? '' : '?…'),
				status,
				milliseconds: Math.round((performance.now() - startedAt) * 10) / 10,
				operationId: operationId ?? null,
				...(fault !== undefined && { fault }),
				...Object.fromEntries(Object.entries(bodies).filter(([, body]) => body !== '')),
			};
			count.inFlight -= 1;
			finished.push(logged);
			const older = finished.at(-MAX_BODIES - 1);
			delete older?.requestBody;
			delete older?.responseBody;
			// in one go now and then: shifting the list for each request would cost more the longer it is
			if (finished.length >= 2 * MAX_REQUESTS) finished.splice(0, MAX_REQUESTS);
			return logged;
		};
	}

	list(max = MAX_REQUESTS): LoggedRequest[] {
		return this.finished.slice(-max).map(({ requestBody: _sent, responseBody: _received, ...request }) => request);
	}

	/** One of the latest, with its bodies; undefined if it is not kept, or not any more. */
	find(id: number): (LoggedRequest & LoggedBodies) | undefined {
		return this.finished.slice(-MAX_BODIES).find((logged) => logged.id === id);
	}

	/** By operationId; requests that have no operation are under "none". */
	counters() {
		const { byOperation, ...count } = this.count;
		return { ...count, byOperation: { ...byOperation }, logins: byOperation.login ?? 0 };
	}

	clear(): void {
		this.finished = [];
		this.count = { requests: 0, byOperation: {}, inFlight: 0, peakInFlight: 0 };
	}
}
