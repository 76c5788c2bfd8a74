import { loggerOf } from '../../log';
import { LruCache } from '../../lruCache';
import type { ServiceKey } from '../../serviceKey';
import { CHECK_INTERVAL_MS, time } from '../../time';
import type { FailureDetails } from './circuitBreaker';
import { FairQueue, type QueuedRequest, type RequestKind } from './fairQueue';
import type { FailureScope } from './outageDetector';
import type { Run } from './run';
import { type ServiceHealth, ServiceMonitor } from './serviceMonitor';

/** Idle time, in milliseconds, after which what was learned about the service is discarded. */
const FORGET_AFTER_MS = 60_000;

/** A permit to send one request. */
export interface Permit {
	/** Reports, once, what the request shows about the service. @returns as of `ServiceMonitor.record` */
	report: (health: ServiceHealth, failure?: FailureDetails) => FailureScope | undefined;
	/** Call it once. Without a report, the request shows nothing about the service. */
	release: () => void;
}

type Waiter = { request: QueuedRequest; run: Run; resolve: (permit: Permit | undefined) => void };

/** Limits the requests of all runs with one API key, which take turns, to what the monitor allows: `CircuitBreaker`, `RequestPacer`. */
export class ConcurrencyLimiter {
	readonly monitor: ServiceMonitor;
	private readonly queue = new FairQueue<Waiter>();
	private lastUsedAt = time.now();
	private wakeAt = Infinity;

	constructor(log: (message: string) => void) {
		this.monitor = new ServiceMonitor(log);
	}

	get isIdle(): boolean {
		return this.monitor.isIdle && this.queue.isEmpty;
	}

	/** How much longer a run waits for the service, in milliseconds; Infinity if there is no outage. */
	remainingWaitMs(run: Run, kind: RequestKind): number {
		const outage = this.monitor.outageOf(kind);
		return outage ? run.remainingOutageWaitMs(outage, this.monitor.wasReached) : Infinity;
	}

	/** Waits for a permit. @returns undefined if the run is stopped or exceeds its maximum wait for the service */
	async acquire(run: Run, request: QueuedRequest): Promise<Permit | undefined> {
		if (run.isStopped) return undefined;
		run.limiters.add(this);
		if (this.isIdle && time.now() - this.lastUsedAt > FORGET_AFTER_MS) this.monitor.forget();
		this.monitor.recordArrival(request.kind);
		const permit = await new Promise<Permit | undefined>((resolve) => {
			this.queue.add({ request, run, resolve });
			this.grantPermits();
		});
		if (!permit) this.monitor.recordDeparture(request.kind);
		for (const outage of this.monitor.lastOutagesOf(request.kind)) run.recordWait(outage);
		return permit;
	}

	/** Removes a run's waiting requests; they resolve without a permit. */
	remove(run: Run): void {
		for (const { resolve } of this.queue.remove(run)) resolve(undefined);
	}

	/** Grants permits to waiting requests while the limits allow it. A probe that is due is sent even by a run that may not wait. */
	grantPermits(): void {
		while (!this.queue.isEmpty) {
			const delay = this.monitor.delayMs;
			const next = delay > 0 ? undefined : this.takeNext();
			if (!next) {
				this.removeExpired();
				return this.schedule(delay || CHECK_INTERVAL_MS);
			}
			next.resolve(this.createPermit(next));
		}
	}

	/** Of a run that may wait no longer for one kind (`oneOfEachKind`), removes all. */
	private removeExpired(): void {
		for (const { run, request } of this.queue.oneOfEachKind)
			if (this.remainingWaitMs(run, request.kind) <= 0) this.remove(run);
	}

	private takeNext(): Waiter | undefined {
		const { monitor, queue } = this;
		// Logins ignore the window: requests in flight may be waiting for one.
		const login = queue.take(({ request: { kind } }) => kind === 'login' && !monitor.isDelayed(kind));
		if (login || (!monitor.isOpen && !monitor.hasRoom)) return login;
		const { preferences, mayLogIn } = monitor.probes.choice;
		for (const isPreferred of preferences) {
			const waiter = queue.take((each) => isPreferred(each.request) && this.mayBeSent(each), this.waitsForOutage);
			if (waiter) return waiter;
		}
		const logIn = mayLogIn && queue.find(this.mayBeSent)?.request.probeByLogin;
		if (logIn) void monitor.probes.probeByLogin(logIn).then(() => this.grantPermits());
		return undefined;
	}

	private readonly mayBeSent = ({ run, request: { kind } }: Waiter): boolean =>
		kind !== 'login' && run.hasRoom && !this.monitor.isDelayed(kind);

	private readonly waitsForOutage = ({ kind }: QueuedRequest): boolean => this.monitor.outageOf(kind) !== undefined;

	private createPermit({ run, request }: Waiter): Permit {
		const { monitor } = this;
		// A login belongs to the key, not to a run.
		const countedInRun = request.kind === 'login' ? 0 : 1;
		run.inFlight += countedInRun;
		const sent = monitor.recordSent(request);
		let isReported = false;
		const report: Permit['report'] = (health, failure) => {
			isReported = true;
			return monitor.record(sent, health, failure);
		};
		const release = () => {
			if (!isReported) report('inconclusive');
			this.lastUsedAt = time.now();
			monitor.recordReleased(request.kind);
			run.inFlight -= countedInRun;
			// The run's requests may be waiting at another limiter.
			for (const limiter of run.limiters) limiter.grantPermits();
		};
		return { report, release };
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
