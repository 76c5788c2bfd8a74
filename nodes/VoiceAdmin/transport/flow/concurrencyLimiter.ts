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
import { RequestPacer } from './requestPacer';
import type { Run } from './run';

/** The window: how many requests may be in flight at first, by how many more with each success, and at most. */
const INITIAL_WINDOW = 20;
const WINDOW_GROWTH = 0.5;
const MAX_WINDOW = 500;

/** Failures in a row that open the breaker; one of a create, whose outcome is unknown, is enough. */
const FAILURE_THRESHOLD = 3;

/** How long after a response to another request a single one that fails, while logins get through, does so through its own fault. */
const ALONE_MS = 10_000;

/** Statuses by which proxies limit requests, too: nginx does so by 503. */
const OVERLOAD_STATUSES = [503, 529];

/** Longest delay between probes, in milliseconds. */
const MAX_DELAY_MS = 4_500;

/** The same for creates, and the least delay after several failures: a person has to look up each one that failed. */
const MAX_CREATE_DELAY_MS = 27_000;
const DELAY_AFTER_SEVERAL_CREATES_MS = 1_000;

/** Idle time, in milliseconds, after which what was learned about the service is discarded. */
const FORGET_AFTER_MS = 60_000;

/** Maximum wait, in milliseconds, if nothing has ever responded: the base URL may be wrong. */
const MAX_WAIT_UNKNOWN_MS = 10_000;

/** A failure, with the first attempt of its request that failed. */
type ReportedFailure = FailureDetails & { firstFailedNumber?: number };

/** A permit to send one request. */
export interface Permit {
	/** In sending order. */
	sequenceNumber: number;
	/** Whether a login must be sent in its place, as a probe. */
	needsLogin: boolean;
	/**
	 * Reports, once, what the request shows about the service. @returns whether it failed through its own fault: another one, sent after its
	 * first failure, was answered
	 */
	report: (health: ServiceHealth, failure?: ReportedFailure) => boolean;
	/** Call it once. Without a report, the request shows nothing about the service. */
	release: () => void;
}

type Waiter = QueuedRequest & { run: Run; resolve: (permit: Permit | undefined) => void };

/**
 * Limits the requests of all runs with one API key, which take turns. The window limits how many are in flight, and starts at one after
 * an outage; the pacer limits their rate once the service has rejected some; and while the circuit breaker is open, one probe at a time
 * is sent. A create that fails as a probe may have been done, and a retry may fail through its own fault, so a login probes in their
 * place. Logins and creates have breakers of their own: if only they fail, only they wait.
 */
export class ConcurrencyLimiter {
	/** Whether anything has ever responded at this address; and whether a request has succeeded, apart from logins. */
	private hasResponded = false;
	hasAnswered = false;

	/** What was learned about the service. */
	private breaker!: CircuitBreaker;
	private breakerOf!: Record<RequestKind, CircuitBreaker | undefined>;
	private pacer!: RequestPacer;
	private window!: number;
	/** The requests that failed in a row, by the first attempt of each that failed. */
	private failedInRow: number[] = [];

	/**
	 * Whether a login says nothing about other requests: it failed otherwise, as by a limit of logins, or got through when a create failed.
	 * The next create probes itself.
	 */
	private isLoginMisleading = false;

	/** The share of the last hundred requests, about, whose first attempt failed as in an outage. */
	private failureShare = 0;

	/** The last requests, in sending order, that were sent, and, apart from logins, that got a response of any status; and when. */
	private lastSentNumber = 0;
	private lastRespondedNumber = 0;
	private lastRespondedAt = -Infinity;

	private readonly queue = new FairQueue<Waiter>();
	private inFlight = 0;
	private lastUsedAt = time.now();

	/** When the timer is due. */
	private wakeAt = Infinity;

	constructor(private readonly log: (message: string) => void) {
		this.forget();
	}

	get isIdle(): boolean {
		return this.inFlight === 0 && this.queue.isEmpty;
	}

	/** Whether so many requests fail that one that has failed several times may have met that by chance. */
	get failsAtRandom(): boolean {
		return this.failureShare > 1 / 25;
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
		if (!outage) return Infinity;
		const maxWaitMs = Math.min(run.maxWaitMs, this.hasResponded ? Infinity : MAX_WAIT_UNKNOWN_MS);
		const endsAt = Math.max(outage.startedAt, run.startedAt) + maxWaitMs;
		// A run that began late in an outage waits for one probe.
		const isLate = run.startedAt >= outage.startedAt + maxWaitMs && this.breaker.failedAt > run.startedAt;
		return isLate || outage.retryAfterUntil > endsAt ? 0 : endsAt - time.now();
	}

