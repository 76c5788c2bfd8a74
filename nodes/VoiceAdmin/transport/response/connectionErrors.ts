/** What went wrong, in the middle of a sentence; and what to do about it. */
export interface ConnectionProblem {
	problem: string;
	advice?: string;
}

/** Codes of Node, OpenSSL and the HTTP client, or their text for an error whose code n8n drops; and what it means for the user. */
type ConnectionErrorRule = [pattern: RegExp, explain: (baseUrl: string) => ConnectionProblem];

/** Node verifies the certificate before sending anything. */
const NOT_TRUSTED = /^(?:ERR_TLS_CERT_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_SELF_SIGNED_)/;

/** There was no connection to send a request on. */
const NOT_CONNECTED = /^(?:ECONNREFUSED|ENOTFOUND|EAI_[A-Z]+)$/;

/** Node reports a failed handshake as EPROTO; a later alert, as TLS 1.3 allows, has another code. */
const NO_COMMON_TLS =
	/wrong version number|unrecognized name|unsupported protocol|no shared cipher|alert (?:handshake failure|protocol version|insufficient security|no application protocol)/;

const CLOSED_IN_HANDSHAKE = /^Client network socket disconnected before secure TLS connection was established/;

/** Of https-proxy-agent, without a code: the proxy has opened no connection to the service. */
const NO_TUNNEL =
	/^(?:Proxy connection ended before receiving|No header received from proxy|Invalid header from proxy) CONNECT response/;

const dockerHint = (baseUrl: string) =>
	/\/\/(?:localhost|127\.|\[::1\])/.test(baseUrl)
		? ". In Docker, this address is n8n's own container: use host.docker.internal (on Linux, add it to the container's extra hosts)"
		: '';

const CONNECTION_ERROR_RULES: ConnectionErrorRule[] = [
	[
		/\bECONNREFUSED\b/,
		(baseUrl) => ({
			problem: `nothing is listening at ${baseUrl} (connection refused)`,
			advice: `Check the base URL, and whether the service is running${dockerHint(baseUrl)}`,
		}),
	],
	[
		/\b(?:ENOTFOUND|EAI_[A-Z]+)\b/,
		(baseUrl) => ({
			problem: `the host name of ${baseUrl} couldn't be found`,
			advice: "Check the base URL or, if it worked before, the network and DNS of n8n's machine",
		}),
	],
	[
		/\bE[MN]FILE\b/,
		() => ({
			problem: 'n8n has too many files and connections open',
			advice: "Add the option 'Max Concurrency' and lower it, or raise the limit of open files for n8n",
		}),
	],
	[
		// An open connection may break with these, too.
		/\b(?:EHOSTUNREACH|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL)\b/,
		(baseUrl) => ({
			problem: `the service at ${baseUrl} can't be reached from this machine`,
			advice: 'Check the network, and whether n8n needs a proxy',
		}),
	],
	[
		// The last one is n8n's, in a credential test.
		/\b(?:DEPTH_ZERO_|SELF_SIGNED|UNABLE_TO_|CERT_|ERR_TLS_CERT|certificate|SSL Issue)/i,
		(baseUrl) => ({
			problem: `the TLS certificate of ${baseUrl} isn't trusted`,
			advice:
				"If it has expired or is for another host name, ask your provider. If it's self-signed or of a private CA, install that CA in n8n",
		}),
	],
	[
		/\b(?:EPROTO\b|ERR_SSL_|wrong version number)/i,
		(baseUrl) => ({
			problem: `the TLS connection to ${baseUrl} failed`,
			advice: 'Check whether the base URL should begin with http:// or https://',
		}),
	],
	[
		/\b(?:ETIMEDOUT|ECONNABORTED|timeout)\b/i,
		(baseUrl) => ({
			problem: `the service at ${baseUrl} didn't respond in time`,
			advice: "If it never does, check the base URL and n8n's proxy",
		}),
	],
	[
		NO_TUNNEL,
		(baseUrl) => ({ problem: `the proxy opened no connection to ${baseUrl}`, advice: "Check whether it's running" }),
	],
	[
		// Of Node's parsers of HTTP and gzip.
		/\b(?:HPE_[A-Z_]+|Z_[A-Z]+_ERROR)\b/,
		(baseUrl) => ({
			problem: `the response of ${baseUrl} is damaged`,
			advice: "Check the base URL and n8n's proxy",
		}),
	],
	[
		/\b(?:ECONNRESET|EPIPE|socket hang up|aborted|ERR_STREAM_PREMATURE_CLOSE)\b/i,
		(baseUrl) => ({ problem: `the service at ${baseUrl} closed the connection before responding` }),
	],
];

