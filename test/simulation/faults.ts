import type { Outcome } from '../../nodes/VoiceAdmin/transport/http/classify';

/** What comes back for a request: a response, an error of the connection, or nothing until its time is over. */
export type Reply = { status: number; body?: string; headers?: Record<string, string>; isCut?: true } | { error: string; code: string } | 'nothing';

/** What becomes of a request in place of what should. */
export interface Fault {
	/** Whether it reaches the service: nothing is done of one that does not. */
	arrives?: false;
	/** Whether the service does what it is asked before this happens. */
	isDone?: true;
	reply?: Reply;
	/** What an error may say of a request to which this happened, by docs/undocumented-api.md; of a GET, `ofGet`. */
	means: Outcome;
	ofGet?: Outcome;
}

const JSON_TYPE = { 'content-type': 'application/json' };
export const PAGE = '<html><head><title>Not here</title></head><body>A page</body></html>';

/** The API's own error body. */
export const apiError = (status: number, message = `answer ${status}`, errors: unknown = []): Reply => ({
	status,
	body: JSON.stringify({ status: String(status), message, errors }),
	headers: JSON_TYPE,
});
const page = (status: number, headers = {}): Reply => ({ status, body: PAGE, headers: { 'content-type': 'text/html', ...headers } });
const broken = (code: string, error: string): Reply => ({ code, error });
const RESET = broken('ECONNRESET', 'socket hang up');
const refused = (status: number): Fault => ({ reply: apiError(status), means: 'not_done' });
const unknown = (reply: Reply, isDone?: true): Fault => ({ reply, isDone, means: 'unknown' });

/** Twenty kinds and more, of which some differ only in whether the work was done before. */
export const FAULTS = {
	'connection refused': { arrives: false, reply: broken('ECONNREFUSED', 'connect ECONNREFUSED 192.0.2.1:443'), means: 'not_sent' },
	'TLS handshake fails': {
		arrives: false, reply: broken('ECONNRESET', 'Client network socket disconnected before secure TLS connection was established'), means: 'not_sent',
	},
	'connection breaks': unknown(RESET),
	'connection breaks after the work': unknown(RESET, true),
	'response is cut off': unknown({ status: 200, body: '{"id": "1"', headers: JSON_TYPE, isCut: true }, true),
	'no response': unknown('nothing'),
	'no response after the work': unknown('nothing', true),
	400: refused(400),
	'400 with the token': { reply: apiError(400, 'token TOKEN of client SECRET'), means: 'not_done' },
	'401 of the object': refused(401),
	403: refused(403),
	404: refused(404),
	'404 of a proxy': { reply: page(404), means: 'not_done' },
	'408 after the work': unknown({ status: 408 }, true),
	429: { reply: { status: 429 }, means: 'not_done' },
	'429 with Retry-After': { reply: { status: 429, headers: { 'retry-after': '2' } }, means: 'not_done' },
	500: unknown(apiError(500)),
	'500 after the work': unknown(apiError(500), true),
	502: unknown(page(502)),
	'502 after the work': unknown(page(502), true),
	503: unknown({ status: 503 }),
	'503 with Retry-After': { reply: { ...(apiError(503) as object), status: 503, headers: { ...JSON_TYPE, 'retry-after': '2' } }, means: 'not_done' },
	'503 with Retry-After of a proxy, after the work': unknown(page(503, { 'retry-after': '2' }), true),
	'504 after the work': unknown(page(504), true),
	'303 after the work': { ...unknown({ status: 303, headers: { location: '/customers/1' } }, true), ofGet: 'not_done' },
	'200 with a page': unknown(page(200)),
	'200 with an error': unknown(apiError(200)),
	'token revoked': { means: 'not_done' },
} satisfies Record<string, Fault> as Record<string, Fault>;

export type FaultName = string;

/** How a service that is away is met: what stands before it answers, or nobody does. */
export const OUTAGES = ['502', '503', 'refused'] as const;
export const outageReply = (by: (typeof OUTAGES)[number], isInFlight: boolean): Reply => {
	if (by !== 'refused') return page(Number(by));
	return isInFlight ? RESET : FAULTS['connection refused']!.reply!;
};
