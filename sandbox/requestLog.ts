import type { Changes } from './live/changes';

/** One request of the API, without anything secret: no header, no query and no body is kept. */
export interface LoggedRequest {
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
	/** The fault that struck, if one did. */
	fault?: string;
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

/** How many finished requests are kept; older ones are forgotten. */
export const MOST_LOGGED_REQUESTS = 10_000;
const LONGEST_PATH = 500;

/** A request that has begun. */
export interface OpenRequest {
	method: string;
	path: string;
	operationId: string | null;
	arrivedAt: Date;
	/** Reading of the monotonic clock, in milliseconds. */
	startedAt: number;
	generation: number;
}

/** The requests that a sandbox has seen: a bounded list, and counters that are not bounded. */
export class RequestLog {
	private finished: LoggedRequest[] = [];
	private byOperation = new Map<string, number>();
	private requests = 0;
	private inFlight = 0;
	private peakInFlight = 0;
	/** Rises with each clearing, so that a request from before it does not count as one that ends after it. */
	private generation = 0;

	/** @param changes told of each request as it begins and ends */
	constructor(private readonly changes: Changes) {}

	/** @param url raw, as it stands in the request line */
	begin(method: string, url: string, operationId: string | undefined): OpenRequest {
		const counted = operationId ?? 'none';
		this.requests += 1;
		this.byOperation.set(counted, (this.byOperation.get(counted) ?? 0) + 1);
		this.inFlight += 1;
		this.peakInFlight = Math.max(this.peakInFlight, this.inFlight);
		this.changes.tell({ kind: 'requestBegan' });
		return {
			method,
			path: withoutQuery(url),
			operationId: operationId ?? null,
			arrivedAt: new Date(),
			startedAt: performance.now(),
			generation: this.generation,
		};
	}

	/** Files the request and returns what was filed. */
	end(open: OpenRequest, status: LoggedRequest['status'], fault: string | undefined): LoggedRequest {
		const logged: LoggedRequest = {
			time: open.arrivedAt.toISOString(),
			method: open.method,
			path: open.path,
			status,
			milliseconds: Math.round((performance.now() - open.startedAt) * 10) / 10,
			operationId: open.operationId,
			...(fault !== undefined && { fault }),
		};
		if (open.generation === this.generation) {
			this.inFlight -= 1;
			this.finished.push(logged);
			// in one go now and then: shifting the list for each request would cost more the longer it is
			if (this.finished.length >= 2 * MOST_LOGGED_REQUESTS) this.finished = this.finished.slice(-MOST_LOGGED_REQUESTS);
			this.changes.tell({ kind: 'requestEnded', request: logged });
		}
		return logged;
	}

	/** The latest `most`, in the order in which they ended. */
	list(most = MOST_LOGGED_REQUESTS): LoggedRequest[] {
		return this.finished.slice(-most).map((request) => ({ ...request }));
	}

	counters(): RequestCounters {
		return {
			requests: this.requests,
			byOperation: Object.fromEntries(this.byOperation),
			logins: this.byOperation.get('login') ?? 0,
			inFlight: this.inFlight,
			peakInFlight: this.peakInFlight,
		};
	}

	clear(): void {
		this.generation += 1;
		this.finished = [];
		this.byOperation.clear();
		this.requests = this.inFlight = this.peakInFlight = 0;
	}
}

/** A query may hold a secret that someone put there by mistake. */
function withoutQuery(url: string): string {
	const [path = '', query] = url.split('?', 2);
	return path.slice(0, LONGEST_PATH) + (query === undefined ? '' : '?…');
}
