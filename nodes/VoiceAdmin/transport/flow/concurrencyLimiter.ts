import { loggerOf } from '../../log';
import { LruCache } from '../../lruCache';
import type { ServiceKey } from '../../serviceKey';
import { CHECK_INTERVAL_MS, time } from '../../time';
import {
	CircuitBreaker,
	type FailureDetails,
	type Outage,
	type OutageCause,
	type ServiceHealth,
} from './circuitBreaker';
import { FairQueue, type QueuedRequest, type RequestKind } from './fairQueue';
import { OwnFaults } from './ownFaults';
import { RequestPacer } from './requestPacer';
import type { Run } from './run';

/** Longest delay between probes, in milliseconds. */
const MAX_DELAY_MS = 4_500;

/** Of creates: less often, because a person has to look up each one that failed. */
const CREATE_BREAKER = [27_000, 3, 1_000] as const;

/** Idle time, in milliseconds, after which what was learned about the service is discarded. */
const FORGET_AFTER_MS = 60_000;

/** A permit to send one request. */
export interface Permit {
	/** In sending order. */
	sequenceNumber: number;
	/** Whether a login must be sent in its place, as a probe. */
	needsLogin: boolean;
	/** Reports, once, what the request shows about the service. @returns whether it failed through its own fault, as of `OwnFaults` */
	report: (health: ServiceHealth, failure?: FailureDetails) => boolean;
	/** Call it once. Without a report, the request shows nothing about the service. */
	release: () => void;
}

type Waiter = QueuedRequest & { run: Run; resolve: (permit: Permit | undefined) => void };

/**
 * Limits the requests of all runs with one API key, which take turns. The window limits how many are in flight, and is narrow after
 * an outage; the pacer limits their rate once the service has rejected some; and while the circuit breaker is open, one probe at a time
 * is sent. A create that fails as a probe may have been done, and a retry may fail through its own fault, so a login probes in their
 * place. Logins and creates have breakers of their own: if only they fail, only they wait.
 */
export class ConcurrencyLimiter {
	/** Whether anything has ever responded at this address; and whether a request has succeeded, apart from logins. */
	private hasResponded = false;
	hasAnswered = false;
	private breaker!: CircuitBreaker;
	private breakerOf!: Partial<Record<RequestKind, CircuitBreaker>>;
	private pacer!: RequestPacer;
	ownFaults!: OwnFaults;

	/** Whether a login says nothing about creates: it failed otherwise, or got through when one failed. Then the next one probes itself. */
	private isLoginMisleading = false;
	private readonly queue = new FairQueue<Waiter>();
	private lastSentNumber = 0;
	private inFlight = 0;
	private lastUsedAt = time.now();
	private wakeAt = Infinity;

	constructor(private readonly log: (message: string) => void) {
		this.forget();
	}

	get isIdle(): boolean {
		return this.inFlight === 0 && this.queue.isEmpty;
	}

	/** Whether a login is to find out when the service is back. */
	get needsLogin(): boolean {
		const areLoginsLimited = this.breakerOf.login!.outage?.cause === 'rateLimited';
		return this.breaker.outage?.cause === 'unavailable' && !this.isLoginMisleading && !areLoginsLimited;
	}

	/** The outage for which a request of this kind waits. */
	outageOf(kind: RequestKind): Outage | undefined {
		return this.breaker.outage ?? this.breakerOf[kind]?.outage;
	}

	/** How much longer a run waits for the service, in milliseconds; Infinity if there is no outage. */
	remainingWaitMs(run: Run, kind: RequestKind): number {
		const outage = this.outageOf(kind);
		return outage ? run.remainingWaitMs(outage, this.hasResponded) : Infinity;
	}

