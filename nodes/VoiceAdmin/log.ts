import { LoggerProxy } from 'n8n-workflow';

/** A service and API key, in words that give the key away to nobody. */
export interface ServiceKey {
	baseUrl: string;
	/** A hash of service and key. */
	fingerprint: string;
}

/** Characters of a fingerprint that tell the keys of one n8n apart. */
const FINGERPRINT_SHOWN = 8;

/** Writes a debug line to n8n's log, which n8n does not show by default. */
export function logDebug({ baseUrl, fingerprint }: ServiceKey, message: string): void {
	try {
		LoggerProxy.debug(`Voice Admin: ${message}`, { service: baseUrl, key: fingerprint.slice(0, FINGERPRINT_SHOWN) });
	} catch {
		// A log that cannot be written to, such as on a full disk, must not keep a permit from being released.
	}
}