	/** Waits for a permit. @returns undefined if the run is stopped or exceeds its maximum wait for the service */
	async acquire(run: Run, request: QueuedRequest): Promise<Permit | undefined> {
		if (run.isStopped) return undefined;
		run.limiters.add(this);
		if (this.isIdle && time.now() - this.lastUsedAt > FORGET_AFTER_MS) this.forget();
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

	/** Grants permits to waiting requests while the limits allow it. */
	grantPermits(): void {
		while (!this.queue.isEmpty) {
			this.removeExpired();
			const delay = this.breaker.delayMs || this.pacer.delayMs;
			const next = delay > 0 ? undefined : this.takeNext();
			if (!next) return this.schedule(delay || CHECK_INTERVAL_MS);
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
		if (login || (!isProbe && this.inFlight >= this.window)) return login;
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
		const report = (health: ServiceHealth, failure: ReportedFailure = {}) => {
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
			this.lastRespondedNumber = Math.max(this.lastRespondedNumber, sequenceNumber);
			this.lastRespondedAt = time.now();
			this.failedInRow = [];
			this.isLoginMisleading = false;
			this.failureShare *= 0.99;
		}
		for (const breaker of this.breakersOf(kind)) {
			const ended = breaker.recordResponse(sequenceNumber, kind === 'login');
			if (ended?.cause === 'unavailable') this.window = this.inFlight;
			if (ended) this.log(`service responds again after ${Math.round(time.now() - ended.startedAt)} ms`);
		}
		if (!isSuccess) return;
		this.hasAnswered ||= kind !== 'login';
		this.pacer.recordAccepted(sequenceNumber);
		if (2 * this.inFlight >= this.window) this.window = Math.min(this.window + WINDOW_GROWTH, MAX_WINDOW);
	}

	private recordFailure(number: number, kind: RequestKind, cause: OutageCause, failure: ReportedFailure): boolean {
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
		if (!isLimited && number === firstFailedNumber) this.failureShare += 0.01 * (1 - this.failureShare);
		if (isLimited) this.window = Math.max(1, this.window - 1);
		// A probe that fails by 503 shows an outage.
		const isOverload = OVERLOAD_STATUSES.includes(status!) && (isClosed || this.breaker.wasSentBefore(number));
		if (isLimited || isOverload) this.pacer.recordRejection(number, this.lastSentNumber);
		this.isLoginMisleading = kind === 'create' && this.breaker.wasClosedByLogin;
		const isOwnFault = isClosed && !isLimited && this.isOwnFault(firstFailedNumber);
		const isEnough = isLimited ? retryAfterMs > 0 : kind === 'create';
		const opens =
			!isOwnFault && (this.failedInRow.push(firstFailedNumber) >= FAILURE_THRESHOLD || isEnough || !isClosed);
		const hasOpened = opens && fail(this.breaker);
		if (isLimited) this.breakerOf[kind]?.recordInconclusive(number);
		else fail(this.breakerOf[kind]);
		if (hasOpened)
			this.log(`service ${isLimited ? 'asks to wait' : `is unavailable (${status ?? 'no response'})`}; requests wait`);
		return isOwnFault;
	}

	/** Whether a request fails although the service is available to others that were sent after it, or a moment ago. */
	private isOwnFault(firstFailedNumber: number): boolean {
		if (this.lastRespondedNumber > firstFailedNumber) return true;
		const isAlone = this.failedInRow.every((number) => number === firstFailedNumber);
		return isAlone && this.breaker.wasClosedByLogin && time.now() - this.lastRespondedAt < ALONE_MS;
	}

	/** The breakers that learn from a request. */
	private breakersOf(kind: RequestKind): CircuitBreaker[] {
		return [this.breaker, ...(this.breakerOf[kind] ? [this.breakerOf[kind]] : [])];
	}

	private forget(): void {
		this.breaker = new CircuitBreaker(MAX_DELAY_MS);
		this.breakerOf = {
			login: new CircuitBreaker(MAX_DELAY_MS),
			repeatable: undefined,
			create: new CircuitBreaker(MAX_CREATE_DELAY_MS, 3, DELAY_AFTER_SEVERAL_CREATES_MS),
		};
		this.pacer = new RequestPacer();
		this.window = INITIAL_WINDOW;
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