/** Whether the request was certainly not sent; by the error's code, as other texts may come from anywhere. */
export function neverConnected(error: unknown): boolean {
	const isCertain = isPermanent(error) || failedToConnect(error) || chainHas(error, NOT_CONNECTED);
	return isCertain || chainHas(error, /^ECONNRESET$/, CLOSED_IN_HANDSHAKE) || chainHas(error, /^$/, NO_TUNNEL);
}

/**
 * Whether retrying is useless: a host name that is not found, unless it was before; an untrusted certificate; no common TLS version or
 * cipher.
 */
export function isPermanent(error: unknown, wasFound = false): boolean {
	const isUnknownHost = !wasFound && chainHas(error, /^ENOTFOUND$/);
	return isUnknownHost || chainHas(error, NOT_TRUSTED) || chainHas(error, /^EPROTO$/, NO_COMMON_TLS);
}

/**
 * Whether Node could not open a connection: "connect EMFILE 192.0.2.1:443". If an open one breaks, with whatever code, the message
 * begins with "read" or "write".
 */
function failedToConnect(error: unknown): boolean {
	return errorChain(error).some(({ code, messages }) => messages.some((each) => each.startsWith(`connect ${code} `)));
}

/** Whether the connection failed, so that a retry may succeed. */
export function isConnectionError(error: unknown): boolean {
	return explanationFor(error) !== undefined;
}

/**
 * Explains an error of the HTTP client, or n8n's error around it.
 * @returns the error's own message if it isn't about the connection (n8n itself rejects some requests)
 */
export function explainConnectionError(error: unknown, baseUrl: string): ConnectionProblem {
	const ownMessage = () =>
		errorChain(error)
			.flatMap(({ messages }) => messages)
			.find((each) => each.trim() !== '');
	return explanationFor(error)?.(baseUrl) ?? { problem: ownMessage() ?? `no response came from ${baseUrl}` };
}

/** By code, or else by text. */
function explanationFor(error: unknown): ConnectionErrorRule[1] | undefined {
	const byCode = CONNECTION_ERROR_RULES.find(([pattern]) => chainHas(error, pattern));
	return (byCode ?? CONNECTION_ERROR_RULES.find(([pattern]) => chainHas(error, /^/, pattern)))?.[1];
}

/** Whether an error of the chain matches. */
function chainHas(error: unknown, codes: RegExp, text?: RegExp): boolean {
	return errorChain(error).some(
		({ code, messages }) => codes.test(code) && (text === undefined || messages.some((each) => text.test(each))),
	);
}

/**
 * An error and its causes. n8n's error has the code as its `httpCode` and the client's message among its `messages`;
 * Node tries every address of a host and reports them together, as `errors`.
 */
function errorChain(error: unknown, depth = 0): Array<{ code: string; messages: string[] }> {
	if (typeof error !== 'object' || error === null || depth > 3) return [];
	const { code, httpCode, message, messages, cause, errors } = error as Record<string, unknown>;
	const isText = (value: unknown): value is string => typeof value === 'string';
	return [
		{
			code: [code, httpCode].find(isText) ?? '',
			messages: [message, ...(Array.isArray(messages) ? messages : [])].filter(isText),
		},
		...(Array.isArray(errors) ? errors.flatMap((each) => errorChain(each, depth + 1)) : []),
		...errorChain(cause, depth + 1),
	];
}
