import { AdaptiveLimit } from './adaptiveLimit';
import { CircuitBreaker } from './circuitBreaker';
import type { QueuedRequest, RequestKind } from './fairQueue';
import { type OutageCause, type FailureDetails, mayMeanTooManyRequests, type Outage, type ServiceSignal } from './outage';
import { RequestPacer } from './requestPacer';
import { time } from '../../time';

/**
 * Learns from a key's requests how many may be in flight (`AdaptiveLimit`), at what rate they may be sent (`RequestPacer`),
 * and whether they wait for the service (`CircuitBreaker`).
 */
export class FlowController {
	private readonly adaptive = new AdaptiveLimit();

	private readonly pacer = new RequestPacer();

	readonly breaker = new CircuitBreaker();

	/** For creates alone: if only they fail, responses to other requests must not release more of them. */
	readonly breakerForCreates = new CircuitBreaker();

	private lastSentNumber = 0;

	/** `lastSentNumber` when the limit was lowered: requests that were in flight together count once. */
	private lastNumberWhenLowered = 0;

	constructor(private readonly log: (message: string) => void) {}

	get limit(): number {
		return this.adaptive.limit;
	}

	/** Whether the service has limited the request rate. */
	get isPaced(): boolean {
		return this.pacer.rate < Infinity;
	}

	/** The breaker that decides whether a request of this kind waits. */
	breakerOf(kind: RequestKind): CircuitBreaker {
		return kind === 'create' && !this.breaker.outage ? this.breakerForCreates : this.breaker;
	}

	/** The current outage of the service or, if there is none, of its creates. */
	get anyOutage(): Outage | undefined {
		return this.breakerOf('create').outage;
	}

	/** Milliseconds until the next request may be sent; 0 if at once. */
	get delayMs(): number {
		return this.breaker.outage?.probeDueInMs || this.pacer.delayMs;
	}

	/** @returns the request's sequence number */
	recordSent(kind: RequestKind): number {
		this.lastSentNumber++;
		this.breaker.recordSent();
		if (kind === 'create') this.breakerForCreates.recordSent();
		this.pacer.recordSent();
		return this.lastSentNumber;
	}

	/** Records what a request shows about the service. @param inFlight requests in flight, including this one */
	record(number: number, request: QueuedRequest, signal: ServiceSignal, inFlight: number, details: FailureDetails): void {
		if (signal === 'unavailable' || signal === 'rateLimited') return this.recordFailure(number, request, signal, details);
		if (signal !== 'ignore') return this.recordResponse(number, request, signal === 'success', inFlight);
		this.breaker.recordIgnored(number);
		if (request.kind === 'create') this.breakerForCreates.recordIgnored(number);
	}

	private recordResponse(number: number, { kind }: QueuedRequest, isSuccess: boolean, inFlight: number): void {
		const now = time.now();
		const endedOutage = this.breaker.recordResponse(number, kind === 'login');
		if (kind !== 'create') this.breakerForCreates.outage?.recordServiceReachable();
		const endedForCreates = kind === 'create' ? this.breakerForCreates.recordResponse(number, false) : undefined;
		// Only after a probe: a response to a request that was already in flight shows that the service can take as many.
		const isProbe = (outage?: Outage) => outage?.cause === 'unavailable' && number > outage.lastNumberBeforeWait;
		if (isProbe(endedOutage) || isProbe(endedForCreates)) this.adaptive.restart();
		if (endedOutage) {
			this.pacer.restart();
			const pace = this.pacer.rate === Infinity ? '' : `; at most ${this.pacer.rate.toFixed(1)} requests a second`;
			this.log(`service responds again after ${Math.round(now - endedOutage.startedAt)} ms${pace}`);
		}
		if (!isSuccess) return;
		this.pacer.recordSuccess();
		this.adaptive.recordSuccess(inFlight, now);
	}

	private recordFailure(number: number, request: QueuedRequest, cause: OutageCause, details: FailureDetails): void {
		const { status } = details;
		const mayBeLimit = mayMeanTooManyRequests(status);
		const isRateLimited = cause === 'rateLimited';
		const wasClosed = !this.breaker.outage;
		if (wasClosed) {
			if (mayBeLimit) this.pacer.recordOverload();
			// A retry that fails again may be the item's own fault.
			if (!request.isRetry && !isRateLimited && (mayBeLimit || status === undefined)) this.lowerLimit(number);
		}
		if (request.kind === 'create' && !isRateLimited) this.breakerForCreates.recordFailure(number, this.lastSentNumber, request.kind, cause, details);
		if (!this.breaker.recordFailure(number, this.lastSentNumber, request.kind, cause, details)) return;
		if (wasClosed && (isRateLimited || mayBeLimit)) this.pacer.recordRejection(isRateLimited);
		const reason = isRateLimited ? 'service asks to wait' : `service is unavailable (${status ?? 'no response'})`;
		this.log(`${reason}; requests wait ${Math.round(this.breaker.outage!.probeDueInMs)} ms`);
	}

	private lowerLimit(failed: number): void {
		const { limit } = this;
		if (failed <= this.lastNumberWhenLowered || !this.adaptive.recordFailure(time.now())) return;
		this.lastNumberWhenLowered = this.lastSentNumber;
		this.log(`limit of concurrent requests ${limit} → ${this.limit}`);
	}
}
