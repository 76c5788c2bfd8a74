import { time } from '../../time';

/** Delay before the first probe, in milliseconds, and what each further failure multiplies it by. */
const FIRST_DELAY_MS = 500;
const DELAY_FACTOR = 2;

/** Maximum share of a delay that jitter adds, so that processes don't probe together. */
const JITTER = 0.1;

/**
 * A failure of a request that was sent within so many milliseconds after an outage continues it, if fewer requests than `successThreshold`
 * were answered since. (It may take its whole timeout to fail.)
 */
const MAX_INTERRUPTION_MS = 60_000;

/** If no request waited or was in flight for so many milliseconds in which a probe was due, an outage begins again: it may have ended. */
const MAX_IDLE_MS = 10_000;

interface Limits {
	/** Longest delay between probes, in milliseconds. */
	maxDelayMs: number;
	/** After fewer responses, the next failure continues the outage: one of two servers may be down. */
	successThreshold: number;
}

const LIMITS: Limits = { maxDelayMs: 4_500, successThreshold: 1 };

export type OutageCause =
	/** 502 to 504, 520 to 524, 529, 530, no response at all, or a page in place of an answer. */
	| 'unavailable'
	/** 429. */
	| 'rateLimited';

export interface FailureDetails {
	/** `Retry-After`, in milliseconds. */
	retryAfterMs?: number;
	/** HTTP status; undefined without a response. */
	status?: number;
	/** Whether the request may have been carried out. */
	mayBeDone?: boolean;
}

/** An attempt that was sent. */
export interface Sent {
	/** In sending order. A result of one that was sent before an event says nothing about what came after it. */
	number: number;
	sentAt: number;
}

/** A period in which requests wait for the service, with the status of the last failure. */
export interface Outage {
	cause: OutageCause;
	status?: number;
	/** Whether any of its failures was of this cause, even if the last one (`cause`) wasn't. */
	wasUnavailable: boolean;
	startedAt: number;
	/** Undefined while it lasts. */
	endedAt?: number;
	/** When a probe, or the request that began it, last failed. */
	failedAt: number;
	/** Until when the service has asked to wait. */
	retryAfterUntil: number;
}

/** Closed, it lets requests pass. Open, it makes them wait. Half-open, one has passed: the probe. */
type State =
	/** With the number of responses since its last failure; 0 while only logins were answered. */
	| { name: 'closed'; responses: number }
	/** Until a probe is due, if no `Retry-After` is pending. */
	| { name: 'open'; until: number }
	/** Until the next probe is due, if the last one has no result by then. */
	| { name: 'halfOpen'; until: number };

/**
 * Makes requests wait during an outage. They are numbered in sending order: a probe's number is beyond `lastSentBeforeOpening`.
 *
 * | | state | event | state after it |
 * |---|---|---|---|
 * | 1 | closed | a failure that the monitor reports | open: 0.5 s, or longer if `Retry-After` is; after a 429 with that, only for that |
 * | 2 | closed | the same within a minute, after fewer responses than `successThreshold`, or only to a login | open, as the same outage: longer |
 * | 3 | open | a request comes, and there was none for ten seconds, in which a probe was due | open, but the outage begins again |
 * | 4 | open | the delay is over, a request is sent | half-open |
 * | 5 | half-open | there is no result for the longest delay, a request is sent | half-open |
 * | 6 | open, half-open | a request that was sent since it last opened, as a probe, gets a response, and no `Retry-After` is pending | closed |
 * | 7 | open, half-open | a probe fails | open, as the same outage: twice as long, up to the longest delay; after a 429 with `Retry-After`, only for that |
 * | 8 | half-open | the last probe shows nothing, as when it is canceled, or gets a response while `Retry-After` is pending | open: the next probe is due |
 * | 9 | any | a request that was sent before it last opened is asked to wait by `Retry-After` | no probe until then; if closed, as in 1 or 2 |
 * | 10 | any | anything else becomes of requests that were sent before it last opened | no change |
 */
export class CircuitBreaker {
	private state: State = { name: 'closed', responses: 0 };

	/** The current or last outage. */
	lastOutage?: Outage;

	/** How often this outage had failed before its last failure: each doubles the delay. */
	private earlierFailures = 0;

	/** How many requests wait for it or are in flight, and since when there is none. */
	private requests = 0;
	private idleSince = 0;

	/** The last request that was sent; and the last one before the breaker opened. */
	private lastSentNumber = 0;
	private lastSentBeforeOpening = 0;

	/** @param limitsIfMayBeDone if a failed request may have been carried out */
	constructor(private readonly limitsIfMayBeDone = LIMITS) {}

	/** The current outage; undefined while the breaker is closed. */
	get outage(): Outage | undefined {
		return this.state.name === 'closed' ? undefined : this.lastOutage;
	}

	/** Milliseconds until a request may be sent; 0 if at once. */
	get delayMs(): number {
		return Math.max(0, this.probeDueAt - time.now());
	}

