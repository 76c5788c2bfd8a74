import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

import { ApiError } from '../apiError';
import type { SandboxCore } from '../sandbox';
import { guarded, onEnd } from './internalError';
import { withoutSecrets } from './redact';
import { snapshotOf } from './snapshot';

/** More than anybody has open; a program that opens one after the other is stopped here. */
export const MAX_STREAMS = 50;

/** Between two snapshots: at once for a person, and no flood for the browser. */
const THROTTLE_MS = 250;
/** Sent so often that neither side takes a quiet stream for a dead one. */
const HEARTBEAT_MS = 15_000;
/** After which a browser that has lost the stream asks again. */
const RETRY_MS = 1000;
const DURING = 'an update of the event stream';

/** Sends server-sent events to browsers: `snapshot` at once, and again whenever something has changed. */
export class EventStreams {
	private readonly open = new Set<ServerResponse>();
	/** Those that have not taken the snapshot before: they get the newest when they have. */
	private readonly behind = new Set<ServerResponse>();
	private timer: NodeJS.Timeout | undefined;

	constructor(private readonly core: SandboxCore) {
		const sendAll = guarded(DURING, () => {
			this.timer = undefined;
			this.send([...this.open]);
		});
		core.events.on('change', () => {
			if (this.open.size > 0) this.timer ??= setTimeout(sendAll, THROTTLE_MS);
		});
	}

	/**
	 * Begins a stream, which lasts until the client leaves.
	 * @throws {ApiError} 503 if too many clients listen
	 */
	begin(response: ServerResponse, headers: OutgoingHttpHeaders): void {
		if (this.open.size >= MAX_STREAMS) throw new ApiError(503, 'Too many event streams', `At most ${MAX_STREAMS} clients can listen; close one`);
		const first = this.snapshot();
		response.writeHead(200, { ...headers, 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' });
		response.write(`retry: ${RETRY_MS}\n\n${first}`);
		this.open.add(response);
		const heartbeat = setInterval(() => response.write(':\n\n'), HEARTBEAT_MS);
		response.on('drain', guarded(DURING, () => {
			if (this.behind.delete(response)) this.send([response]);
		}));
		onEnd(response, () => {
			this.open.delete(response);
			this.behind.delete(response);
			clearInterval(heartbeat);
		});
	}

	private snapshot(): string {
		return `event: snapshot\ndata: ${withoutSecrets(JSON.stringify(snapshotOf(this.core)))}\n\n`;
	}

	private send(responses: ServerResponse[]): void {
		const snapshot = this.snapshot();
		for (const response of responses) {
			if (response.writableNeedDrain) this.behind.add(response);
			else response.write(snapshot);
		}
	}
}
