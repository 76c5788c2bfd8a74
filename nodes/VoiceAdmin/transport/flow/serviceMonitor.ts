import { time } from '../../time';
import { CircuitBreaker, type FailureDetails, type Outage, type OutageCause, type Sent } from './circuitBreaker';
import type { QueuedRequest, RequestKind } from './fairQueue';
import { type FailureScope, OutageDetector } from './outageDetector';
import { type Breakers, ProbeStrategy } from './probeStrategy';
import { RequestPacer } from './requestPacer';

/** What a request's result shows about the service. */
export type ServiceHealth =
	| 'healthy'
	/** It responds, but fails or doesn't accept the token: a 500, a 401. */
	| 'responded'
	| 'inconclusive'
	| OutageCause;

/** An attempt of a request that was sent. */
export interface SentRequest extends Sent {
	request: QueuedRequest;
	isRetry: boolean;
}

const createDetectors = () => ({ all: new OutageDetector(), creates: new OutageDetector() });

/** Of creates that may have been done, which a person has to look up: probes are rare, and one of two servers may be down. */
const LIMITS_OF_CREATES = { maxDelayMs: 27_000, successThreshold: 3 };

/**
 * Learns from what becomes of the requests with one API key how many the service takes (the pacer), and whether it is away (the circuit
 * breakers) or only one request fails. Logins and creates have breakers of their own: if only they fail, only they wait.
 *
 * For example, a create gets a 502: both breakers open. After half a second, a request that may be repeated, and wasn't sent before, is
 * sent, or else a login (`ProbeStrategy`); its response closes the breaker of all requests. Then the next create is sent alone, and its
 * response closes that of creates.
 *
 * | what | the breaker of all requests | its own: of logins, or of creates |
 * |---|---|---|
 * | a login gets a token, or any other response but those below | if open, closes | closes |
 * | a login gets a 429 | if it was the last probe, the next one is due | opens |
 * | a login finds an outage | if open, stays so for longer; if requests fail in another way (`failsAsRequests`), as in the row above | opens |
 * | a request gets a response | if open, closes | closes |
 * | a request gets a 429 | if open, stays so for longer; otherwise opens for `Retry-After`, or after three failures in a row | if it was the last probe, the next one is due |
 * | a create finds an outage | as below, but already after one that may have been done | opens after one that may have been done, or three in a row (in an outage of all requests, one); otherwise, if it was the last probe, the next one is due |
 * | another request finds an outage | if open, stays so for longer; otherwise opens after three attempts in a row, unless only this request fails | - |
 */
export class ServiceMonitor {
	/** Whether this address has ever responded, to anything; and whether the API has, apart from logins and pages in its place. */
	wasReached = false;
	isApiConfirmed = false;

	private pacer = new RequestPacer();
	private detectors = createDetectors();

	private readonly breakers: Breakers = {
		all: new CircuitBreaker(),
		logins: new CircuitBreaker(),
		creates: new CircuitBreaker(LIMITS_OF_CREATES),
	};
	readonly probes = new ProbeStrategy(this.breakers);

	/** For which breakers requests of a kind wait, and which learn from them. */
	private readonly breakersOf: Record<RequestKind, CircuitBreaker[]> = {
		login: [this.breakers.all, this.breakers.logins],
		repeatable: [this.breakers.all],
		create: [this.breakers.all, this.breakers.creates],
	};

	private lastSentNumber = 0;

	constructor(private readonly log: (message: string) => void) {}

	/** Of an idle service, what was learned about its limits; an outage goes on until something responds. */
	forget(): void {
		this.pacer = new RequestPacer();
		this.detectors = createDetectors();
	}

	/** Whether the breaker of all requests is open: but for probes, they wait for the service. */
	get isOpen(): boolean {
		return this.breakers.all.outage !== undefined;
	}

	get isIdle(): boolean {
		return this.pacer.inFlight === 0;
	}

	/** Whether one more may be in flight. */
	get hasRoom(): boolean {
		return this.pacer.hasRoom;
	}

	/** Milliseconds until the next request may be sent; 0 if at once. */
	get delayMs(): number {
		return this.breakers.all.delayMs || this.pacer.delayMs;
	}

	/** Whether requests of this kind wait, maybe others, too. */
	isDelayed(kind: RequestKind): boolean {
		return this.breakersOf[kind].some(({ delayMs }) => delayMs > 0);
	}

	/** The outage for which a request of this kind waits. */
	outageOf(kind: RequestKind): Outage | undefined {
		return this.breakersOf[kind].find(({ outage }) => outage)?.outage;
	}

	/** The current or last ones for which requests of this kind waited, by their beginning. */
	lastOutagesOf(kind: RequestKind): Outage[] {
		return this.breakersOf[kind]
			.flatMap(({ lastOutage }) => lastOutage ?? [])
			.sort((a, b) => a.startedAt - b.startedAt);
	}

	/** Records a request that is to wait, and then that it has ended, or waits no longer. */
	recordArrival(kind: RequestKind): void {
		for (const breaker of this.breakersOf[kind]) breaker.recordArrival();
	}

	recordDeparture(kind: RequestKind): void {
		for (const breaker of this.breakersOf[kind]) breaker.recordDeparture();
	}

	recordSent(request: QueuedRequest): SentRequest {
		const { isRetry = false } = request;
		const sent = { number: ++this.lastSentNumber, sentAt: time.now(), request, isRetry };
		for (const breaker of this.breakersOf[request.kind]) breaker.recordSent(sent);
		this.pacer.recordSent(sent.number);
		return sent;
	}

