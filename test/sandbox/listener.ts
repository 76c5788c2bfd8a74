import { get } from 'node:http';
import type { IncomingMessage } from 'node:http';

import type { Sandbox } from '../../sandbox';
import type { ChangeEvent, Snapshot } from '../../sandbox/live/snapshot';
import { until } from '../support/until';

type Told = { event: 'snapshot'; data: Snapshot } | { event: 'change'; data: ChangeEvent };

/** Someone who listens to the events, by real HTTP. */
export class Listener {
	readonly told: Told[] = [];
	raw = '';

	private constructor(readonly response: IncomingMessage) {
		let rest = '';
		response.setEncoding('utf8').on('data', (chunk: string) => {
			this.raw += chunk;
			const parts = (rest + chunk).split('\n\n');
			rest = parts.pop() ?? '';
			for (const part of parts) {
				const [, event, data] = /^event: (.*)\ndata: (.*)$/.exec(part) ?? [];
				if (event) this.told.push({ event, data: JSON.parse(data!) } as Told);
			}
		});
		response.on('error', () => {});
	}

	/** Listens, and waits for the snapshot. */
	static async to({ url }: Pick<Sandbox, 'url'>): Promise<Listener> {
		const listener = new Listener(await new Promise((resolve, reject) => get(`${url}/_sandbox/events`, resolve).on('error', reject)));
		await until(() => listener.told.length > 0, 'the snapshot is told');
		return listener;
	}

	get snapshots(): Snapshot[] {
		return this.told.flatMap((one) => (one.event === 'snapshot' ? [one.data] : []));
	}

	get changes(): ChangeEvent[] {
		return this.told.flatMap((one) => (one.event === 'change' ? [one.data] : []));
	}

	/** Waits until this many requests were told as ended. */
	async hearsOf(requests: number): Promise<void> {
		await until(() => this.changes.at(-1)?.counters.requests === requests && this.changes.at(-1)?.counters.inFlight === 0, `${requests} requests are told`);
	}

	leave(): void {
		this.response.destroy();
	}
}
