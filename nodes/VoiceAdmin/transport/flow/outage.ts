import { time } from '../../time';
import type { RequestKind } from './fairQueue';

/** First and longest delay before a probe, in milliseconds; it doubles with each failure. */
const FIRST_PROBE_DELAY_MS = 500;
const MAX_PROBE_DELAY_MS = 10_000;

/** The longest after a create that failed as a probe, or gets no response, in milliseconds; it quadruples with each failure. */
const MAX_CREATE_PROBE_DELAY_MS = 30_000;

/** Minimum time between a probe and an early one, in milliseconds. */
const MIN_EARLY_PROBE_INTERVAL_MS = 2_000;

/** Shortest wait after a 429 without a usable `Retry-After`, in milliseconds. */
const MIN_RATE_LIMITED_MS = 1_000;

/** Maximum share of a delay that jitter adds, so that processes don't probe together. */
const JITTER = 0.1;

export type OutageCause =
	/** The service is unavailable: 502 to 504, 520 to 524, 529, 530, or no response at all. */
	| 'unavailable'
	/** It has had too many requests: 429. */
	| 'rateLimited';

/** What a request's result shows about the service. */
export type ServiceHealth =
	| 'healthy'
	/** It responds, but fails or doesn't accept the token: a 500, a 401. */
	| 'responded'
	| 'inconclusive'
	| OutageCause;

export interface FailureDetails {
	/** `Retry-After`, in milliseconds. */
	retryAfterMs?: number;
	/** HTTP status; undefined without a response. */
	status?: number;
}

/** A request that failed because the service is unavailable or limits requests. */
export interface FailedRequest extends FailureDetails {
	/** Sequence number, in sending order. */
	sequenceNumber: number;
	kind: RequestKind;
	cause: OutageCause;
}

/** Whether a status other than 429 may mean too many requests: nginx rate-limits with 503 by default. */
export const mayMeanTooManyRequests = (status?: number): boolean => status === 503 || status === 529;

/** A period in which requests wait because the service is unavailable or limits requests, and when the next probe is due. */
export class Outage {
	/** Undefined while it lasts. */
	endedAt?: number;

	/** The last HTTP status; undefined without a response. */
	status?: number;

	/** The last request sent before the wait was last restarted: failures of it and earlier ones don't restart the wait. */
	lastSentBeforeWait = 0;

	/** Only a response to this request, or to a later one, ends the outage. */
	endsWithResponseFrom = 0;

	/** Whether it went on after a response that seemed to end it: the service is partly unavailable. */
	wasResumed = false;

	/** Failures so far; requests that were in flight together count once. */
	private failures = 0;

	/** When the next probe is due, apart from `Retry-After`. */
	private probeDueAt = 0;

	/** True only while no probe is in flight, the last one was not a create, and there was no 429. */
	private mayProbeEarly = false;

	private lastProbeAt = -Infinity;

	/** End of `Retry-After`: no probe is sent before. */
	private retryAfterUntil = 0;

	/** Whether a login, or a response to another kind of request, has shown since the last failure that the service responds. */
	private isServiceReachable = false;

	constructor(
		public cause: OutageCause,
		readonly startedAt: number,
	) {}

	/** Milliseconds until the next probe is due; 0 if it is. */
	get probeDueInMs(): number {
		return Math.max(0, Math.max(this.probeDueAt, this.retryAfterUntil) - time.now());
	}

	/** Whether a create must leave the next probe to a login. */
	get needsLogin(): boolean {
		return this.cause === 'unavailable' && !this.isServiceReachable;
	}

	/** Makes the next probe due now, or after `Retry-After`. */
	makeProbeDue(): void {
		this.probeDueAt = time.now();
	}

	/** Makes a probe due now, or after `Retry-After`, for a run that is about to give up, if that is allowed. */
	makeProbeDueEarly(): void {
		const now = time.now();
		if (this.mayProbeEarly && now - this.lastProbeAt >= MIN_EARLY_PROBE_INTERVAL_MS) this.probeDueAt = now;
	}

	/** Records that a probe was sent, and when the next one is due if it gets no response. */
	recordProbe(kind: RequestKind): void {
		this.lastProbeAt = time.now();
		this.probeDueAt = this.lastProbeAt + (kind === 'create' ? MAX_CREATE_PROBE_DELAY_MS : MAX_PROBE_DELAY_MS);
		this.mayProbeEarly = false;
	}

	recordServiceReachable(): void {
		this.isServiceReachable = true;
	}

	/** Records that the probe was a login. */
	recordLogin(): void {
		this.recordServiceReachable();
		this.probeDueAt = time.now() + FIRST_PROBE_DELAY_MS;
	}

	end(): void {
		this.endedAt = time.now();
	}

	/**
	 * Records a failure, which also resumes an outage that had ended.
	 * @param lastNumber the last request sent
	 * @returns whether the wait restarts
	 */
	recordFailure({ sequenceNumber, kind, cause, retryAfterMs, status }: FailedRequest, lastNumber: number): boolean {
		const now = time.now();
		this.wasResumed ||= this.endedAt !== undefined;
		this.endedAt = undefined;
		this.retryAfterUntil = Math.max(this.retryAfterUntil, now + (retryAfterMs ?? 0));
		const restartsWait = sequenceNumber > this.lastSentBeforeWait;
		if (restartsWait || cause === 'rateLimited') this.cause = cause;
		if (cause === 'rateLimited') this.mayProbeEarly = false;
		if (!restartsWait) return false;
		const wasCreateProbe = kind === 'create' && this.failures > 0;
		this.probeDueAt =
			now +
			(retryAfterMs ? 0 : probeDelay(this.failures, wasCreateProbe, cause, status) * (1 + JITTER * time.random()));
		this.mayProbeEarly = cause === 'unavailable' && !wasCreateProbe;
		this.status = status;
		this.failures++;
		this.lastSentBeforeWait = lastNumber;
		this.isServiceReachable = false;
		return true;
	}
}

/** Exponential backoff between probes, in milliseconds. Creates back off faster: a person has to look up each one that failed. */
function probeDelay(failures: number, wasCreateProbe: boolean, cause: OutageCause, status?: number): number {
	const longest = wasCreateProbe && !mayMeanTooManyRequests(status) ? MAX_CREATE_PROBE_DELAY_MS : MAX_PROBE_DELAY_MS;
	const wait = Math.min(FIRST_PROBE_DELAY_MS * (wasCreateProbe ? 4 : 2) ** failures, longest);
	return cause === 'rateLimited' ? Math.max(MIN_RATE_LIMITED_MS, wait) : wait;
}
