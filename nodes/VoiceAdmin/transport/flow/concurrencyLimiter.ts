import { logDebug, type ServiceKey } from '../../log';
import { LruCache } from '../../lruCache';
import { FairQueue, type QueuedRequest } from './fairQueue';
import { FlowController, type Permit } from './flowController';
import type { FailureDetails, Outage, ServiceSignal } from './outage';
import type { RunLimit } from './runLimit';
import { CHECK_INTERVAL_MS, time } from './time';

/**
 * Permits given before the event loop has a turn. Responses that arrive together make room together: if all requests
 * that follow were sent at once, their responses would arrive together again, and the run would work and wait by turns.
 * 1,000 items with responses after 300 ms took 3.9 s, and take 3.0 s like this.
 */
const MAX_BURST = 4;

/**
 * After this long without a response, a run that has no request in flight gets a permit beyond the limit, in milliseconds:
 * requests that hang, up to their time-out of minutes, are not to hold all other runs.
 */
const STALLED_MS = 5_000;

/** After this long without a request, the service's limits are forgotten, in milliseconds. */
const FORGET_AFTER_MS = 60_000;

/** How long before a run gives up one more probe is sent, in milliseconds. */
const LAST_PROBE_MS = 3_500;

/** Maximum wait if nothing has ever responded, in milliseconds: the address may be wrong. */
const MAX_WAIT_UNKNOWN_MS = 10_000;

interface Waiter extends QueuedRequest {
	run: RunLimit;
	resolve: (acquired: Permit | undefined) => void;
}

/**
 * Limits the requests of all runs with one API key to one service: how many are in flight, how quickly they follow each
 * other, and none but a probe while the service is unavailable or asks to wait. Permits go round the runs that wait, one to each,
 * so that a single item is not behind all items of another run.
 */
export class ConcurrencyLimiter {
	/** What is known about the service; forgotten after a minute without requests. To be read only. */
	flow: FlowController;

	/** Whether anything has ever responded at this address. */
	private hasResponded = false;

	private inFlight = 0;

	private readonly queue = new FairQueue<Waiter>();

	/** Permits given since the timer last fired. */
	private burst = 0;

	/** When the timer for those who wait is due. */
	private wakeAt = Infinity;

	/** When a permit was last released, or given beyond the limit, or a request came when there was none. */
	private lastProgressAt = time.now();

	/** @param log writes a debug line to n8n's log */
	constructor(private readonly log: (message: string) => void) {
		this.flow = new FlowController(log);
	}

	/** Whether no request is in flight or waits. */
	get isIdle(): boolean {
		return this.inFlight === 0 && this.queue.isEmpty;
	}

	/** Waits for a permit for a run. @returns undefined when the run is stopped, or has waited for the service for as long as it may */
	async acquire(run: RunLimit, request: QueuedRequest): Promise<Permit | undefined> {
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

	/** Takes away a run's requests that wait; they get no permit. */
	remove(run: RunLimit): void {
		for (const { resolve } of this.queue.remove(run)) resolve(undefined);
	}

	/** Gives permits to those who wait, as far as there are any. */
	grantPermits(): void {
		while (!this.queue.isEmpty) {
			const next = this.next();
			const delay = next ? this.flow.delay : CHECK_INTERVAL_MS;
			if (!next || delay > 0 || this.burst === MAX_BURST) {
				this.removeExpired();
				return this.schedule(delay);
			}
			this.grant(next);
		}
	}

	/** Takes away the runs that have waited for the service for as long as they may; shortly before, the service is tried once more. */
	private removeExpired(): void {
		// Don't walk the queue on every permit while there is no outage.
		if (!this.flow.anyOutage) return;
		const longest = this.hasResponded ? Infinity : MAX_WAIT_UNKNOWN_MS;
		for (const { run, kind } of this.queue.ofEachRun) {
			const breaker = this.flow.breakerOf(kind);
			if (!breaker.outage) continue;
			const left = run.waitsUntil(breaker.outage.since, longest) - time.now();
			if (left <= 0) this.remove(run);
			else if (left <= LAST_PROBE_MS) breaker.outage.probeEarly();
		}
	}

	/** The request whose turn it is; undefined when none may have a permit. */
	private next() {
		// Beyond the limit, as requests in flight may need it.
		const login = this.queue.next(({ kind }) => kind === 'login');
		if (login) return login;
		if (this.flow.breaker.outage) return this.nextProbe(this.flow.breaker.outage);
		const isFull = this.inFlight >= this.flow.limit;
		if (isFull && time.now() - this.lastProgressAt < STALLED_MS) return undefined;
		const isDue = ({ kind }: Waiter) => kind !== 'create' || !this.flow.breakerForCreates.outage?.dueIn;
		return this.queue.next((waiter) => waiter.run.hasRoom && (!isFull || waiter.run.inFlight === 0) && isDue(waiter));
	}

	/** A request that can be repeated probes first, unless it fails each time, then a create. After a 429, any does. */
	private nextProbe({ cause }: Outage) {
		const next = (isProbe: (waiter: Waiter) => boolean) => this.queue.next((waiter) => waiter.run.hasRoom && isProbe(waiter), true);
		const first = cause === 'rateLimited' ? undefined : next(({ kind, isSuspect }) => kind === 'idempotent' && !isSuspect) ?? next(({ kind }) => kind === 'create');
		return first ?? next(() => true);
	}

	private grant(waiter: Waiter): void {
		this.queue.dequeue(waiter);
		// At most one permit beyond the limit in each `CHECK_INTERVAL_MS`.
		if (this.inFlight >= this.flow.limit) this.lastProgressAt = time.now() - STALLED_MS + CHECK_INTERVAL_MS;
		waiter.resolve(this.createPermit(waiter));
	}

	private createPermit({ run, ...request }: Waiter): Permit {
		// A login is the key's, and not its run's.
		const held = request.kind === 'login' ? 0 : 1;
		this.inFlight++;
		run.inFlight += held;
		this.burst++;
		const number = this.flow.recordSent(request.kind);
		let isReleased = false;
		const permit = {
			number,
			isReported: false,
			report: (signal: ServiceSignal, details: FailureDetails = {}) => {
				if (permit.isReported) return;
				permit.isReported = true;
				this.lastProgressAt = time.now();
				if (signal === 'success' || signal === 'responded' || details.status !== undefined) this.hasResponded = true;
				this.flow.record(number, request, signal, this.inFlight, details);
			},
			release: (signal: ServiceSignal = 'ignore') => {
				permit.report(signal);
				if (isReleased) return;
				isReleased = true;
				this.inFlight--;
				run.inFlight -= held;
				run.onPermitReleased();
			},
		};
		return permit;
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

/**
 * The limiter of a service and API key in this process: the same for every node, execution and item with that key, and that
 * connects in the same way. @param connection the node's own connection settings: a broken proxy must not hold up other nodes
 */
export function limiterOf(key: ServiceKey, connection: object = {}): ConcurrencyLimiter {
	return limiters.get(key.fingerprint + JSON.stringify(connection), () => new ConcurrencyLimiter((message) => logDebug(key, message)));
}