	/** Waits for a permit. @returns undefined if the run is stopped or exceeds its maximum wait for the service */
	async acquire(run: Run, request: QueuedRequest): Promise<Permit | undefined> {
		if (run.isStopped) return undefined;
		run.limiters.add(this);
		if (this.isIdle && time.now() - this.lastUsedAt > FORGET_AFTER_MS && this.breaker.delayMs === 0) this.forget();
		const permit = await new Promise<Permit | undefined>((resolve) => {
			this.queue.add({ ...request, run, resolve });
			this.grantPermits();
		});
		for (const { lastOutage } of this.breakersOf(request.kind)) run.recordWait(lastOutage);
		return permit;
	}

	/** Removes a run's waiting requests; they resolve without a permit. */
	remove(run: Run): void {
		for (const { resolve } of this.queue.remove(run)) resolve(undefined);
	}

	/** Grants permits to waiting requests while the limits allow it. A probe that is due is sent even by a run that may not wait. */
	grantPermits(): void {
		while (!this.queue.isEmpty) {
			const delay = this.breaker.delayMs || this.pacer.delayMs;
			const next = delay > 0 ? undefined : this.takeNext();
			if (!next) {
				this.removeExpired();
				return this.schedule(delay || CHECK_INTERVAL_MS);
			}
			next.resolve(this.createPermit(next));
		}
	}

	private removeExpired(): void {
		// Don't walk the queue on every permit while there is no outage.
		if (!this.outageOf('create') && !this.outageOf('login')) return;
		for (const { run, kind } of this.queue.oneOfEachKind) if (this.remainingWaitMs(run, kind) <= 0) this.remove(run);
	}

	private takeNext(): Waiter | undefined {
		const isProbe = this.breaker.outage !== undefined;
		const take = (...kinds: RequestKind[]) =>
			this.queue.take(({ run, kind }) => {
				const mayBeSent = kinds.includes(kind) && !this.breakerOf[kind]?.delayMs;
				return mayBeSent && (kind === 'login' || run.hasRoom);
			}, isProbe);
		// Logins ignore the window: requests in flight may be waiting for one.
		const login = take('login');
		if (login || (!isProbe && this.inFlight >= this.pacer.window)) return login;
		return isProbe ? (take('repeatable') ?? take('create')) : take('repeatable', 'create');
	}

	private createPermit({ run, ...waiter }: Waiter): Permit {
		const mayProbe = waiter.mayProbe || waiter.kind === 'login' || (waiter.kind === 'repeatable' && !waiter.isRetry);
		const needsLogin = this.needsLogin && !mayProbe;
		const kind = needsLogin ? 'login' : waiter.kind;
		// A login belongs to the key, not to a run.
		const countedInRun = kind === 'login' ? 0 : 1;
		this.inFlight++;
		run.inFlight += countedInRun;
		const sequenceNumber = ++this.lastSentNumber;
		for (const breaker of this.breakersOf(kind)) breaker.recordSent();
		this.pacer.recordSent();
		let isReported = false;
		const report = (health: ServiceHealth, failure: FailureDetails = {}) => {
			isReported = true;
			if (health === 'unavailable' || health === 'rateLimited')
				return this.recordFailure(sequenceNumber, kind, health, failure);
			if (health !== 'inconclusive') this.recordResponse(sequenceNumber, kind, health === 'healthy');
			else for (const breaker of this.breakersOf(kind)) breaker.recordInconclusive(sequenceNumber);
			return false;
		};
		const release = () => {
			if (!isReported) report('inconclusive');
			this.lastUsedAt = time.now();
			this.inFlight--;
			run.inFlight -= countedInRun;
			// The run's requests may be waiting at another limiter.
			for (const limiter of run.limiters) limiter.grantPermits();
		};
		return { sequenceNumber, needsLogin, report, release };
	}

