import { get } from 'node:http';
import type { IncomingMessage } from 'node:http';

import { createParser } from 'eventsource-parser';

import type { Sandbox } from '../../sandbox';
import type { Snapshot } from '../../sandbox/control/snapshot';
import { until } from '../support/until';

/** A client of the event stream, by real HTTP. */
export class Listener {
	readonly snapshots: Snapshot[] = [];
	raw = '';

	private constructor(readonly response: IncomingMessage) {
		const parser = createParser({
			onEvent: ({ event, data }) => {
				if (event === 'snapshot') this.snapshots.push(JSON.parse(data));
			},
		});
		response.setEncoding('utf8').on('data', (chunk: string) => {
			this.raw += chunk;
			parser.feed(chunk);
		});
		response.on('error', () => {});
	}

	/** Listens, and waits for the first snapshot. */
	static async to({ url }: Pick<Sandbox, 'url'>): Promise<Listener> {
		const response = await new Promise<IncomingMessage>((resolve, reject) => get(`${url}/_sandbox/events`, resolve).on('error', reject));
		if (response.statusCode !== 200) {
			response.resume();
			throw new Error(`The sandbox answers ${response.statusCode}`);
		}
		const listener = new Listener(response);
		await until(() => listener.snapshots.length > 0, 'the first snapshot has come');
		return listener;
	}

	get latest(): Snapshot | undefined {
		return this.snapshots.at(-1);
	}

	/** Waits until this many requests have ended, by a snapshot. */
	async hearsOf(requests: number): Promise<void> {
		await until(() => this.latest?.counters.requests === requests && this.latest.counters.inFlight === 0, `a snapshot has ${requests} requests`);
	}

	leave(): void {
		this.response.destroy();
	}
}
