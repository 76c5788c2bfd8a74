import {
	connectionErrorMessage,
	isConnectionError,
	isPermanent,
	neverConnected,
} from '../../nodes/VoiceAdmin/transport/response/connectionErrors';

const SERVICE = 'https://api.example.com';

const REFUSED = `nothing is listening at ${SERVICE} (connection refused); check the base URL, and whether the service is running`;
const NOT_FOUND = `the host name of ${SERVICE} could not be found; check the base URL`;
const TOO_MANY =
	"n8n has too many files and connections open; lower 'Max Concurrency', or raise the limit of open files for n8n";
const UNREACHABLE = `the service at ${SERVICE} cannot be reached from this machine; check the network, and whether n8n needs a proxy`;
const NOT_TRUSTED =
	`the TLS certificate of ${SERVICE} is not trusted; ` +
	'if it has expired or is for another host name, ask your provider; if it is self-signed or of a private CA, install that CA in n8n';
const TLS_FAILED = `the TLS connection to ${SERVICE} failed; check whether the base URL should begin with http:// or https://`;
const TIMED_OUT = `the service at ${SERVICE} did not respond in time; if it never does, check the base URL and n8n's proxy`;
const CLOSED = `the service at ${SERVICE} closed the connection before responding`;
const DAMAGED = `the response of ${SERVICE} is damaged; check the base URL and n8n's proxy`;

/** Codes of Node, OpenSSL and the HTTP client, and texts of theirs, by what is said of them. */
const BY_MESSAGE: Array<[message: string, wasConnected: boolean, codes: string[], texts: string[]]> = [
	[REFUSED, false, ['ECONNREFUSED'], ['connect ECONNREFUSED 127.0.0.1:80']],
	[
		NOT_FOUND,
		false,
		['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA'],
		['getaddrinfo ENOTFOUND api.example.com', 'getaddrinfo EAI_AGAIN api.example.com'],
	],
	[TOO_MANY, true, ['EMFILE', 'ENFILE'], ['open EMFILE', 'read ENFILE']],
	[
		UNREACHABLE,
		true,
		['EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL'],
		['connect EHOSTUNREACH 10.0.0.1:443', 'connect ENETUNREACH', 'read ENETDOWN', 'connect EADDRNOTAVAIL'],
	],
	[
		NOT_TRUSTED,
		false,
		[
			'ERR_TLS_CERT_ALTNAME_INVALID',
			'CERT_HAS_EXPIRED',
			'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
			'SELF_SIGNED_CERT_IN_CHAIN',
			'DEPTH_ZERO_SELF_SIGNED_CERT',
		],
		[
			'DEPTH_ZERO_SELF_SIGNED',
			'UNABLE_TO_GET_ISSUER',
			'CERT_REVOKED',
			'ERR_TLS_CERT',
			'unable to verify the first certificate',
			'SSL Issue: consider using the Ignore option',
		],
	],
	[
		TLS_FAILED,
		true,
		['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER'],
		['write EPROTO 0:error', 'ERR_SSL_NO_CIPHER', 'SSL routines: wrong version number'],
	],
	[
		TIMED_OUT,
		true,
		['ETIMEDOUT', 'ECONNABORTED'],
		['connect ETIMEDOUT 10.0.0.1:443', 'ECONNABORTED', 'Timeout of 1000ms exceeded'],
	],
	[
		DAMAGED,
		true,
		['HPE_INVALID_CONSTANT', 'HPE_HEADER_OVERFLOW', 'Z_DATA_ERROR', 'Z_BUF_ERROR'],
		['HPE_INVALID_HEADER_TOKEN'],
	],
	[
		CLOSED,
		true,
		['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'],
		['read ECONNRESET', 'write EPIPE', 'socket hang up', 'Aborted', 'ERR_STREAM_PREMATURE_CLOSE'],
	],
];

const by = (list: 'codes' | 'texts') =>
	BY_MESSAGE.flatMap(([message, wasConnected, codes, texts]) =>
		(list === 'codes' ? codes : texts).map((each) => [each, message, wasConnected] as const),
	);

test.each(by('codes'))('the code %s: %s', (code, message, wasConnected) => {
	const errors = [
		{ code },
		{ httpCode: code },
		{ code: 500, httpCode: code },
		{ cause: { cause: { cause: { code } } } },
		{ errors: [{ code: 'OTHER' }, { code }] },
	];
	for (const error of errors) {
		expect([connectionErrorMessage(error, SERVICE), isConnectionError(error), neverConnected(error)]).toEqual([
			message,
			true,
			!wasConnected,
		]);
	}
});

test.each(by('texts'))('the text %j, without a code: %s', (text, message) => {
	const errors = [
		{ message: text },
		{ message: 'n8n has replaced it', messages: ['', text] },
		{ message: '', cause: { message: text } },
	];
	for (const error of errors) {
		// Only a code proves that nothing was sent.
		expect([connectionErrorMessage(error, SERVICE), isConnectionError(error), neverConnected(error)]).toEqual([
			message,
			true,
			false,
		]);
	}
});

