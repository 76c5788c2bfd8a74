import { sleep } from 'n8n-workflow';

import { RequestPacer } from './requestPacer';

/** Concurrent requests that a run starts with; more are earned. */
const INITIAL_LIMIT = 25;

/**
 * Permits given before the event loop has a turn. Responses that arrive together make room together: if all requests
 * that follow were sent at once, their responses would arrive together again, and the run would work and wait by turns.
 * 1,000 items with responses after 300 ms took 3.9 s, and take 3.0 s like this.
 */
const MAX_BURST = 4;

/** How often a closed limiter is noticed while requests are spaced, in milliseconds. */
const SLICE_MS = 200;

/** A permit to send one request, from `acquire` to `release`. */
export interface Permit {
	/** Pauses that were over when it was given: of a burst that is rejected each one asks for a pause, and one counts. */
	readonly pausesOver: number;
	/** Decreases of the limit by then: one burst of bad responses decreases it once. */
	readonly decreases: number;
}

/** What a request says of the service: that it keeps up, nothing, or that it is overloaded. */
export type LimiterSignal = 'success' | 'ignore' | 'dropped';

/**
 * Adaptive limit of concurrent requests: from 25 it doubles with each full round of successes of which half is used; the
 * first "dropped" halves it, and from then on it grows by one a round. Once the service has asked for a pause, requests
 * are paced as well. Permits are given in order, a few at a time, and to retries first.
 */
export class ConcurrencyLimiter {
	private current: number;

	private inFlight = 0;

	private successes = 0;

	/** In this round. */
	private maxInFlight = 0;

	private decreases = 0;

	/** Pauses that are not over. */
	private pauses = 0;

	/** Pauses that are over and counted. */
	private pausesOver = 0;

	/** Whether the current pause says something new of the service. */
	private pauseCounts = false;

	private readonly queue: Array<(permit: Permit | undefined) => void> = [];

	/** Requests that are sent again; they go first. */
	private readonly retries: Array<(permit: Permit | undefined) => void> = [];

	/** Whether the run has ended: stopped by a failure, cancelled, or out of time. */
	isClosed = false;

	private readonly pacer = new RequestPacer();

	/** Permits given since the event loop had a turn. */
	private burst = 0;

	/** Whether a timer is set for those who wait. */
	private isScheduled = false;

	constructor(private readonly max: number) {
		this.current = Math.min(INITIAL_LIMIT, max);
	}

	/** How many requests may be in flight at present. */
	get limit(): number {
		return this.current;
	}

	/** Waits for a permit. @returns undefined when the limiter was closed: nothing more is to be sent */
	async acquire(isRetry = false): Promise<Permit | undefined> {
		if (this.isClosed) return undefined;
		if (this.inFlight === 0 && this.waiting === 0 && this.pauses === 0) this.pacer.start();
		return await new Promise((resolve) => {
			(isRetry ? this.retries : this.queue).push(resolve);
			this.admit();
		});
	}

	/** Gives a permit back, with what the request said of the service. */
	release(permit: Permit, signal: LimiterSignal): void {
		this.inFlight--;
		if (signal === 'dropped') this.decrease(permit);
		if (signal === 'success') this.countSuccess();
		this.admit();
	}

	/** Gives no permits until `over` is settled: the service has asked for a pause, in its response to the request of `permit`. */
	async pauseUntil(over: Promise<void>, permit: Permit): Promise<void> {
		if (this.pauses++ === 0) this.pacer.pauseStarted();
		this.pauseCounts ||= permit.pausesOver === this.pausesOver;
		await over;
		if (--this.pauses === 0 && this.pauseCounts) {
			this.pauseCounts = false;
			this.pausesOver++;
			this.pacer.pauseEnded(this.current);
		}
		this.admit();
	}

	/** Ends the run: gives no permits any more, and sends those who wait away. */
	close(): void {
		this.isClosed = true;
		for (const resolve of [...this.retries.splice(0), ...this.queue.splice(0)]) resolve(undefined);
	}

	private get waiting(): number {
		return this.retries.length + this.queue.length;
	}

	private hasRoom(): boolean {
		return this.inFlight < this.current && this.pauses === 0;
	}

	private permit(): Permit {
		this.inFlight++;
		this.maxInFlight = Math.max(this.maxInFlight, this.inFlight);
		this.burst++;
		this.pacer.recordSent();
		return { decreases: this.decreases, pausesOver: this.pausesOver };
	}

	private admit(): void {
		while (this.hasRoom() && this.waiting > 0) {
			const { delay } = this.pacer;
			if (delay > 0 || this.burst === MAX_BURST) return this.schedule(delay);
			(this.retries.shift() ?? this.queue.shift())?.(this.permit());
		}
	}

	private schedule(delay: number): void {
		if (this.isScheduled) return;
		this.isScheduled = true;
		void sleep(Math.min(delay, SLICE_MS)).then(() => {
			this.isScheduled = false;
			this.burst = 0;
			this.admit();
		});
	}

	private countSuccess(): void {
		this.pacer.recordSuccess();
		if (++this.successes < this.current) return;
		// A limit that was not used says nothing of what the service can bear.
		const wasUsed = this.maxInFlight * 2 >= this.current;
		this.startRound();
		if (!wasUsed) return;
		const increased = this.decreases === 0 ? this.current * 2 : this.current + 1;
		this.current = Math.min(increased, this.max);
	}

	private decrease(permit: Permit): void {
		if (permit.decreases < this.decreases) return;
		this.decreases++;
		this.startRound();
		this.current = Math.max(1, Math.floor(this.current / 2));
	}

	private startRound(): void {
		this.successes = 0;
		this.maxInFlight = this.inFlight;
	}
}
