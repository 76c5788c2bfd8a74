import { time } from '../../time';

/** How many requests may be in flight at first, by how many more with each success, and at most. */
const INITIAL_WINDOW = 20;
const WINDOW_GROWTH = 0.5;
const MAX_WINDOW = 500;

/** Statuses by which services and proxies limit requests: nginx does so by 503. */
const REJECTIONS = [429, 503, 529];

/** Requests a second, at first and at most. */
const INITIAL_RATE = 4_000;

/** The same, at least; and after the first slow-down, which may come after few requests. */
const MIN_RATE = 0.5;
const MIN_FIRST_RATE = 8;

/** Timers fire late: what is made up for, in requests and in milliseconds. Responses that arrive together must not release a burst. */
const MAX_BURST = 4;
const MAX_LATE_MS = 20;

/** The last responses of which the rejected share is taken; a slow-down needs so many of them. */
const SAMPLE = 40;
const MIN_SAMPLE = 10;

/** Before a limit is known, so many responses and this share of rejections mean one: single requests may be rejected for themselves. */
const MIN_FIRST_SAMPLE = 20;
const MIN_FIRST_SHARE = 1 / 4;

/** A slow-down leaves this share of what was accepted, which is little while few requests are sent: then, 70 % of the rate before. */
const RESTART_SHARE = 0.9;
const MIN_ACCEPTED_SHARE = 0.7;

/** Seconds in which the rate doubles: few while little is known about the limit. */
const FIRST_DOUBLING_S = 2;
const DOUBLING_S = 20;

/** What a slow-down leaves of the highest rate that was ever accepted: the limit may have changed. */
const DECAY = 0.95;

/** So that a service that rejects all is noticed. */
const MAX_BASELINE_SHARE = 0.5;

/**
 * Finds the request rate that the service allows, and bounds how many requests are in flight (the window). The window grows by half a
 * request with each success while half of it is used, shrinks by one with each 429 (a 503 may be an outage, which the circuit breakers
 * handle), and starts again after an outage: more slowly from half of what was in flight as that began, as the service may have had too
 * much to do (slow start, RFC 5681). After a slow-down, the rate grows, slowly at first (cubic growth, as of TCP CUBIC, RFC 9438).
 *
 * | when too many of the last 40 responses (10 at least) are rejections: twice the share that is ignored, if any is | the rate |
 * |---|---|
 * | no limit is known, and a quarter of 20 responses are rejections | goes on from what was accepted in the last second (8 at least), doubles in 2 s |
 * | it is less than half of a rate that was accepted | goes back to that rate, doubles in 2 s; as many are ignored (half at most) until 40 in a row are accepted: one of two servers may reject all |
 * | otherwise | goes on from 90 % of what was accepted: that share of the rate, but at most as many as in the last second, or 70 % of the rate (0.5 a second at least); doubles in 20 s |
 */
export class RequestPacer {
	inFlight = 0;
	/** How many may be in flight; and from how many on this grows slowly. */
	private window = INITIAL_WINDOW;
	private slowStartThreshold = Infinity;

	/** Requests a second after the last slow-down, for how many seconds it has grown since, counted while it was used, and how fast. */
	private restartRate = INITIAL_RATE;
	private growthS = 0;
	private doublingS = FIRST_DOUBLING_S;

	/** The highest rate that was accepted when others were rejected; undefined before the first slow-down, and 0 until the next one. */
	private bestAcceptedRate?: number;

	/** The share that is rejected at any rate. */
	private baselineShare = 0;

	/** Whether each of the last responses was a rejection, apart from requests that were sent before the last slow-down. */
	private sample: boolean[] = [];
	private lastSentNumber = 0;
	private lastSentBeforeSlowdown = 0;

	/** When requests were accepted, in the last second. */
	private readonly acceptedAt: number[] = [];

	private lastSlotAt = 0;

	/** Requests a second. */
	get rate(): number {
		return Math.min(INITIAL_RATE, this.restartRate * (1 + (this.growthS / this.doublingS) ** 3));
	}

