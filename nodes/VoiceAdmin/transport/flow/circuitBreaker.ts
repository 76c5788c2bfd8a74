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

/** If none was there for so many milliseconds in which a probe was due, an outage counts from the next request on: it may have ended. */
const MAX_IDLE_MS = 10_000;

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

/**
 * Closed, it lets requests pass. Open, it makes them wait; when a delay is over, it is half-open: one passes, the probe. Requests are
 * numbered in sending order: the probe's number is beyond `lastSentBeforeOpening`.
 *
 * | state | event | state after it |
 * |---|---|---|
 * | closed | a failure that the monitor reports | open: 0.5 s and for `Retry-After`; after a 429, only for that |
 * | closed | the same within a minute, after fewer responses than `successThreshold`, or only to a login | open, as the same outage: longer |
 * | open | a request comes, and there was none for ten seconds, in which a probe was due | open, but the outage begins again |
 * | open | the delay is over, a request is sent | half-open |
 * | half-open | there is no response for the longest delay | open: the next probe is due |
 * | half-open | the probe, or a later request, gets a response, and no `Retry-After` is pending | closed |
 * | half-open | it fails in the same way | open: twice as long, up to the longest delay, and for `Retry-After` |
 * | half-open | the last probe shows nothing, as when it is canceled | open: the next probe is due |
 * | any | a request that was sent before it last opened is asked to wait by `Retry-After` | open: until then at least |
 * | any | anything else becomes of requests that were sent before it last opened | no change |
 */
export class CircuitBreaker {
	/** The current or last outage. */
	lastOutage?: Outage;

	/** How often this outage had failed before its last failure: each doubles the delay. */
	private earlierFailures = 0;

	/** Responses since its last failure; 0 while only logins were answered. */
	private responses = 0;

	/** How many requests wait for it or are in flight, and since when there is none. */
	private requests = 0;
	private idleSince = 0;

	/** The last request that was sent; and the last one before the breaker opened. */
	private lastSentNumber = 0;
	private lastSentBeforeOpening = 0;

	/** Open until then, and half-open until then (0 while no probe is in flight). Neither has a meaning while closed. */
	private openUntil = 0;
	private halfOpenUntil = 0;

	/**
	 * @param successThreshold after fewer responses, the next failure continues the outage: one of two servers may be down
	 */
	constructor(
		private readonly maxDelayMs: number,
		private readonly successThreshold = 1,
	) {}

	/** The current outage; undefined while the breaker is closed. */
	get outage(): Outage | undefined {
		return this.lastOutage?.endedAt === undefined ? this.lastOutage : undefined;
	}

	/** Milliseconds until a request may be sent; 0 if at once. */
	get delayMs(): number {
		return this.outage ? Math.max(0, this.probeDueAt - time.now()) : 0;
	}

	private get probeDueAt(): number {
		return Math.max(this.openUntil, this.halfOpenUntil, this.lastOutage?.retryAfterUntil ?? 0);
	}

	/** Whether a login was the last to get a response, and closed the breaker: what failed may still fail. */
	get wasClosedByLogin(): boolean {
		return this.lastOutage?.endedAt !== undefined && this.responses === 0;
	}

	/** Whether a request was sent before the breaker last opened. */
	wasSentBeforeOpening({ number }: Sent): boolean {
		return number <= this.lastSentBeforeOpening;
	}

	/** Records a request that is to wait for it; of an outage during which none was there, it sees the beginning. */
	recordArrival(): void {
		const { outage } = this;
		const now = time.now();
		if (outage && this.requests === 0 && now - Math.max(this.probeDueAt, this.idleSince) >= MAX_IDLE_MS) {
			outage.startedAt = now;
			this.earlierFailures = 0;
		}
		this.requests++;
	}

	/** Records that a request has ended, or waits no longer. */
	recordDeparture(): void {
		this.requests--;
		this.idleSince = time.now();
	}

	/** Open, it is half-open now: the request is the probe, and without its response, the next one is due after the longest delay. */
	recordSent({ number, sentAt }: Sent): void {
		this.lastSentNumber = number;
		this.halfOpenUntil = sentAt + this.maxDelayMs;
	}

	/**
	 * Records a response of any status.
	 * @param isIndirect of a login, where requests failed: it ends their outage, and doesn't count towards `successThreshold`
	 * @returns the outage that it ends, if any
	 */
	recordResponse(sent: Sent, isIndirect: boolean): Outage | undefined {
		const { outage } = this;
		if (this.wasSentBeforeOpening(sent)) return undefined;
		if (outage && outage.retryAfterUntil > time.now()) {
			// Another request was asked to wait meanwhile: the next probe is due then.
			this.recordInconclusive(sent);
			return undefined;
		}
		if (!isIndirect) this.responses++;
		if (outage) outage.endedAt = time.now();
		return outage;
	}

	/** Opens the breaker, or leaves it open for longer. @returns whether it changed */
	recordFailure(sent: Sent, cause: OutageCause, details: FailureDetails): boolean {
		const { outage } = this;
		const { retryAfterMs = 0 } = details;
		if (this.wasSentBeforeOpening(sent)) {
			if (outage) outage.retryAfterUntil = Math.max(outage.retryAfterUntil, time.now() + retryAfterMs);
			if (outage || retryAfterMs === 0) return false;
		}
		this.open(this.continuedOutage(sent), cause, details);
		return true;
	}

	private open(continued: Outage | undefined, cause: OutageCause, { retryAfterMs = 0, status }: FailureDetails): void {
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
		const delay = Math.min(FIRST_DELAY_MS * DELAY_FACTOR ** this.earlierFailures, this.maxDelayMs);
		this.openUntil = now + (cause === 'rateLimited' && retryAfterMs > 0 ? 0 : delay * (1 + JITTER * time.random()));
		this.halfOpenUntil = 0;
		this.responses = 0;
		this.lastSentBeforeOpening = this.lastSentNumber;
	}

	/** The outage that a failure continues: the current one, or the last one if too little has responded since. */
	private continuedOutage({ sentAt }: Sent): Outage | undefined {
		const { endedAt = Infinity } = this.lastOutage ?? {};
		const hasRecovered = this.responses >= this.successThreshold || sentAt - endedAt >= MAX_INTERRUPTION_MS;
		return this.outage ?? (hasRecovered ? undefined : this.lastOutage);
	}

	/** Records a result that shows nothing about the service; if it was the last probe's, the next one is due. */
	recordInconclusive(sent: Sent): void {
		if (sent.number === this.lastSentNumber) this.halfOpenUntil = 0;
	}
}
