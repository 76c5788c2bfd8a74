import type { time } from '../nodes/VoiceAdmin/time';

type Timer = { dueAt: number; fire: () => void; isSleep: boolean };

/** Time that passes when nobody has anything else to do, in milliseconds, and chance by a seed. */
export class Clock {
	now = 0;

	/** Who waits for nothing but time; a deadline may be left behind. */
	sleepCount = 0;

	/** The next one last; of one instant, in the order in which they were set. */
	private readonly timers: Timer[] = [];

	constructor(private seed: number) {}

	/** The `time` object of a process; in one that has died, nothing goes on. */
	timeOf(process: { isDead: boolean }): typeof time {
		const schedule = (ms: number, fire: () => void, isSleep?: boolean) =>
			this.schedule(ms, () => process.isDead || fire(), isSleep);
		return {
			now: () => this.now,
			timeOfDay: () => 1_700_000_000_000 + this.now,
			// As Node's timers: a millisecond at least.
			sleep: async (ms) => await new Promise((resolve) => schedule(Math.max(1, ms), resolve, !process.isDead)),
			deadline: (ms) => {
				const controller = new AbortController();
				schedule(ms, () => controller.abort());
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

	schedule(ms: number, fire: () => void, isSleep = false): void {
		if (isSleep) this.sleepCount++;
		const dueAt = this.now + Math.max(0, ms);
		let index = this.timers.length;
		while (index > 0 && this.timers[index - 1]!.dueAt <= dueAt) index--;
		this.timers.splice(index, 0, { dueAt, fire, isSleep });
	}

	async wait(ms: number, isSleep = false): Promise<void> {
		await new Promise<void>((resolve) => this.schedule(ms, resolve, isSleep));
	}

	/** Lets time pass until `isOver` says so, until `end`, or until there is nothing to wait for. */
	async run(isOver: () => boolean, end = Infinity): Promise<void> {
		// A tick that is asked for in a tick comes before promises, any other one when no promise has anything left to do.
		await Promise.resolve();
		for (;;) {
			await new Promise<void>((resolve) => process.nextTick(resolve));
			const next = this.timers.at(-1);
			if (!next || next.dueAt > end || isOver()) return;
			this.timers.pop();
			this.now = next.dueAt;
			if (next.isSleep) this.sleepCount--;
			next.fire();
		}
	}
}
