/** A failure to get any reply: the request may or may not have reached the service. */
interface Meaning {
	/** Codes and words that Node, OpenSSL and the HTTP client use for it. */
	signs: RegExp;
	/** In words that go on after "Could not …: ", with the service's address. */
	words: (service: string) => string;
	/** Whether the request may have been processed although no reply arrived. */
	mayHaveArrived: boolean;
}

const MEANINGS: Meaning[] = [
	{
		signs: /ECONNREFUSED/,
		words: (service) => `nothing answers at ${service} (connection refused)`,
		mayHaveArrived: false,
	},
	{
		signs: /ENOTFOUND|EAI_AGAIN|EAI_NODATA/,
		words: (service) => `the host name of ${service} could not be found`,
		mayHaveArrived: false,
	},
	{
		signs: /EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL/,
		words: (service) => `the service at ${service} cannot be reached from this machine`,
		mayHaveArrived: false,
	},
	{
		signs: /SELF_SIGNED|UNABLE_TO_|CERT_|ERR_TLS_CERT|certificate/i,
		words: (service) => `the TLS certificate of ${service} is not trusted`,
		mayHaveArrived: false,
	},
	{
		signs: /EPROTO|ERR_SSL|wrong version number/i,
		words: (service) => `the service at ${service} does not speak TLS as expected; check http:// or https:// in the base URL`,
		mayHaveArrived: false,
	},
	{
		signs: /ETIMEDOUT|ECONNABORTED|timeout/i,
		words: (service) => `the service at ${service} did not answer in time`,
		mayHaveArrived: true,
	},
	{
		signs: /ECONNRESET|EPIPE|socket hang up|aborted|PREMATURE_CLOSE/i,
		words: (service) => `the service at ${service} closed the connection before it had answered`,
		mayHaveArrived: true,
	},
];

/** What an error means for a request to which there was no reply. */
export interface ConnectionFailure {
	words: string;
	/** Whether the request may have been processed although no reply arrived. */
	mayHaveArrived: boolean;
	/** Whether it is known to be the connection that failed, so that another try may get through. */
	isConnection: boolean;
}

/**
 * Says what a request's error means when there was no reply.
 *
 * @param error what the HTTP client threw, or n8n's error around it: n8n keeps the original message
 * in `messages` and drops the code, so all that the error carries is read
 * @param service the base URL that was called
 * @returns for an error that is not about the connection (n8n itself refuses some requests), its own words
 */
export function connectionFailure(error: unknown, service: string): ConnectionFailure {
	const traces = tracesOf(error);
	const found = MEANINGS.find(({ signs }) => traces.some((trace) => signs.test(trace)));
	if (found) {
		return { words: found.words(service), mayHaveArrived: found.mayHaveArrived, isConnection: true };
	}
	return {
		words: traces.find((trace) => trace !== '') ?? `no answer came from ${service}`,
		mayHaveArrived: true,
		isConnection: false,
	};
}

function tracesOf(error: unknown, depth = 0): string[] {
	if (typeof error !== 'object' || error === null || depth > 3) return [];
	const { code, message, messages, cause, errors } = error as Record<string, unknown>;
	return [
		code,
		message,
		...(Array.isArray(messages) ? messages : []),
		// Node tries every address of a host and reports them together.
		...(Array.isArray(errors) ? errors.flatMap((each) => tracesOf(each, depth + 1)) : []),
		...tracesOf(cause, depth + 1),
	].filter((trace): trace is string => typeof trace === 'string');
}