test.each<[string, unknown]>([
	...by('codes').map(([code]) => [`a code that contains ${code}`, { code: `X${code}` }] as [string, unknown]),
	...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENETDOWN', 'EPROTO', 'ETIMEDOUT', 'EPIPE'].map(
		(code) => [`a code that begins with ${code}`, { code: `${code}2` }] as [string, unknown],
	),
	['a cause four levels down', { cause: { cause: { cause: { cause: { code: 'EPIPE' } } } } }],
	['errors four levels down', { errors: [{ errors: [{ errors: [{ errors: [{ code: 'EPIPE' }] }] }] }] }],
	['text in place of an error', 'ECONNREFUSED'],
	['null', null],
	['texts of blanks', { message: ' ', messages: ['', '\n'] }],
	['messages that are not text', { message: 1, messages: [2], code: 3 }],
	['errors that are not a list', { errors: { code: 'EPIPE' }, messages: 'EPIPE' }],
])('is not about the connection: %s', (_name, error) => {
	expect([connectionErrorMessage(error, SERVICE), isConnectionError(error), neverConnected(error)]).toEqual([
		`no response came from ${SERVICE}`,
		false,
		false,
	]);
});

test.each<[string, unknown, string]>([
	['a code says more than a text', { code: 'ECONNRESET', message: 'connect ECONNREFUSED' }, CLOSED],
	[
		'a text that contains another code is not about TLS',
		{ code: 'EPROTOTYPE', message: 'write EPROTOTYPE' },
		'write EPROTOTYPE',
	],
	[
		"an error that is not about the connection keeps its own message, n8n's first",
		{ message: '', messages: ['Domain not allowed'], cause: { message: 'deeper' } },
		'Domain not allowed',
	],
])('%s', (_name, error, message) => {
	expect(connectionErrorMessage(error, SERVICE)).toBe(message);
});

test.each(['localhost', '127.0.0.1', '[::1]'])(
	'nothing listens at %s, which in Docker is the container itself',
	(host) => {
		expect(connectionErrorMessage({ code: 'ECONNREFUSED' }, `http://${host}:9`)).toMatch(
			/; in Docker, this address is n8n's own container: use host\.docker\.internal$/,
		);
	},
);

const tls = (text: string) =>
	`write EPROTO 80:error:0A000410:SSL routines:ssl3_read_bytes:${text}:../ssl/record/rec_layer_s3.c:1601:`;
const CLOSED_EARLY = 'Client network socket disconnected before secure TLS connection was established';

// Texts of Node 20 and 24.
test.each<[what: 'never connected' | 'in doubt', canWait: 'permanent' | 'may pass', code: string, text: string]>([
	...[
		'wrong version number',
		'sslv3 alert handshake failure',
		'ssl/tls alert handshake failure',
		'tlsv1 alert protocol version',
		'tlsv1 alert insufficient security',
		'tlsv1 unrecognized name',
		'tlsv1 alert no application protocol',
		'no shared cipher',
		'unsupported protocol',
	].map((text) => ['never connected', 'permanent', 'EPROTO', tls(text)] as never),
	['never connected', 'may pass', 'ECONNRESET', CLOSED_EARLY],
	...[
		'Proxy connection ended before receiving CONNECT response',
		'No header received from proxy CONNECT response',
		'Invalid header from proxy CONNECT response: "x"',
	].map((text) => ['never connected', 'may pass', '', text] as never),
	['in doubt', 'may pass', 'ECONNRESET', 'Proxy connection ended before receiving CONNECT response'],
	['in doubt', 'may pass', '', 'it was: No header received from proxy CONNECT response'],
	['in doubt', 'may pass', 'ECONNRESET', 'read ECONNRESET'],
	['in doubt', 'may pass', 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'tlsv13 alert certificate required'],
	['in doubt', 'may pass', 'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'sslv3 alert handshake failure'],
	['in doubt', 'may pass', 'EPROTO', tls('tlsv1 alert internal error')],
	['in doubt', 'may pass', 'ETIMEDOUT', CLOSED_EARLY],
	['never connected', 'permanent', 'ENOTFOUND', 'getaddrinfo ENOTFOUND api.example.com'],
	['never connected', 'may pass', 'EAI_AGAIN', 'getaddrinfo EAI_AGAIN api.example.com'],
	['never connected', 'permanent', 'CERT_HAS_EXPIRED', 'certificate has expired'],
	['never connected', 'may pass', 'ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:80'],
])('is %s and %s: %s %s', (what, canWait, code, text) => {
	for (const error of [
		{ code, message: text },
		{ httpCode: code, message: 'n8n has replaced it', messages: [text] },
	]) {
		expect([neverConnected(error), isPermanent(error)]).toEqual([what === 'never connected', canWait === 'permanent']);
	}
});
