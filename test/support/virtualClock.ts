import type { Clock } from '../../nodes/VoiceAdmin/transport/flow/time';

interface Timer {
	at: number;
	fire: () => void;
}

/** Lets all go on that waits for nothing but a promise. */
export const settle = async (): Promise<void> => await new Promise((resolve) => setImmediate(resolve));

/** Time that passes only when a test says so, in milliseconds. */
export class VirtualClock implements Clock {
	private time = 1_000;

	private timers: Timer[] = [];

	readonly now = (): number => this.time;

	/** As Node's timers: a millisecond at least. */
	readonly sleep = async (ms: number): Promise<void> =>
		await new Promise((fire) => this.timers.push({ at: this.time + Math.max(1, ms), fire }));

	/** Lets time pass, with all timers that are due by then, each at its time; `afterTimer` is called after each. */
	async advance(ms: number, afterTimer = () => {}): Promise<void> {
		await settle();
		const end = this.time + ms;
		for (let next = this.due(end); next; next = this.due(end)) {
			this.timers = this.timers.filter((timer) => timer !== next);
			this.time = next.at;
			next.fire();
			await settle();
			afterTimer();
		}
		this.time = end;
		await settle();
	}

	private due(end: number): Timer | undefined {
		return this.timers.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)[0];
	}
}
