/** Requests in flight that a run starts with; more are earned. */
const START = 25;

/** A place among the requests in flight, from `enter` to `leave`. */
export interface Place {
	/** The slow-down during which it was given: one burst of bad replies slows a run down once. */
	readonly slowDowns: number;
}

/** What a request told of the service's load. */
export type Strain = 'none' | 'strained';

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
		if (this.inFlight < this.allowed) return this.take();
		return await new Promise((resolve) => {
			this.queue.push(resolve);
		});
	}

	/** Gives a place back and says how the request fared. */
	leave(place: Place, strain: Strain): void {
		this.inFlight--;
		if (strain === 'strained') this.slowDown(place);
		else this.count();
		this.admit();
	}

	/** Lets nobody in any more, and sends those who wait away. */
	close(): void {
		this.closed = true;
		for (const resolve of this.queue.splice(0)) resolve(undefined);
	}

	private take(): Place {
		this.inFlight++;
		return { slowDowns: this.slowDowns };
	}

	private admit(): void {
		while (this.inFlight < this.allowed && this.queue.length > 0) {
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
