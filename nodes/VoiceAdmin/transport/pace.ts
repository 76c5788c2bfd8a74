/** Requests in flight that a run starts with; more are earned. */
const START = 25;

/** A place among the requests in flight, from `enter` to `leave`. */
export interface Place {
	/** The slow-down during which it was given: one burst of bad replies slows a run down once. */
	readonly slowDowns: number;
}

/** What a request told of the service: that it keeps up, that it does not, or nothing of either. */
export type Sign = 'good' | 'neutral' | 'strained';

/**
 * How many requests a node run has in flight: at most `max`, and earned.
 *
 * It starts at 25 (or `max`, if lower) and doubles with each full round of good replies. The first
 * sign of strain halves it, not below 1, and from then on it grows by one a round: the way a
 * network connection finds its rate. Places are given in the order in which they were asked for.
 */
export class Pace {
	private allowed: number;

	private inFlight = 0;

	private goodInRound = 0;

	private slowDowns = 0;

	private pauses = 0;

	private readonly queue: Array<(place: Place | undefined) => void> = [];

	private closed = false;

	constructor(private readonly max: number) {
		this.allowed = Math.min(START, max);
	}

	/** How many may be in flight at present. */
	get limit(): number {
		return this.allowed;
	}

	/** Waits for a place. @returns undefined when the pace was closed meanwhile: nothing more is to be sent */
	async enter(): Promise<Place | undefined> {
		if (this.closed) return undefined;
		if (this.hasRoom()) return this.take();
		return await new Promise((resolve) => {
			this.queue.push(resolve);
		});
	}

	/** Gives a place back and says how the request fared. */
	leave(place: Place, sign: Sign): void {
		this.inFlight--;
		if (sign === 'strained') this.slowDown(place);
		if (sign === 'good') this.count();
		this.admit();
	}

	/** Lets nobody in until `over` is settled: the service has asked for a pause. */
	async pause(over: Promise<void>): Promise<void> {
		this.pauses++;
		await over;
		this.pauses--;
		this.admit();
	}

	/** Lets nobody in any more, and sends those who wait away. */
	close(): void {
		this.closed = true;
		for (const resolve of this.queue.splice(0)) resolve(undefined);
	}

	private hasRoom(): boolean {
		return this.inFlight < this.allowed && this.pauses === 0;
	}

	private take(): Place {
		this.inFlight++;
		return { slowDowns: this.slowDowns };
	}

	private admit(): void {
		while (this.hasRoom() && this.queue.length > 0) {
			this.queue.shift()?.(this.take());
		}
	}

	private count(): void {
		if (++this.goodInRound < this.allowed) return;
		this.goodInRound = 0;
		const grown = this.slowDowns === 0 ? this.allowed * 2 : this.allowed + 1;
		this.allowed = Math.min(grown, this.max);
	}

	private slowDown(place: Place): void {
		if (place.slowDowns < this.slowDowns) return;
		this.slowDowns++;
		this.goodInRound = 0;
		this.allowed = Math.max(1, Math.floor(this.allowed / 2));
	}
}
