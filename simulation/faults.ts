import type { Outcome } from '../nodes/VoiceAdmin/transport/response/classifyFailure';

/** A response; one of the API's own only comes to a token that it accepts. */
type Response = { status: number; body?: string; headers?: Record<string, string>; isCut?: true; isOfApi?: true };

/** What comes back for a request: a response, an error of the connection, or nothing until its time is over. */
export type Reply = Response | { error: string; code: string } | 'nothing';

/** What becomes of a request in place of what should. */
export interface Fault {
	reply?: Reply;
	/** Whether it never reaches the service, or strikes when the work is done. */
	when?: 'unreached' | 'done';
	/** What an error may say of a request that it struck, by docs/undocumented-api.md. */
	means: Outcome;
}

const JSON_TYPE = { 'content-type': 'application/json' };

/** The API's own error body. */
export const apiError = (status: number, message = `answer ${status}`, headers = {}): Reply => ({
	status,
	body: JSON.stringify({
		status: status < 400 ? 'ERROR' : String(status),
		message,
		errors: [{ field: 'id', message }],
	}),
	headers: { ...JSON_TYPE, ...headers },
	isOfApi: true,
});
const page = (status: number, headers = {}): Reply => ({
	status,
	body: '<html><head><title>Not here</title></head></html>',
	headers: { 'content-type': 'text/html', ...headers },
});
const RETRY_AFTER = { 'retry-after': '2' };
const RESET: Reply = { code: 'ECONNRESET', error: 'socket hang up' };
const REFUSED: Reply = { code: 'ECONNREFUSED', error: 'connect ECONNREFUSED 192.0.2.1:443' };
const NO_HANDSHAKE: Reply = {
	code: 'ECONNRESET',
	error: 'Client network socket disconnected before secure TLS connection was established',
};

const unreached = (reply: Reply): Fault => ({ reply, when: 'unreached', means: 'not_sent' });
const refused = (reply: Reply): Fault => ({ reply, means: 'not_done' });
const unknown = (reply: Reply, when?: 'done'): Fault => ({ reply, when, means: 'unknown' });

export const FAULTS: Record<string, Fault> = {
	'connection refused': unreached(REFUSED),
	'TLS handshake fails': unreached(NO_HANDSHAKE),
	'connection breaks': unknown(RESET),
	'connection breaks, done': unknown(RESET, 'done'),
	'response cut off': unknown({ status: 200, body: '{"id": "1"', headers: JSON_TYPE, isCut: true }, 'done'),
	'no response': unknown('nothing'),
	'no response, done': unknown('nothing', 'done'),
	'400': refused(apiError(400)),
	'400 with the token': refused(apiError(400, 'token TOKEN of client SECRET')),
	'401 of the object': refused(apiError(401)),
	'403': refused(apiError(403)),
	'404': refused(apiError(404)),
	'404 of a proxy': refused({
		status: 404,
		body: '{"message":"no Route matched with those values"}',
		headers: JSON_TYPE,
	}),
	'408, done': unknown({ status: 408 }, 'done'),
	'429': refused({ status: 429 }),
	'429 with Retry-After': refused({ status: 429, headers: RETRY_AFTER }),
	'500': unknown(apiError(500)),
	'500, done': unknown(apiError(500), 'done'),
	'502': unknown(page(502)),
	'502, done': unknown(page(502), 'done'),
	'503': unknown({ status: 503 }),
	'503 with Retry-After': refused(apiError(503, undefined, RETRY_AFTER)),
	'503 with Retry-After of a proxy, done': unknown(page(503, RETRY_AFTER), 'done'),
	'504, done': unknown(page(504), 'done'),
	// Of a GET, it says that nothing was done: there is nothing to do.
	'303, done': unknown({ status: 303, headers: { location: '/v1/customers/1' } }, 'done'),
	'200 with a page': unknown(page(200)),
	'200 with an error': unknown(apiError(200)),
	'200 with an error: maintenance': unknown({
		status: 200,
		body: '{"maintenance":true,"message":"Back at six"}',
		headers: JSON_TYPE,
	}),
	'token revoked': { means: 'not_done' },
};

/** How a service that is away is met: something before it answers, or nobody does. What was in flight breaks. */
export const OUTAGES = ['502', '503', 'refused'] as const;
export const outageReply = (by: (typeof OUTAGES)[number], isInFlight: boolean): Reply =>
	by === 'refused' ? (isInFlight ? RESET : REFUSED) : page(Number(by));