	/** Whether it has slowed down. */
	get isLimitKnown(): boolean {
		return this.bestAcceptedRate !== undefined;
	}

	/** Milliseconds until the next request may be sent; 0 if at once. */
	get delayMs(): number {
		return Math.max(0, this.lastSlotAt + 1_000 / this.rate - time.now());
	}

	get hasRoom(): boolean {
		return this.inFlight < this.window;
	}

	/** Records that an outage begins. */
	recordOutage(): void {
		this.slowStartThreshold = this.inFlight / 2;
	}

	/** After an outage, the window starts again from what is in flight. */
	restartWindow(): void {
		this.window = this.inFlight;
	}

	recordSent(sequenceNumber: number): void {
		this.lastSentNumber = sequenceNumber;
		this.inFlight++;
		const intervalMs = 1_000 / this.rate;
		const earliest = time.now() - Math.min(MAX_BURST * intervalMs, MAX_LATE_MS);
		// A request that wasn't delayed doesn't show that the service can take more.
		if (this.lastSlotAt + intervalMs >= earliest) this.growthS += intervalMs / 1_000;
		this.lastSlotAt = Math.max(this.lastSlotAt + intervalMs, earliest);
	}

	recordReleased(): void {
		this.inFlight--;
	}

	recordAccepted(sequenceNumber: number): void {
		const growth = this.window < this.slowStartThreshold ? WINDOW_GROWTH : Math.min(WINDOW_GROWTH, 1 / this.window);
		if (2 * this.inFlight >= this.window) this.window = Math.min(this.window + growth, MAX_WINDOW);
		this.acceptedAt.push(time.now());
		this.forgetOlderAccepted();
		if (sequenceNumber > this.lastSentBeforeSlowdown) this.addToSample(false);
	}

	/** Slows down after too many rejections. @param status of a failure, which may be none */
	recordFailure(sequenceNumber: number, status?: number): void {
		if (!REJECTIONS.includes(status!)) return;
		if (status === 429) this.window = Math.max(1, this.window - 1);
		if (sequenceNumber <= this.lastSentBeforeSlowdown) return;
		this.addToSample(true);
		const { rate, sample, bestAcceptedRate } = this;
		const share = sample.filter((isRejected) => isRejected).length / sample.length;
		if (sample.length < MIN_SAMPLE || share < 2 * this.baselineShare) return;
		if (bestAcceptedRate === undefined) {
			if (sample.length < MIN_FIRST_SAMPLE || share < MIN_FIRST_SHARE) return;
			this.restart(Math.max(MIN_FIRST_RATE, this.acceptedInLastSecond()), FIRST_DOUBLING_S);
			this.bestAcceptedRate = 0;
		} else if (rate < bestAcceptedRate / 2) {
			this.baselineShare = Math.min(share, MAX_BASELINE_SHARE);
			this.restart(bestAcceptedRate, FIRST_DOUBLING_S);
		} else {
			const accepted = Math.min(rate * (1 - share), Math.max(this.acceptedInLastSecond(), MIN_ACCEPTED_SHARE * rate));
			this.bestAcceptedRate = Math.max(DECAY * bestAcceptedRate, accepted);
			this.restart(Math.max(MIN_RATE, RESTART_SHARE * accepted), DOUBLING_S);
		}
		this.sample = [];
		this.lastSentBeforeSlowdown = this.lastSentNumber;
	}

	private restart(rate: number, doublingS: number): void {
		this.restartRate = rate;
		this.doublingS = doublingS;
		this.growthS = 0;
	}

	private acceptedInLastSecond(): number {
		this.forgetOlderAccepted();
		return this.acceptedAt.length;
	}

	private forgetOlderAccepted(): void {
		while (this.acceptedAt[0]! <= time.now() - 1_000) this.acceptedAt.shift();
	}

	private addToSample(isRejected: boolean): void {
		this.sample.push(isRejected);
		if (this.sample.length > SAMPLE) this.sample.shift();
		if (this.sample.length === SAMPLE && !this.sample.includes(true)) this.baselineShare = 0;
	}
}
