/** A failure to get any reply: the request may or may not have reached the service. */
interface Meaning {
	/** Codes that Node, OpenSSL and the HTTP client give it. */
	codes: RegExp;
	/** Words of theirs, for an error whose code n8n has not kept. */
	signs: RegExp;
	/** In words that go on after "Could not …: ", with the service's address. */
	words: (service: string) => string;
	/** Whether the codes are those of a request that was not sent: there was no connection to send it on. */
	isBeforeSending?: true;
}

const MEANINGS: Meaning[] = [
	{
		codes: /^ECONNREFUSED$/,
		signs: /ECONNREFUSED/,
		words: (service) => `nothing answers at ${service} (connection refused)`,
		isBeforeSending: true,
	},
	{
		codes: /^(?:ENOTFOUND|EAI_AGAIN|EAI_NODATA)$/,
		signs: /ENOTFOUND|EAI_AGAIN|EAI_NODATA/,
		words: (service) => `the host name of ${service} could not be found`,
		isBeforeSending: true,
	},
	{
		// A connection that is open may break with these too.
		codes: /^(?:EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/,
		signs: /EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL/,
		words: (service) => `the service at ${service} cannot be reached from this machine`,
	},
	{
		// Node looks at the certificate before it sends anything.
		codes: /^(?:ERR_TLS_CERT_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_SELF_SIGNED_)/,
		// The last one is n8n's, in a credential's test.
		signs: /SELF_SIGNED|UNABLE_TO_|CERT_|ERR_TLS_CERT|certificate|SSL Issue/i,
		words: (service) => `the TLS certificate of ${service} is not trusted`,
		isBeforeSending: true,
	},
	{
		codes: /^(?:EPROTO|ERR_SSL_)/,
		signs: /EPROTO|ERR_SSL|wrong version number/i,
		words: (service) => `the service at ${service} does not speak TLS as expected; check http:// or https:// in the base URL`,
	},
	{
		codes: /^(?:ETIMEDOUT|ECONNABORTED)$/,
		signs: /ETIMEDOUT|ECONNABORTED|timeout/i,
		words: (service) => `the service at ${service} did not answer in time`,
	},
	{
		codes: /^(?:ECONNRESET|EPIPE|ERR_STREAM_PREMATURE_CLOSE)$/,
		signs: /ECONNRESET|EPIPE|socket hang up|aborted|PREMATURE_CLOSE/i,
		words: (service) => `the service at ${service} closed the connection before it had answered`,
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
 * Says what the error of a request means that was on its way when it failed.
 *
 * That it did not arrive is told by the error's code alone: words may come from anywhere.
 *
 * @param error what the HTTP client threw, or n8n's error around it, which has the code as its `httpCode` and the
 * client's message among its `messages`
 * @param service the base URL that was called
 * @returns for an error that is not about the connection (n8n itself refuses some requests), its own words
 */
export function connectionFailure(error: unknown, service: string): ConnectionFailure {
	const traces = tracesOf(error);
	const byCode = MEANINGS.find(({ codes }) => traces.some(({ code }) => codes.test(code)));
	const found = byCode ?? MEANINGS.find(({ signs }) => traces.some(({ words }) => words.some((each) => signs.test(each))));
	return {
		words: found?.words(service) ?? traces.flatMap(({ words }) => words).find((each) => each !== '') ?? `no answer came from ${service}`,
		mayHaveArrived: byCode?.isBeforeSending !== true,
		isConnection: found !== undefined,
	};
}

/** What an error in a chain of errors says. */
interface Trace {
	/** '' for none. */
	code: string;
	words: string[];
}

function tracesOf(error: unknown, depth = 0): Trace[] {
	if (typeof error !== 'object' || error === null || depth > 3) return [];
	const { code, httpCode, message, messages, cause, errors } = error as Record<string, unknown>;
	const isText = (value: unknown): value is string => typeof value === 'string';
	return [
		{ code: [code, httpCode].find(isText) ?? '', words: [message, ...(Array.isArray(messages) ? messages : [])].filter(isText) },
		// Node tries every address of a host and reports them together.
		...(Array.isArray(errors) ? errors.flatMap((each) => tracesOf(each, depth + 1)) : []),
		...tracesOf(cause, depth + 1),
	];
}
