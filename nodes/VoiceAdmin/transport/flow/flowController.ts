import { AdaptiveLimit } from './adaptiveLimit';
import { CircuitBreaker } from './circuitBreaker';
import type { QueuedRequest, RequestKind } from './fairQueue';
import { type OutageCause, type FailureDetails, mayMeanTooManyRequests, type Outage, type ServiceSignal } from './outage';
import { RequestPacer } from './requestPacer';
import { time } from './time';

/** A permit to send one request. */
export interface Permit {
	/** In the order in which requests are sent. */
	number: number;
	/** Whether it is known what the request said of the service. */
	readonly isReported: boolean;
	/** Notes what the request said of the service. Only the first call counts. */
	report: (signal: ServiceSignal, details?: FailureDetails) => void;
	/** Gives it back; with nothing said of the service unless that was reported before. */
	release: (signal?: ServiceSignal) => void;
}

/**
 * What the requests of a key have shown of their service, and what follows for the next one: how many may be in flight
 * (`AdaptiveLimit`), how quickly they may follow each other (`RequestPacer`), and whether they wait for it (`CircuitBreaker`).
 */
export class FlowController {
	private readonly adaptive = new AdaptiveLimit();

	private readonly pacer = new RequestPacer();

	/** Whether requests are sent, or wait for their service. To be read only. */
	readonly breaker = new CircuitBreaker();

	/** The same for creates alone: where only they fail, responses to other requests must not send more of them. */
	readonly breakerForCreates = new CircuitBreaker();

	/** Number of the last request that was sent. */
	private lastNumber = 0;

	/** The same when the limit was lowered: what was in flight together counts once. */
	private lastNumberWhenLowered = 0;

	/** @param log writes a debug line to n8n's log */
	constructor(private readonly log: (message: string) => void) {}

	/** How many requests may be in flight at present. */
	get limit(): number {
		return this.adaptive.limit;
	}

	/** Whether the service has limited how quickly requests may follow each other. */
	get isPaced(): boolean {
		return this.pacer.rate < Infinity;
	}

	/** The breaker that decides whether a request of this kind waits. */
	breakerOf(kind: RequestKind): CircuitBreaker {
		return kind === 'create' && !this.breaker.outage ? this.breakerForCreates : this.breaker;
	}

	/** The service's outage or, where there is none, that of its creates. */
	get anyOutage(): Outage | undefined {
		return this.breakerOf('create').outage;
	}

	/** Milliseconds until the next request may be sent; 0 if at once. */
	get delay(): number {
		return this.breaker.outage?.dueIn || this.pacer.delay;
	}

	/** A request is sent. @returns its number */
	recordSent(kind: RequestKind): number {
		this.lastNumber++;
		this.breaker.recordSent();
		if (kind === 'create') this.breakerForCreates.recordSent();
		this.pacer.recordSent();
		return this.lastNumber;
	}

	/** What a request says of the service. @param inFlight requests in flight, with this one */
	record(number: number, request: QueuedRequest, signal: ServiceSignal, inFlight: number, details: FailureDetails): void {
		if (signal === 'unavailable' || signal === 'rateLimited') return this.recordFailure(number, request, signal, details);
		if (signal !== 'ignore') return this.recordResponse(number, request, signal === 'success', inFlight);
		this.breaker.recordIgnored(number);
		if (request.kind === 'create') this.breakerForCreates.recordIgnored(number);
	}

	private recordResponse(number: number, { kind }: QueuedRequest, isSuccess: boolean, inFlight: number): void {
		const now = time.now();
		const over = this.breaker.recordResponse(number, kind === 'login');
		if (kind !== 'create') this.breakerForCreates.outage?.recordServiceSeen();
		const overForCreates = kind === 'create' ? this.breakerForCreates.recordResponse(number, false) : undefined;
		// Only after a probe: a response to what was in flight before shows that the service can take as many.
		const isProbe = (outage?: Outage) => outage?.cause === 'unavailable' && number > outage.lastNumberBeforeWait;
		if (isProbe(over) || isProbe(overForCreates)) this.adaptive.restart();
		if (over) {
			this.pacer.restart();
			const pace = this.pacer.rate === Infinity ? '' : `; at most ${this.pacer.rate.toFixed(1)} requests a second`;
			this.log(`service responds again after ${Math.round(now - over.since)} ms${pace}`);
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
			// A retry that fails again may be the item's fault.
			if (!request.isRetry && !isRateLimited && (mayBeLimit || status === undefined)) this.lowerLimit(number);
		}
		if (request.kind === 'create' && !isRateLimited) this.breakerForCreates.recordFailure(number, this.lastNumber, request.kind, cause, details);
		if (!this.breaker.recordFailure(number, this.lastNumber, request.kind, cause, details)) return;
		if (wasClosed && (isRateLimited || mayBeLimit)) this.pacer.recordRejection(isRateLimited);
		const reason = isRateLimited ? 'service asks to wait' : `service is unavailable (${status ?? 'no response'})`;
		this.log(`${reason}; requests wait ${Math.round(this.breaker.outage!.dueIn)} ms`);
	}

	private lowerLimit(failed: number): void {
		const { limit } = this;
		if (failed <= this.lastNumberWhenLowered || !this.adaptive.recordFailure(time.now())) return;
		this.lastNumberWhenLowered = this.lastNumber;
		this.log(`limit of concurrent requests ${limit} → ${this.limit}`);
	}
}
