import { AdaptiveLimit } from './adaptiveLimit';
import { type Cause, CircuitBreaker, type FailureDetails, type ProbeKind } from './circuitBreaker';
import { RequestPacer } from './requestPacer';
import type { Clock } from './time';

/** What a request says of the service. */
export type ServiceSignal =
	/** It keeps up. */
	| 'success'
	/** It is there, and has failed: a 500, or a token that it does not accept. */
	| 'answered'
	/** Nothing. */
	| 'ignore'
	| Cause;

/** A request that was sent. */
export interface SentRequest {
	/** In the order in which requests are sent. */
	number: number;
	kind: ProbeKind;
	isRetry?: boolean;
}

/**
 * What the requests of a key have shown of their service, and what follows for the next one: how many may be in flight
 * (`AdaptiveLimit`), how quickly they may follow each other (`RequestPacer`), and whether they wait for it (`CircuitBreaker`).
 */
export class FlowController {
	private adaptive = new AdaptiveLimit();

	private pacer: RequestPacer;

	/** Whether requests are sent, or wait for their service. To be read only. */
	readonly breaker: CircuitBreaker;

	/** Whether anything has ever answered at this address. */
	hasAnswered = false;

	/** Number of the last request that was sent. */
	private sent = 0;

	/** The same when the limit was lowered: what was in flight together counts once. */
	private sentBeforeLowered = 0;

	/** @param log writes a line for who operates n8n */
	constructor(
		private readonly log: (message: string) => void,
		private readonly clock: Clock,
	) {
		this.pacer = new RequestPacer(clock);
		this.breaker = new CircuitBreaker(clock);
	}

	/** How many requests may be in flight at present. */
	get limit(): number {
		return this.adaptive.current;
	}

	/** Milliseconds until the next request may be sent; 0 if at once. */
	delay(isLogin: boolean): number {
		return this.breaker.dueIn(isLogin) || this.pacer.delay;
	}

	/** Forgets the limit and the pace. */
	forget(): void {
		this.adaptive = new AdaptiveLimit();
		this.pacer = new RequestPacer(this.clock);
	}

	/** A request is sent. @returns its number */
	recordSent(): number {
		this.breaker.recordProbe(++this.sent);
		this.pacer.recordSent();
		return this.sent;
	}

	/** What a request says of the service. @param inFlight requests in flight, with this one */
	record(request: SentRequest, signal: ServiceSignal, inFlight: number, details: FailureDetails = {}): void {
		if (signal === 'ignore') this.breaker.recordNothing(request.number);
		else if (signal === 'unavailable' || signal === 'rateLimited') this.recordFailure(request, signal, details);
		else this.recordAnswer(request, signal === 'success', inFlight);
	}

	private recordAnswer({ number, kind }: SentRequest, isSuccess: boolean, inFlight: number): void {
		const now = this.clock.now();
		this.hasAnswered = true;
		const over = this.breaker.recordAnswer(number, kind === 'login');
		if (over) {
			this.pacer.restart();
			// What was in flight is as much as it bears for certain.
			if (number > over.sentBefore && over.cause === 'unavailable') this.adaptive.restart();
			const pace = this.pacer.rate === Infinity ? '' : `; at most ${this.pacer.rate.toFixed(1)} requests a second`;
			this.log(`service answers again after ${Math.round(now - over.since)} ms${pace}`);
		}
		if (!isSuccess) return;
		this.pacer.recordSuccess();
		this.adaptive.recordSuccess(inFlight, now);
	}

	private recordFailure({ number, kind, isRetry }: SentRequest, cause: Cause, details: FailureDetails): void {
		const { status } = details;
		// By these, as well as by 429, a service may say that it has too many requests: nginx limits them by 503.
		const isOverloaded = status === 503 || status === 529;
		const isRateLimited = cause === 'rateLimited';
		if (status !== undefined) this.hasAnswered = true;
		if (!this.breaker.outage) {
			if (isOverloaded) this.pacer.recordOverload();
			// A retry that fails again may be the item's fault.
			if (!isRetry && !isRateLimited && (isOverloaded || status === undefined)) this.lowerLimit(number);
		}
		if (!this.breaker.recordFailure(number, this.sent, kind, cause, details)) return;
		if (this.breaker.outage?.failures === 1 && (isRateLimited || isOverloaded)) this.pacer.recordRejection(isRateLimited);
		const reason = isRateLimited ? 'service asks to wait' : `service is away (${status ?? 'no answer'})`;
		this.log(`${reason}; requests wait ${Math.round(this.breaker.dueIn())} ms`);
	}

	private lowerLimit(failed: number): void {
		const { limit } = this;
		if (failed <= this.sentBeforeLowered || !this.adaptive.recordFailure(this.clock.now())) return;
		this.sentBeforeLowered = this.sent;
		this.log(`limit of concurrent requests ${limit} → ${this.limit}`);
	}
}
