import {
	explainConnectionError,
	isConnectionError,
	isPermanent,
	neverConnected,
} from '../../nodes/VoiceAdmin/transport/response/connectionErrors';

const SERVICE = 'https://api.example.com';

const explain = (error: unknown, baseUrl = SERVICE) => Object.values(explainConnectionError(error, baseUrl)).join('. ');

const said = (error: unknown) => [explain(error), isConnectionError(error), neverConnected(error)];

/** Codes of Node, OpenSSL and the HTTP client, and texts of theirs, by what is said of them. */
const BY_MESSAGE: Array<[message: string, wasConnected: boolean, codes: string, texts: string[]]> = [
	['nothing is listening', false, 'ECONNREFUSED', ['connect ECONNREFUSED 127.0.0.1:80']],
	["couldn't be found", false, 'ENOTFOUND EAI_AGAIN EAI_NODATA', ['getaddrinfo ENOTFOUND api.example.com']],
	[
		"Add the option 'Max Concurrency' and lower it, or raise the limit of open files",
		true,
		'EMFILE ENFILE',
		['open EMFILE'],
	],
	[
		"can't be reached from this machine",
		true,
		'EHOSTUNREACH ENETUNREACH ENETDOWN EADDRNOTAVAIL',
		['connect EHOSTUNREACH 10.0.0.1:443'],
	],
	[
		"isn't trusted. If it has expired",
		false,
		'ERR_TLS_CERT_ALTNAME_INVALID CERT_HAS_EXPIRED UNABLE_TO_VERIFY_LEAF_SIGNATURE SELF_SIGNED_CERT_IN_CHAIN',
		['UNABLE_TO_GET_ISSUER', 'unable to verify the first certificate', 'SSL Issue: consider using the Ignore option'],
	],
	[
		'whether the base URL should begin with http://',
		true,
		'EPROTO ERR_SSL_WRONG_VERSION_NUMBER',
		['write EPROTO 0:error', 'SSL routines: wrong version number'],
	],
	["didn't respond in time", true, 'ETIMEDOUT ECONNABORTED', ['Timeout of 1000ms exceeded']],
	[
		'is damaged',
		true,
		'HPE_INVALID_CONSTANT HPE_HEADER_OVERFLOW Z_DATA_ERROR Z_BUF_ERROR',
		['HPE_INVALID_HEADER_TOKEN'],
	],
	[
		'closed the connection before responding',
		true,
		'ECONNRESET EPIPE ERR_STREAM_PREMATURE_CLOSE',
		['socket hang up', 'Aborted'],
	],
];

test.each(
	BY_MESSAGE.flatMap(([message, wasConnected, codes]) =>
		codes.split(' ').map((code) => [code, message, wasConnected] as const),
	),
)('an error with the code %s says "%s"', (code, message, wasConnected) => {
	const errors = [
		{ code },
		{ code: 500, httpCode: code },
		{ cause: { cause: { cause: { code } } } },
		{ errors: [{ code: 'OTHER' }, { code }] },
	];
	for (const error of errors) expect(said(error)).toEqual([expect.stringContaining(message), true, !wasConnected]);
});

test.each(BY_MESSAGE.flatMap(([message, , , texts]) => texts.map((text) => [text, message] as const)))(
	'an error with the text %j alone says "%s", and not that nothing was sent',
	(text, message) => {
		for (const error of [{ message: text }, { message: 'n8n has replaced it', messages: ['', text] }])
			expect(said(error)).toEqual([expect.stringContaining(message), true, false]);
	},
);

test.each<[string, unknown]>([
	['another code that contains one', { code: 'MY_ECONNRESET' }],
	['another code that begins with one', { code: 'EPROTO2' }],
	['a cause four levels down', { cause: { cause: { cause: { cause: { code: 'EPIPE' } } } } }],
	['errors four levels down', { errors: [{ errors: [{ errors: [{ errors: [{ code: 'EPIPE' }] }] }] }] }],
	['text in place of an error', 'ECONNREFUSED'],
	['null', null],
	['messages that are not text', { message: 1, messages: [2], code: 3 }],
	['errors that are not a list', { errors: { code: 'EPIPE' }, messages: 'EPIPE' }],
])('an error is not taken for one of the connection: %s', (_name, error) => {
	expect(said(error)).toEqual([`no response came from ${SERVICE}`, false, false]);
});

test.each<[string, unknown, string]>([
	['a code says more than a text', { code: 'ECONNRESET', message: 'connect ECONNREFUSED' }, 'closed the connection'],
	['a text of another code is not about TLS', { code: 'EPROTOTYPE', message: 'write EPROTOTYPE' }, 'write EPROTOTYPE'],
	[
		"an error that is not about the connection keeps its own message, n8n's first",
		{ message: '', messages: ['Domain not allowed'], cause: { message: 'deeper' } },
		'Domain not allowed',
	],
])('%s', (_name, error, message) => {
	expect(explain(error)).toContain(message);
});

test.each(['localhost', '127.0.0.1', '[::1]'])(
	'where nothing listens at %s, the error says that in Docker this is the container itself',
	(host) => {
		expect(explain({ code: 'ECONNREFUSED' }, `http://${host}:9`)).toMatch(
			/\. In Docker, this address is n8n's own container: use host\.docker\.internal \(on Linux, add it to the container's extra hosts\)$/,
		);
	},
);

const tls = (text: string) => `write EPROTO 80:error:SSL routines::${text}:`;
const CLOSED_EARLY = 'Client network socket disconnected before secure TLS connection was established';

// Texts of Node 20 and 24.
test.each<[what: 'was not sent' | 'may have been sent', canWait: 'no wait helps' | 'a wait may help', string, string]>([
	...[
		'wrong version number',
		'sslv3 alert handshake failure',
		'tlsv1 alert protocol version',
		'tlsv1 alert no application protocol',
		'unsupported protocol',
	].map((text) => ['was not sent', 'no wait helps', 'EPROTO', tls(text)] as never),
	...[
		'Proxy connection ended before receiving CONNECT response',
		'No header received from proxy CONNECT response',
		'Invalid header from proxy CONNECT response: "x"',
	].map((text) => ['was not sent', 'a wait may help', '', text] as never),
	['was not sent', 'a wait may help', 'ECONNRESET', CLOSED_EARLY],
	['was not sent', 'a wait may help', 'EAI_AGAIN', 'getaddrinfo EAI_AGAIN api.example.com'],
	['was not sent', 'a wait may help', 'ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:80'],
	['was not sent', 'no wait helps', 'ENOTFOUND', 'getaddrinfo ENOTFOUND api.example.com'],
	['was not sent', 'no wait helps', 'CERT_HAS_EXPIRED', 'certificate has expired'],
	['may have been sent', 'a wait may help', 'ECONNRESET', 'Proxy connection ended before receiving CONNECT response'],
	['may have been sent', 'a wait may help', '', 'it was: No header received from proxy CONNECT response'],
	['may have been sent', 'a wait may help', 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'certificate required'],
	['may have been sent', 'a wait may help', 'EPROTO', tls('tlsv1 alert internal error')],
	['may have been sent', 'a wait may help', 'ETIMEDOUT', CLOSED_EARLY],
])('a request %s, and %s: %s %s', (what, canWait, code, text) => {
	for (const error of [
		{ code, message: text },
		{ httpCode: code, message: 'n8n has replaced it', messages: [text] },
	])
		expect([neverConnected(error), isPermanent(error)]).toEqual([what === 'was not sent', canWait === 'no wait helps']);
});
