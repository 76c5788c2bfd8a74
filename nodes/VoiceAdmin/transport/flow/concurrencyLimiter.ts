import { sleep } from 'n8n-workflow';

import { Spacing } from './requestPacer';

/** Requests in flight that a run starts with; more are earned. */
const START = 25;

/**
 * Places given before the event loop has a turn. Replies that come together make room together: were
 * all who follow sent at once, none would be on its way before the last of those replies is dealt
 * with, and theirs would come together again. So a run would work and wait by turns: 1,000 items with
 * replies after 300 ms took 3.9 s, and take 3.0 s like this; after 50 ms 1.8 and 1.6 s, with half as
 * many in flight.
 */
const AT_ONCE = 4;

/** Whether the pace was closed is looked at this often while requests are spaced, in milliseconds. */
const SLICE_MS = 200;

/** A place among the requests in flight, from `enter` to `leave`. */
export interface Place {
	/** Pauses that were over when it was given: of a burst that is refused each one asks, and one counts. */
	readonly pausesOver: number;
	/** The slow-down during which it was given: one burst of bad replies slows a run down once. */
	readonly slowDowns: number;
}

/** What a request told of the service: that it keeps up, that it does not, or nothing of either. */
export type Sign = 'good' | 'neutral' | 'strained';

/**
 * How many requests a node run has in flight: at most `max`, and earned.
 *
 * It starts at 25 (or `max`, if lower) and doubles with each full round of good replies, as long as half of it is used. The first
 * sign of strain halves it, not below 1, and from then on it grows by one a round: the way a
 * network connection finds its rate. Once the service has asked for a pause, requests are
 * spaced out as well. Places are given in the order in which they were asked for, a few at once, and first to those
 * who come again: what has been sent is brought to its end before more is begun.
 */
export class Pace {
	private allowed: number;

	private inFlight = 0;

	private goodInRound = 0;

	/** In this round. */
	private mostInFlight = 0;

	private slowDowns = 0;

	/** Pauses that are not over. */
	private pauses = 0;

	/** Pauses that are over and counted. */
	private pausesOver = 0;

	/** Whether the pause at hand says something new of the service. */
	private pauseCounts = false;

	private readonly queue: Array<(place: Place | undefined) => void> = [];

	/** Those who come again. */
	private readonly returning: Array<(place: Place | undefined) => void> = [];

	private closed = false;

	private readonly spacing = new Spacing();

	/** Places given since the event loop was left a turn. */
	private givenAtOnce = 0;

	/** Whether those who wait are let in later. */
	private comesBack = false;

	constructor(private readonly max: number) {
		this.allowed = Math.min(START, max);
	}

	/** How many may be in flight at present. */
	get limit(): number {
		return this.allowed;
	}

	/**
	 * Waits for a place.
	 *
	 * @param comesAgain whether the request has been sent before
	 * @returns undefined when the pace was closed meanwhile: nothing more is to be sent
	 */
	async enter(comesAgain = false): Promise<Place | undefined> {
		if (this.closed) return undefined;
		if (this.inFlight === 0 && this.waiting === 0 && this.pauses === 0) this.spacing.begins();
		return await new Promise((resolve) => {
			(comesAgain ? this.returning : this.queue).push(resolve);
			this.admit();
		});
	}

	/** Gives a place back and says how the request fared. */
	leave(place: Place, sign: Sign): void {
		this.inFlight--;
		if (sign === 'strained') this.slowDown(place);
		if (sign === 'good') this.count();
		this.admit();
	}

	/** Lets nobody in until `over` is settled: the service has asked for a pause, in its reply to `place`. */
	async pause(place: Place, over: Promise<void>): Promise<void> {
		if (this.pauses++ === 0) this.spacing.pauseBegins();
		this.pauseCounts ||= place.pausesOver === this.pausesOver;
		await over;
		if (--this.pauses === 0 && this.pauseCounts) {
			this.pauseCounts = false;
			this.pausesOver++;
			this.spacing.pauseEnds(this.allowed);
		}
		this.admit();
	}

	/** Lets nobody in any more, and sends those who wait away. */
	close(): void {
		this.closed = true;
		for (const resolve of [...this.returning.splice(0), ...this.queue.splice(0)]) resolve(undefined);
	}

	private get waiting(): number {
		return this.returning.length + this.queue.length;
	}

	private hasRoom(): boolean {
		return this.inFlight < this.allowed && this.pauses === 0;
	}

	private take(): Place {
		this.inFlight++;
		this.mostInFlight = Math.max(this.mostInFlight, this.inFlight);
		this.givenAtOnce++;
		this.spacing.sent();
		return { slowDowns: this.slowDowns, pausesOver: this.pausesOver };
	}

	private admit(): void {
		while (this.hasRoom() && this.waiting > 0) {
			const { delay } = this.spacing;
			if (delay > 0 || this.givenAtOnce === AT_ONCE) return this.comeBack(delay);
			(this.returning.shift() ?? this.queue.shift())?.(this.take());
		}
	}

	private comeBack(delay: number): void {
		if (this.comesBack) return;
		this.comesBack = true;
		void sleep(Math.min(delay, SLICE_MS)).then(() => {
			this.comesBack = false;
			this.givenAtOnce = 0;
			this.admit();
		});
	}

	private count(): void {
		this.spacing.took();
		if (++this.goodInRound < this.allowed) return;
		// A limit that was not made use of says nothing of what the service can bear.
		const wasUsed = this.mostInFlight * 2 >= this.allowed;
		this.beginRound();
		if (!wasUsed) return;
		const grown = this.slowDowns === 0 ? this.allowed * 2 : this.allowed + 1;
		this.allowed = Math.min(grown, this.max);
	}

	private slowDown(place: Place): void {
		if (place.slowDowns < this.slowDowns) return;
		this.slowDowns++;
		this.beginRound();
		this.allowed = Math.max(1, Math.floor(this.allowed / 2));
	}

	private beginRound(): void {
		this.goodInRound = 0;
		this.mostInFlight = this.inFlight;
	}
}
