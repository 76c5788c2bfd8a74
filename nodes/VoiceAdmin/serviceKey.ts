/** Identifies a service and API key without revealing the key. */
export interface ServiceKey {
	/** Without a trailing slash. */
	baseUrl: string;
	/** A hash of service and key. */
	fingerprint: string;
}
