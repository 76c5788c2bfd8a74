import { loggerOf } from '../../log';
import { LruCache } from '../../lruCache';
import type { ServiceKey } from '../../serviceKey';
import { CHECK_INTERVAL_MS, time } from '../../time';
import { FairQueue, type QueuedRequest, type RequestKind } from './fairQueue';
import { FlowController } from './flowController';
import type { FailureDetails, Outage, ServiceHealth } from './outage';
import type { Run } from './run';

/**
 * Permits granted before yielding to the event loop. Without this cap, responses that arrive together release a burst of requests, whose
 * responses arrive together again, and the run alternates between work and waiting: 1,000 items at 300 ms took 3.9 s instead of 3.0 s.
 */
const MAX_BURST = 4;

/**
 * After this long without a response, in milliseconds, a run with none in flight gets a permit beyond the limit: hung
 * requests must not block other runs.
 */
const STALLED_MS = 5_000;

/** Idle time, in milliseconds, after which what was learned about the service is discarded. */
const FORGET_AFTER_MS = 60_000;

/** How long before a run gives up a last probe becomes due, in milliseconds. */
const LAST_PROBE_MS = 3_500;

/** Maximum wait, in milliseconds, if nothing has ever responded: the base URL may be wrong. */
const MAX_WAIT_UNKNOWN_MS = 10_000;

/** A permit to send one request. */
export interface Permit {
	/** Sequence number, in sending order. */
	sequenceNumber: number;
	/** Reports what the request shows about the service. Only the first call counts. */
	report: (health: ServiceHealth, details?: FailureDetails) => void;
	/** Call it once. Without a report, the request shows nothing about the service. */
	release: () => void;
}

type Waiter = QueuedRequest & { run: Run; resolve: (acquired: Permit | undefined) => void };

/**
 * Limits the requests of all runs with one API key: how many are in flight, and at what rate; while the circuit breaker is open,
 * it sends only probes. Waiting runs get permits round-robin, so a single item never queues behind all items of another run.
 */
export class ConcurrencyLimiter {
	/** What is known about the service; replaced after a minute without requests. Callers only read it. */
	flow: FlowController;

	/** Whether anything has ever responded at this address. */
	private hasResponded = false;

	private inFlight = 0;

	private readonly queue = new FairQueue<Waiter>();

	/** Permits granted since the timer last fired. */
	private burst = 0;

	/** When the timer is due. */
	private wakeAt = Infinity;

	/** When a request was last reported, or arrived at an idle limiter. */
	private lastProgressAt = time.now();

	/** When a permit was last granted beyond the limit. */
	private lastExtraPermitAt = -Infinity;

	constructor(private readonly log: (message: string) => void) {
		this.flow = new FlowController(log);
	}

	get isIdle(): boolean {
		return this.inFlight === 0 && this.queue.isEmpty;
	}

	/** Waits for a permit. @returns undefined if the run is stopped or exceeds its maximum wait for the service */
	async acquire(run: Run, request: QueuedRequest): Promise<Permit | undefined> {
		if (run.isStopped) return undefined;
		run.limiters.add(this);
		const now = time.now();
		if (this.isIdle) {
			if (now - this.lastProgressAt > FORGET_AFTER_MS) this.flow = new FlowController(this.log);
			this.lastProgressAt = now;
		}
		return await new Promise((resolve) => {
			this.queue.add({ ...request, run, resolve });
			this.grantPermits();
		});
	}

	/** Removes a run's waiting requests; they resolve without a permit. */
	remove(run: Run): void {
		for (const { resolve } of this.queue.remove(run)) resolve(undefined);
	}

	/** Grants permits to waiting requests while the limits allow it. */
	grantPermits(): void {
		while (!this.queue.isEmpty) {
			const next = this.nextWaiter();
			const delay = next ? this.flow.delayMs : CHECK_INTERVAL_MS;
			if (!next || delay > 0 || this.burst === MAX_BURST) {
				this.removeExpired();
				return this.schedule(delay);
			}
			this.queue.dequeue(next);
			if (this.inFlight >= this.flow.limit) this.lastExtraPermitAt = time.now();
			next.resolve(this.createPermit(next));
		}
	}