	private recordResponse(sequenceNumber: number, kind: RequestKind, isSuccess: boolean): void {
		this.hasResponded = true;
		if (kind !== 'login') {
			this.ownFaults.recordResponse(sequenceNumber);
			this.isLoginMisleading = false;
		}
		for (const breaker of this.breakersOf(kind)) {
			const ended = breaker.recordResponse(sequenceNumber, kind === 'login');
			if (ended?.cause === 'unavailable') this.pacer.window = this.inFlight;
			if (ended && breaker === this.breaker)
				this.log(`service responds again after ${Math.round(time.now() - ended.startedAt)} ms`);
		}
		if (!isSuccess) return;
		this.hasAnswered ||= kind !== 'login';
		this.pacer.recordAccepted(sequenceNumber, this.inFlight);
	}

	private recordFailure(number: number, kind: RequestKind, cause: OutageCause, failure: FailureDetails): boolean {
		const { retryAfterMs = 0, status, firstFailedNumber = number } = failure;
		const isLimited = cause === 'rateLimited';
		this.hasResponded ||= status !== undefined;
		const fail = (breaker?: CircuitBreaker) => breaker?.recordFailure(number, cause, failure, this.lastSentNumber);
		if (kind === 'login') {
			fail(this.breakerOf.login);
			const { outage } = this.breaker;
			this.isLoginMisleading = !isLimited && !!status && !!outage?.status && status !== outage.status;
			if (isLimited || this.isLoginMisleading) this.breaker.recordInconclusive(number);
			else if (outage) fail(this.breaker);
			return false;
		}
		const isClosed = !this.breaker.outage;
		// A probe that fails by 503 shows an outage.
		if (isLimited || isClosed || this.breaker.wasSentBefore(number))
			this.pacer.recordFailure(number, this.lastSentNumber, status);
		const isAfterLogin = this.breaker.wasClosedByLogin;
		this.isLoginMisleading = kind === 'create' && isAfterLogin && !this.breaker.wasSentBefore(number);
		const isOwnFault = isClosed && !isLimited && this.ownFaults.isOwn(firstFailedNumber, isAfterLogin);
		const areMany = this.ownFaults.recordFailure(
			firstFailedNumber,
			isOwnFault,
			!isLimited && number === firstFailedNumber,
		);
		// The outcome of a create is unknown: one is enough.
		const isEnough = areMany || !isClosed || (isLimited ? retryAfterMs > 0 : kind === 'create');
		const hasOpened = !isOwnFault && isEnough && fail(this.breaker);
		if (isLimited) this.breakerOf[kind]?.recordInconclusive(number);
		else fail(this.breakerOf[kind]);
		const what = isLimited ? 'asks to wait' : `is unavailable (${status ?? 'no response'})`;
		if (hasOpened) this.log(`service ${what}; requests wait`);
		return isOwnFault;
	}

	/** The breakers that learn from a request. */
	private breakersOf(kind: RequestKind): CircuitBreaker[] {
		return [this.breaker, ...(this.breakerOf[kind] ? [this.breakerOf[kind]] : [])];
	}

	private forget(): void {
		this.breaker = new CircuitBreaker(MAX_DELAY_MS);
		this.breakerOf = { login: new CircuitBreaker(MAX_DELAY_MS), create: new CircuitBreaker(...CREATE_BREAKER) };
		this.pacer = new RequestPacer();
		this.ownFaults = new OwnFaults();
	}

	private schedule(delay: number): void {
		const at = time.now() + Math.min(delay, CHECK_INTERVAL_MS);
		if (this.wakeAt <= at) return;
		this.wakeAt = at;
		void time.sleep(at - time.now()).then(() => {
			if (this.wakeAt !== at) return;
			this.wakeAt = Infinity;
			this.grantPermits();
		});
	}
}

const limiters = new LruCache<ConcurrencyLimiter>(({ isIdle }) => !isIdle);

/** The process-wide limiter of a service and API key, shared by all nodes and executions. */
export function limiterOf(key: ServiceKey): ConcurrencyLimiter {
	return limiters.getOrCreate(key.fingerprint, () => new ConcurrencyLimiter(loggerOf(key)));
}
