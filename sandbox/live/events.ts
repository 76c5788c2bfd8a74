import type { ServerResponse } from 'node:http';

import { guarded } from '../internalError';
import type { SandboxCore } from '../sandbox';
import { Batch } from './batch';
import { snapshotOf } from './snapshot';
import type { ChangeEvent, Snapshot } from './snapshot';
import { withoutSecrets } from './withoutSecrets';

/** More than anybody has open; a program that opens one after the other is stopped here. */
export const MOST_WATCHERS = 50;

/** What happens within this time is told as one event: at once for a person, and no flood for the browser. */
const BATCH_MS = 40;
/** Sent so often that neither side takes a quiet stream for a dead one. */
const HEARTBEAT_MS = 15_000;
/** After which a browser that has lost the stream asks again. */
const RETRY_MS = 1000;

/**
 * Tells a browser what happens in the sandbox until it leaves, as server-sent events: first `snapshot`, then `change`,
 * and `snapshot` again after a reset.
 */
export function streamEvents(core: SandboxCore, response: ServerResponse): void {
	const snapshot = snapshotOf(core);
	response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store' });
	response.write(`retry: ${RETRY_MS}\n\n`);
	const write = ({ event, data }: { event: string; data: Snapshot | ChangeEvent }) =>
		response.write(`event: ${event}\ndata: ${withoutSecrets(JSON.stringify(data), core.service.clients)}\n\n`);
	write({ event: 'snapshot', data: snapshot });

	const batch = new Batch();
	let timer: NodeJS.Timeout | undefined;
	let isWaiting = false;
	const flush = guarded('an update of the event stream', () => {
		timer = undefined;
		// A browser that is slow is told when it has taken what was sent before; until then the batch fills.
		if (response.writableNeedDrain) isWaiting = true;
		else write(batch.take(core));
	});
	response.on('drain', () => {
		if (!isWaiting) return;
		isWaiting = false;
		flush();
	});
	const unwatch = core.changes.watch((change) => {
		batch.add(change);
		if (!isWaiting) timer ??= setTimeout(flush, BATCH_MS);
	});
	const heartbeat = setInterval(() => response.write(':\n\n'), HEARTBEAT_MS);
	response.on('close', () => {
		unwatch();
		clearTimeout(timer);
		clearInterval(heartbeat);
	});
}