	/** Removes runs that exceed their maximum wait; shortly before, makes a last probe due. */
	private removeExpired(): void {
		// Don't walk the queue on every permit while there is no outage.
		if (!this.flow.anyOutage) return;
		for (const { run, kind } of this.queue.oneOfEachRun) {
			const remainingMs = this.remainingWaitMs(run, kind);
			if (remainingMs <= 0) this.remove(run);
			else if (remainingMs <= LAST_PROBE_MS) this.flow.outageOf(kind)!.makeProbeDueEarly();
		}
	}

	/** How much longer a run waits for the service, in milliseconds; Infinity if there is no outage. */
	remainingWaitMs(run: Run, kind: RequestKind): number {
		const outage = this.flow.outageOf(kind);
		return outage
			? run.waitsUntil(outage.startedAt, this.hasResponded ? Infinity : MAX_WAIT_UNKNOWN_MS) - time.now()
			: Infinity;
	}

	/** The next request to get a permit; undefined if none may be sent now. */
	private nextWaiter() {
		// Logins ignore the limit: requests in flight may be waiting for one.
		const login = this.queue.next(({ kind }) => kind === 'login');
		if (login) return login;
		const { outage } = this.flow.breaker;
		if (outage) return this.nextProbe(outage);
		const isFull = this.inFlight >= this.flow.limit;
		if (isFull && !this.isStalled) return undefined;
		const isDue = ({ kind }: Waiter) => !this.flow.outageOf(kind)?.probeDueInMs;
		return this.queue.next((waiter) => waiter.run.hasRoom && (!isFull || waiter.run.inFlight === 0) && isDue(waiter));
	}

	private get isStalled(): boolean {
		return time.now() - this.lastProgressAt >= STALLED_MS && time.now() - this.lastExtraPermitAt >= CHECK_INTERVAL_MS;
	}

	/** Probes with a repeatable request first, unless it has often failed, then with a create. After a 429, with any. */
	private nextProbe({ cause }: Outage) {
		const next = (isCandidate: (waiter: Waiter) => boolean) =>
			this.queue.next((waiter) => waiter.run.hasRoom && isCandidate(waiter), true);
		const isPreferred = ({ kind, hasOftenFailed }: Waiter) => kind === 'repeatable' && !hasOftenFailed;
		const first = cause === 'rateLimited' ? undefined : (next(isPreferred) ?? next(({ kind }) => kind === 'create'));
		return first ?? next(() => true);
	}

	private createPermit({ run, ...request }: Waiter): Permit {
		// A login belongs to the key, not to a run.
		const countedInRun = request.kind === 'login' ? 0 : 1;
		this.inFlight++;
		run.inFlight += countedInRun;
		this.burst++;
		const sequenceNumber = this.flow.recordSent(request.kind);
		let isReported = false;
		const report = (health: ServiceHealth, details: FailureDetails = {}) => {
			if (isReported) return;
			isReported = true;
			this.lastProgressAt = time.now();
			if (health === 'healthy' || health === 'responded' || details.status !== undefined) this.hasResponded = true;
			this.flow.record({ ...request, sequenceNumber }, health, details, this.inFlight);
		};
		const release = () => {
			report('inconclusive');
			this.inFlight--;
			run.inFlight -= countedInRun;
			run.onPermitReleased();
		};
		return { sequenceNumber, report, release };
	}

	private schedule(delay: number): void {
		const now = time.now();
		const at = now + Math.min(delay, CHECK_INTERVAL_MS);
		if (this.wakeAt <= at) return;
		this.wakeAt = at;
		void time.sleep(at - now).then(() => {
			if (this.wakeAt !== at) return;
			this.wakeAt = Infinity;
			this.burst = 0;
			this.grantPermits();
		});
	}
}

const limiters = new LruCache<ConcurrencyLimiter>(({ isIdle }) => !isIdle);

/** The process-wide limiter of a service and API key, shared by all nodes and executions. */
export function limiterOf(key: ServiceKey): ConcurrencyLimiter {
	return limiters.getOrCreate(key.fingerprint, () => new ConcurrencyLimiter(loggerOf(key)));
}
