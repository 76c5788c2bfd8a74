import type { Outcome } from '../nodes/VoiceAdmin/transport/response/classifyFailure';

/** A response; one of the API's own only comes to a token that it accepts. */
type Response = { status: number; body?: string; headers?: Record<string, string>; isCut?: true; isOfApi?: true };

/** What comes back for a request: a response, an error of the connection, or nothing until its time is over. */
export type Reply = Response | { error: string; code: string } | 'nothing';

/** What becomes of a request in place of what should. */
export interface Fault {
	reply?: Reply;
	/** Whether it never reaches the service, or strikes when the work is done. */
	stage?: 'unreached' | 'done';
	/** What an error may say of a request that it struck, by docs/undocumented-api.md. */
	outcome: Outcome;
}

const JSON_TYPE = { 'content-type': 'application/json' };

/** The API's own error body. */
export const createApiError = (status: number, message = `answer ${status}`, headers = {}): Reply => ({
	status,
	body: JSON.stringify({
		status: status < 400 ? 'ERROR' : String(status),
		message,
		errors: [{ field: 'id', message }],
	}),
	headers: { ...JSON_TYPE, ...headers },
	isOfApi: true,
});
const createPage = (status: number, headers = {}): Reply => ({
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

const createUnreachedFault = (reply: Reply): Fault => ({ reply, stage: 'unreached', outcome: 'not_sent' });
const createRefusedFault = (reply: Reply): Fault => ({ reply, outcome: 'not_done' });
const createUnknownFault = (reply: Reply, stage?: 'done'): Fault => ({ reply, stage, outcome: 'unknown' });

export const FAULTS: Record<string, Fault> = {
	'connection refused': createUnreachedFault(REFUSED),
	'TLS handshake fails': createUnreachedFault(NO_HANDSHAKE),
	'connection breaks': createUnknownFault(RESET),
	'connection breaks, done': createUnknownFault(RESET, 'done'),
	'response cut off': createUnknownFault({ status: 200, body: '{"id": "1"', headers: JSON_TYPE, isCut: true }, 'done'),
	'no response': createUnknownFault('nothing'),
	'no response, done': createUnknownFault('nothing', 'done'),
	'400': createRefusedFault(createApiError(400)),
	'400 with the token': createRefusedFault(createApiError(400, 'token TOKEN of client SECRET')),
	'401 of the object': createRefusedFault(createApiError(401)),
	'403': createRefusedFault(createApiError(403)),
	'404': createRefusedFault(createApiError(404)),
	'404 of a proxy': createRefusedFault({
		status: 404,
		body: '{"message":"no Route matched with those values"}',
		headers: JSON_TYPE,
	}),
	'404 with a page': createRefusedFault(createPage(404)),
	'408, done': createUnknownFault({ status: 408 }, 'done'),
	'429': createRefusedFault({ status: 429 }),
	'429 with Retry-After': createRefusedFault({ status: 429, headers: RETRY_AFTER }),
	'500': createUnknownFault(createApiError(500)),
	'500, done': createUnknownFault(createApiError(500), 'done'),
	'502': createUnknownFault(createPage(502)),
	'502, done': createUnknownFault(createPage(502), 'done'),
	'503': createUnknownFault({ status: 503 }),
	'503 with Retry-After': createRefusedFault(createApiError(503, undefined, RETRY_AFTER)),
	'asks by 503 to wait for long': createRefusedFault(createApiError(503, undefined, { 'retry-after': '300' })),
	'503 with Retry-After of a proxy, done': createUnknownFault(createPage(503, RETRY_AFTER), 'done'),
	'504, done': createUnknownFault(createPage(504), 'done'),
	// Of a GET, it says that nothing was done: there is nothing to do.
	'303, done': createUnknownFault({ status: 303, headers: { location: '/v1/customers/1' } }, 'done'),
	'200 with a page': createUnknownFault(createPage(200)),
	'200 with an error': createUnknownFault(createApiError(200)),
	'200 with an error: maintenance': createUnknownFault({
		status: 200,
		body: '{"maintenance":true,"message":"Back at six"}',
		headers: JSON_TYPE,
	}),
	'token revoked': { outcome: 'not_done' },
};

/** The API itself rejects requests, and answers what is in flight. */
export const REJECTING_OUTAGE = '503 of the API with Retry-After';

/** How a service that is away is met: something before it answers, or nobody does; what was in flight breaks. Or it rejects requests. */
export const OUTAGES = ['502', '503', '503 with Retry-After', REJECTING_OUTAGE, 'refused'] as const;
export const createOutageReply = (by: (typeof OUTAGES)[number], isInFlight: boolean): Reply =>
	({
		'502': createPage(502),
		'503': createPage(503),
		'503 with Retry-After': createPage(503, RETRY_AFTER),
		[REJECTING_OUTAGE]: createApiError(503, undefined, RETRY_AFTER),
		refused: isInFlight ? RESET : REFUSED,
	})[by];