	recordReleased(kind: RequestKind): void {
		this.pacer.recordReleased();
		this.recordDeparture(kind);
	}

	/** Records what a request shows about the service. @returns what fails; undefined if nothing does, or a 429 or a login */
	record(sent: SentRequest, health: ServiceHealth, failure: FailureDetails = {}): FailureScope | undefined {
		const { kind } = sent.request;
		if (health === 'healthy' || health === 'responded') this.recordResponse(sent, health === 'healthy');
		else if (health === 'inconclusive') for (const breaker of this.breakersOf[kind]) breaker.recordInconclusive(sent);
		else if (kind === 'login') this.recordFailedLogin(sent, health, failure);
		else if (health === 'rateLimited') this.recordRateLimited(sent, failure);
		else return this.recordUnavailable(sent, failure);
		return undefined;
	}

	private recordResponse(sent: SentRequest, isSuccess: boolean): void {
		const { kind } = sent.request;
		this.wasReached = true;
		if (kind !== 'login') {
			this.detectors.all.recordResponse(sent.number);
			this.probes.recordResponse();
		}
		if (kind === 'create') this.detectors.creates.recordResponse(sent.number);
		for (const breaker of this.breakersOf[kind]) {
			const ended = breaker.recordResponse(sent, kind === 'login' && breaker === this.breakers.all);
			// Also after an outage of creates alone: a person has to look up each one in flight when the next begins.
			if (ended?.wasUnavailable) this.pacer.restartWindow();
			if (ended && breaker === this.breakers.all)
				this.log(`service responds again after ${Math.round(time.now() - ended.startedAt)} ms`);
		}
		if (!isSuccess) return;
		this.isApiConfirmed ||= kind !== 'login';
		this.pacer.recordAccepted(sent.number);
	}

	/** A login alone never opens the breaker of all requests, but as a probe shows that an outage goes on. */
	private recordFailedLogin(sent: SentRequest, cause: OutageCause, failure: FailureDetails): void {
		this.wasReached ||= failure.status !== undefined;
		this.breakers.logins.recordFailure(sent, cause, failure);
		const { all } = this.breakers;
		if (cause === 'rateLimited' || !this.probes.failsAsRequests(failure)) all.recordInconclusive(sent);
		else if (this.isOpen) all.recordFailure(sent, cause, failure);
	}

	/** A 429: the pacer slows down. Requests wait if the service asks for it, or rejects all. */
	private recordRateLimited(sent: SentRequest, failure: FailureDetails): void {
		const { number, request } = sent;
		this.wasReached = true;
		this.pacer.recordFailure(number, failure.status);
		// It says nothing about creates: the next one may probe.
		if (request.kind === 'create') this.breakers.creates.recordInconclusive(sent);
		const mustWait = this.isOpen || (failure.retryAfterMs ?? 0) > 0;
		if (!mustWait && !this.detectors.all.recordRateLimited(request, number)) return;
		const hasChanged = this.breakers.all.recordFailure(sent, 'rateLimited', failure);
		if (hasChanged) this.log('service limits requests; they wait');
	}

	/** No response, or one that something else gave in the service's place. */
	private recordUnavailable(sent: SentRequest, failure: FailureDetails): FailureScope {
		const { status } = failure;
		const { all } = this.breakers;
		this.wasReached ||= status !== undefined;
		const isProbe = this.isOpen && !all.wasSentBeforeOpening(sent);
		const isCreate = sent.request.kind === 'create';
		const wasOpen = this.outageOf('create') !== undefined;
		const scopeOfCreate = isCreate ? this.recordUnavailableForCreates(sent, failure) : undefined;
		const scope = this.detect('all', sent, all.wasClosedByLogin);
		// nginx limits by 503. Of a probe, it shows an outage; of a retry, maybe, that this request always gets it.
		const mayBeLimit = !sent.isRetry || (this.pacer.isLimitKnown && scope !== 'request');
		if (!isProbe && mayBeLimit) this.pacer.recordFailure(sent.number, status);
		// A person has to look up a create that may have been done: one is enough.
		if (scope === 'service' || (scope === 'undecided' && isCreate && failure.mayBeDone)) {
			const hasChanged = all.recordFailure(sent, 'unavailable', failure);
			if (hasChanged) this.log(`service is unavailable (${status ?? 'no response'}); requests wait`);
		}
		if (!wasOpen && this.outageOf('create')) this.pacer.recordOutage();
		// Retries of a create are decided by other creates.
		return scopeOfCreate ?? scope;
	}

	/** Even if others are answered, maybe only creates fail. */
	private recordUnavailableForCreates(sent: SentRequest, failure: FailureDetails): FailureScope {
		const { creates } = this.breakers;
		const scope = this.detect('creates', sent, creates.outage !== undefined);
		if (failure.mayBeDone || scope === 'service') creates.recordFailure(sent, 'unavailable', failure);
		else creates.recordInconclusive(sent);
		return scope;
	}

	/** Records a failure in a detector. */
	private detect(of: 'all' | 'creates', { request, number }: SentRequest, areOthersAnswered: boolean): FailureScope {
		const circumstances = { lastSentNumber: this.lastSentNumber, isOutage: this.isOpen, areOthersAnswered };
		return this.detectors[of].recordFailure(request, number, circumstances);
	}
}
