import { createHmac, randomBytes } from 'crypto';

import { LoggerProxy } from 'n8n-workflow';

import type { ServiceKey } from './serviceKey';

/** Of this process alone: without it, who reads a log could try keys until one has the same hash. */
const LOG_SECRET = randomBytes(32);

/** Enough characters to distinguish the keys of one n8n. */
const KEY_SHOWN = 8;

/** A debug logger for one service and key. It captures only these two fields, so that it keeps no credential in memory. */
export function loggerOf({ baseUrl, fingerprint }: ServiceKey): (message: string) => void {
	return (message) => logDebug({ baseUrl, fingerprint }, message);
}

/** Writes a debug line to n8n's log, which n8n does not show by default. */
export function logDebug({ baseUrl, fingerprint }: ServiceKey, message: string): void {
	try {
		const key = createHmac('sha256', LOG_SECRET).update(fingerprint).digest('base64').slice(0, KEY_SHOWN);
		LoggerProxy.debug(`Voice Admin: ${message}`, { service: baseUrl, key });
	} catch {
		// A failing log, as on a full disk, must not keep a permit from being released.
	}
}

/** Writes what a run did whose execution n8n ended: it may keep nothing of the node. @param done '' for nothing */
export function logEnd(done: string): void {
	try {
		if (done !== '')
			LoggerProxy.warn(`Voice Admin: the execution ended before all items were done. ${done.replaceAll('\n', ' ')}`);
	} catch {
		// As above.
	}
}