	/** When the next request may be sent; -Infinity while closed. */
	private get probeDueAt(): number {
		return this.state.name === 'closed' ? -Infinity : Math.max(this.state.until, this.lastOutage!.retryAfterUntil);
	}

	/** Whether a login was the last to get a response, and closed the breaker: what failed may still fail. */
	get wasClosedByLogin(): boolean {
		return this.state.name === 'closed' && this.state.responses === 0 && this.lastOutage !== undefined;
	}

	/** Whether a request was sent before the breaker last opened. */
	wasSentBeforeOpening({ number }: Sent): boolean {
		return number <= this.lastSentBeforeOpening;
	}

	/** Records a request that is to wait for it. */
	recordArrival(): void {
		const { outage } = this;
		const now = time.now();
		if (outage && this.requests === 0 && now - Math.max(this.probeDueAt, this.idleSince) >= MAX_IDLE_MS) {
			outage.startedAt = now; // 3
			this.earlierFailures = 0;
		}
		this.requests++;
	}

	/** Records that a request has ended, or waits no longer. */
	recordDeparture(): void {
		this.requests--;
		this.idleSince = time.now();
	}

	recordSent({ number, sentAt }: Sent): void {
		this.lastSentNumber = number;
		if (this.outage) this.state = { name: 'halfOpen', until: sentAt + this.limitsIfMayBeDone.maxDelayMs }; // 4, 5
	}

	/**
	 * Records a response of any status.
	 * @param isLoginForRequests of a login, where requests failed: it ends their outage, and doesn't count towards `successThreshold`
	 * @returns the outage that it ends, if any
	 */
	recordResponse(sent: Sent, isLoginForRequests: boolean): Outage | undefined {
		const { outage } = this;
		if (this.wasSentBeforeOpening(sent)) return undefined; // 10
		if (outage && outage.retryAfterUntil > time.now()) {
			this.recordInconclusive(sent);
			return undefined;
		}
		const responses = this.state.name === 'closed' ? this.state.responses : 0;
		this.state = { name: 'closed', responses: responses + (isLoginForRequests ? 0 : 1) }; // 6
		if (outage) outage.endedAt = time.now();
		return outage;
	}

	/** @returns whether it opens the breaker, or leaves it open for longer */
	recordFailure(sent: Sent, cause: OutageCause, details: FailureDetails): boolean {
		if (this.wasSentBeforeOpening(sent) && !this.mustOpenForEarlier(details)) return false;
		const limits = details.mayBeDone ? this.limitsIfMayBeDone : LIMITS;
		this.open(this.continuedOutage(sent, limits), cause, limits, details); // 1, 2, 7
		return true;
	}

	/** After the failure of a request that was sent before it last opened. */
	private mustOpenForEarlier({ retryAfterMs = 0 }: FailureDetails): boolean {
		const { outage } = this;
		if (!outage) return retryAfterMs > 0; // 9, 10
		outage.retryAfterUntil = Math.max(outage.retryAfterUntil, time.now() + retryAfterMs); // 9
		return false;
	}

	private open(
		continued: Outage | undefined,
		cause: OutageCause,
		{ maxDelayMs }: Limits,
		{ retryAfterMs = 0, status }: FailureDetails,
	): void {
		const now = time.now();
		this.lastOutage = {
			cause,
			status,
			wasUnavailable: cause === 'unavailable' || continued?.wasUnavailable === true,
			startedAt: continued?.startedAt ?? now,
			failedAt: now,
			retryAfterUntil: Math.max(continued?.retryAfterUntil ?? 0, now + retryAfterMs),
		};
		this.earlierFailures = continued ? this.earlierFailures + 1 : 0;
		const delay = Math.min(FIRST_DELAY_MS * DELAY_FACTOR ** this.earlierFailures, maxDelayMs);
		const isOnlyRetryAfter = cause === 'rateLimited' && retryAfterMs > 0;
		this.state = { name: 'open', until: isOnlyRetryAfter ? now : now + delay * (1 + JITTER * time.random()) };
		this.lastSentBeforeOpening = this.lastSentNumber;
	}

	/** The outage that a failure continues: the current one, or the last one if too little has responded since. */
	private continuedOutage({ sentAt }: Sent, { successThreshold }: Limits): Outage | undefined {
		const { state, lastOutage } = this;
		if (state.name !== 'closed') return lastOutage; // 7
		const hasRecovered =
			state.responses >= successThreshold || sentAt - (lastOutage?.endedAt ?? 0) >= MAX_INTERRUPTION_MS;
		return hasRecovered ? undefined : lastOutage; // 1, 2
	}

	/** Records a result that shows nothing about the service. */
	recordInconclusive({ number }: Sent): void {
		const isLastProbe = this.state.name === 'halfOpen' && number === this.lastSentNumber;
		if (isLastProbe) this.state = { name: 'open', until: time.now() }; // 8
	}
}
