import type { time } from '../../nodes/VoiceAdmin/transport/flow/time';

interface Timer {
	at: number;
	/** Timers of one instant fire in the order in which they were set. */
	nth: number;
	fire: () => void;
	/** Whether who waits for it goes on by it alone: a deadline that does not strike may be left behind. */
	isSleep: boolean;
}

/** Lets all go on that waits for nothing but a promise: Node runs a tick when no promise has anything left to do. */
const settle = async (): Promise<void> => await new Promise((resolve) => process.nextTick(resolve));

/** Time that passes when nobody has anything else to do, in milliseconds, and chance by a seed. */
export class Clock {
	now = 1_000;

	/** Of those who wait; those of deadlines are not among them. */
	sleeping = 0;

	/** A binary heap, the next one first. */
	private readonly timers: Timer[] = [];

	private set = 0;

	constructor(private seed: number) {}

	/** For the `time` object of a process; for one that has died, nothing ends any more. */
	functionsOf(process: { isDead: boolean }): typeof time {
		const at = (ms: number, fire: () => void, isSleep?: boolean) => this.at(ms, () => process.isDead || fire(), isSleep);
		return {
			now: () => this.now,
			timeOfDay: () => 1_700_000_000_000 + this.now,
			// As Node's timers: a millisecond at least.
			sleep: async (ms) => await new Promise((resolve) => at(Math.max(1, ms), resolve, !process.isDead)),
			deadline: (ms) => {
				const controller = new AbortController();
				at(ms, () => controller.abort());
				return controller.signal;
			},
			random: () => this.random(),
		};
	}

	/** From 0 to 1, without 1: mulberry32, the same on every version of Node. */
	random(): number {
		this.seed = (this.seed + 0x6d2b79f5) | 0;
		let mixed = Math.imul(this.seed ^ (this.seed >>> 15), 1 | this.seed);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	}

	at(ms: number, fire: () => void, isSleep = false): void {
		if (isSleep) this.sleeping++;
		let child = this.timers.push({ at: this.now + Math.max(0, ms), nth: this.set++, fire, isSleep }) - 1;
		for (let parent = (child - 1) >> 1; child > 0 && this.isBefore(child, parent); child = parent, parent = (child - 1) >> 1) this.swap(child, parent);
	}

	/** Lets time pass until `isOver` says so, `until`, or nobody waits for it any more. */
	async run(isOver: () => boolean, until = Infinity): Promise<void> {
		// A tick that is asked for in a tick runs before the promises.
		await Promise.resolve();
		await settle();
		while (!isOver() && this.timers.length > 0 && this.timers[0]!.at <= until) {
			const timer = this.next();
			this.now = timer.at;
			if (timer.isSleep) this.sleeping--;
			timer.fire();
			await settle();
		}
	}

	private next(): Timer {
		this.swap(0, this.timers.length - 1);
		const next = this.timers.pop()!;
		for (let parent = 0; ; ) {
			const [left, right] = [2 * parent + 1, 2 * parent + 2];
			const child = right < this.timers.length && this.isBefore(right, left) ? right : left;
			if (child >= this.timers.length || !this.isBefore(child, parent)) return next;
			this.swap(child, parent);
			parent = child;
		}
	}

	private isBefore(one: number, other: number): boolean {
		const [a, b] = [this.timers[one]!, this.timers[other]!];
		return a.at < b.at || (a.at === b.at && a.nth < b.nth);
	}

	private swap(one: number, other: number): void {
		[this.timers[one], this.timers[other]] = [this.timers[other]!, this.timers[one]!];
	}
}
