import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

import type { SandboxCore } from '../sandbox';
import { withoutSecrets } from './redact';
import { snapshotOf } from './snapshot';

/** Between two snapshots: at once for a person, and no flood for the browser. */
const THROTTLE_MS = 250;
/** After which a browser that has lost the stream asks again. */
const RETRY_MS = 1000;

/** Sends server-sent events to browsers: `snapshot` at once, and again whenever something has changed. */
export class EventStreams {
	private readonly open = new Set<ServerResponse>();
	/** Those that have not taken the snapshot before: they get the newest when they have. */
	private readonly behind = new WeakSet<ServerResponse>();
	private timer: NodeJS.Timeout | undefined;

	constructor(private readonly core: SandboxCore) {
		core.events.on('change', () => this.sendSoon());
	}

	/** Begins a stream, which lasts until the client leaves. */
	begin(response: ServerResponse, headers: OutgoingHttpHeaders): void {
		response.writeHead(200, { ...headers, 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' });
		response.write(`retry: ${RETRY_MS}\n\n${this.snapshot()}`);
		this.open.add(response);
		response.on('drain', () => {
			if (this.behind.delete(response)) this.sendSoon();
		});
		response.on('close', () => this.open.delete(response));
	}

	private sendSoon(): void {
		if (this.open.size > 0) this.timer ??= setTimeout(() => this.send(), THROTTLE_MS);
	}

	private send(): void {
		this.timer = undefined;
		const snapshot = this.snapshot();
		for (const response of this.open) {
			if (response.writableNeedDrain) this.behind.add(response);
			else response.write(snapshot);
		}
	}

	private snapshot(): string {
		return `event: snapshot\ndata: ${withoutSecrets(JSON.stringify(snapshotOf(this.core)))}\n\n`;
	}
}
