import { time } from '../../time';
import { AdaptiveLimit } from './adaptiveLimit';
import { CircuitBreaker } from './circuitBreaker';
import type { QueuedRequest, RequestKind } from './fairQueue';
import {
	type FailedRequest,
	type FailureDetails,
	mayMeanTooManyRequests,
	type Outage,
	type ServiceHealth,
} from './outage';
import { RequestPacer } from './requestPacer';

/** How long after a response requests that have often failed are doubted, in milliseconds. */
const MAX_DOUBT_MS = 5_000;

interface SentRequest extends QueuedRequest {
	/** Sequence number, in sending order. */
	sequenceNumber: number;
}

/**
 * Learns from a key's requests how many may be in flight (`AdaptiveLimit`), at what rate they may be sent (`RequestPacer`),
 * and whether they wait for the service (`CircuitBreaker`).
 */
export class FlowController {
	private readonly adaptive = new AdaptiveLimit();

	private readonly pacer = new RequestPacer();

	readonly breaker = new CircuitBreaker();

	/** For creates alone: if only they fail, responses to other requests must not release more of them. */
	private readonly breakerForCreates = new CircuitBreaker();

	private lastSentNumber = 0;

	/** Requests that were in flight when the last outage ended and still are: they may hang, and don't count towards the limit. */
	private beforeRestart = { inFlight: 0, lastNumber: 0 };

	/** `lastSentNumber` when the limit was lowered: requests that were in flight together count once. */
	private lastNumberWhenLowered = 0;

	constructor(private readonly log: (message: string) => void) {}

	get limit(): number {
		return this.adaptive.limit + this.beforeRestart.inFlight;
	}

	/** Whether the service has limited the request rate. */
	get isPaced(): boolean {
		return this.pacer.rate < Infinity;
	}

	/** The outage for which a request of this kind waits: the key's, or that of creates alone. */
	outageOf(kind: RequestKind): Outage | undefined {
		return this.breaker.outage ?? (kind === 'create' ? this.breakerForCreates.outage : undefined);
	}

	/** The breakers that learn from a request: creates have one of their own beside the key's. */
	breakersOf(kind: RequestKind): CircuitBreaker[] {
		return kind === 'create' ? [this.breaker, this.breakerForCreates] : [this.breaker];
	}

	/** The current outage of the service or, if there is none, of its creates. */
	get anyOutage(): Outage | undefined {
		return this.outageOf('create');
	}

	/** Milliseconds until the next request may be sent; 0 if at once. */
	get delayMs(): number {
		return this.breaker.outage?.probeDueInMs || this.pacer.delayMs;
	}

	/** @returns the request's sequence number */
	recordSent(kind: RequestKind): number {
		this.lastSentNumber++;
		for (const breaker of this.breakersOf(kind)) breaker.outage?.recordProbe(kind);
		this.pacer.recordSent();
		return this.lastSentNumber;
	}

	/** Records what a request shows about the service. @param inFlight requests in flight, including this one */
	record(
		request: SentRequest,
		health: ServiceHealth,
		{ retryAfterMs, status }: FailureDetails,
		inFlight: number,
	): void {
		const { sequenceNumber, kind } = request;
		if (sequenceNumber <= this.beforeRestart.lastNumber) this.beforeRestart.inFlight--;
		if (health === 'inconclusive' || this.isDoubtful(request, health)) {
			for (const breaker of this.breakersOf(kind)) breaker.recordInconclusive(sequenceNumber);
		} else if (health === 'unavailable' || health === 'rateLimited') {
			this.recordFailure({ sequenceNumber, kind, cause: health, retryAfterMs, status }, request.isRetry);
		} else this.recordResponse(request, health === 'healthy', inFlight);
	}

	/** Requests that have often failed may do so through their own fault: a few of them must not open the breaker again and again. */
	private isDoubtful({ kind, hasOftenFailed = false }: SentRequest, health: ServiceHealth): boolean {
		const isAvailable = !this.breaker.outage && time.now() - this.breaker.lastRespondedAt < MAX_DOUBT_MS;
		return health === 'unavailable' && kind === 'repeatable' && hasOftenFailed && isAvailable;
	}

	private recordResponse({ sequenceNumber, kind }: SentRequest, isHealthy: boolean, inFlight: number): void {
		const now = time.now();
		const ended = this.breakersOf(kind).map((breaker) => breaker.recordResponse(sequenceNumber, kind === 'login'));
		if (kind !== 'create') this.breakerForCreates.outage?.recordServiceReachable();
		// Only after a probe: a response to a request that was already in flight shows that the service can take as many.
		if (ended.some((outage) => outage?.cause === 'unavailable' && sequenceNumber > outage.lastSentBeforeWait)) {
			this.adaptive.restart();
			this.beforeRestart = { inFlight: inFlight - 1, lastNumber: this.lastSentNumber };
		}
		const [endedOutage] = ended;
		if (endedOutage) {
			this.pacer.recordOutageEnd();
			const pace = this.isPaced ? `; at most ${this.pacer.rate.toFixed(1)} requests a second` : '';
			this.log(`service responds again after ${Math.round(now - endedOutage.startedAt)} ms${pace}`);
		}
		if (!isHealthy) return;
		this.pacer.recordSuccess();
		this.adaptive.recordSuccess(inFlight - this.beforeRestart.inFlight, now);
	}

	private recordFailure(failure: FailedRequest, isRetry = false): void {
		const { sequenceNumber, kind, cause, status } = failure;
		const mayBeLimit = mayMeanTooManyRequests(status);
		const isRateLimited = cause === 'rateLimited';
		const wasClosed = !this.breaker.outage;
		if (wasClosed) {
			if (mayBeLimit) this.pacer.recordOverload();
			// A retry that fails again may be the item's own fault.
			if (!isRetry && !isRateLimited && (mayBeLimit || status === undefined)) this.lowerLimit(sequenceNumber);
		}
		const breakers = isRateLimited ? [this.breaker] : this.breakersOf(kind);
		const [allWait, createsWait] = breakers.map((breaker) => breaker.recordFailure(failure, this.lastSentNumber));
		if (allWait && wasClosed && (isRateLimited || mayBeLimit)) this.pacer.recordRejection(isRateLimited);
		if (!allWait && (!createsWait || this.breaker.outage)) return;
		const reason = isRateLimited ? 'service asks to wait' : `service is unavailable (${status ?? 'no response'})`;
		this.log(`${reason}; ${allWait ? 'requests' : 'creates'} wait ${Math.round(this.outageOf(kind)!.probeDueInMs)} ms`);
	}

	private lowerLimit(failed: number): void {
		const { limit } = this.adaptive;
		if (failed <= this.lastNumberWhenLowered || !this.adaptive.recordFailure(time.now())) return;
		this.lastNumberWhenLowered = this.lastSentNumber;
		this.log(`limit of concurrent requests ${limit} → ${this.adaptive.limit}`);
	}
}
