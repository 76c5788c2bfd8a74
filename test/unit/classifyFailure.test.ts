import { acceptanceOf } from '../../nodes/VoiceAdmin/transport/auth/tokenAcceptance';
import { LoginError } from '../../nodes/VoiceAdmin/transport/auth/login';
import {
	type AttemptResult,
	type Classification,
	classifyFailure,
	type ErrorCode,
	type Outcome,
	NotSentError,
} from '../../nodes/VoiceAdmin/transport/response/classifyFailure';
import type { ServiceHealth } from '../../nodes/VoiceAdmin/transport/flow/serviceMonitor';
import { parseBody } from '../../nodes/VoiceAdmin/transport/response/readResponse';

const REQUESTS = {
	GET: { method: 'GET' },
	PUT: { method: 'PUT' },
	POST: { method: 'POST' },
	'POST that creates': { method: 'POST', creates: 'customer 1' },
	'GET that creates': { method: 'GET', creates: 'customer 1' },
};
type Name = keyof typeof REQUESTS;
const NAMES = Object.keys(REQUESTS) as Name[];

const FINAL = false;
const TRANSIENT = true;

/** By method, as 303 is the usual answer to a change that was done. */
const REDIRECTED = (name: Name): Outcome => (name === 'GET' ? 'not_done' : 'unknown');

type Expected = [
	code: ErrorCode,
	outcome: Outcome | typeof REDIRECTED,
	isTransient: Classification['isTransient'],
	health: ServiceHealth,
	retryAfterMs?: number,
];

const response = (status: number, retryAfter?: string): AttemptResult => ({
	response: {
		status,
		headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
		body: parseBody('not what was expected'),
	},
});

/** An error of a request that was on its way, with properties as Node, the HTTP client or n8n sets them. */
const sent = (message: string, properties: object = {}): AttemptResult => ({
	error: Object.assign(new Error(message), properties),
	wasSent: true,
});

const notSent = (error: unknown): AttemptResult => ({ error, wasSent: false });

const LATER = { 'retry-after': 'Thu, 01 Jan 2026 05:00:09 GMT', date: 'Thu, 01 Jan 2026 05:00:00 GMT' };
const byDate: AttemptResult = { response: { status: 429, headers: LATER, body: parseBody('') } };

const away = (retryAfterMs?: number): Expected => ['service_error', 'unknown', TRANSIENT, 'unavailable', retryAfterMs];

/** As a proxy may add the header to a page of its own. */
const busy = (body: string, status = 503): AttemptResult => ({
	response: { status, headers: { 'retry-after': '7' }, body: parseBody(body) },
});
const OWN_BODY = '{"status":"Error","message":"Busy","errors":""}';

type Row = [name: string, failed: AttemptResult, expected: Expected];

/** Statuses that have a rule of their own, with a Retry-After if it matters. */
const BY_STATUS: Array<[statuses: number[], expected: Expected, retryAfter?: string]> = [
	[[401], ['unauthorized', 'not_done', FINAL, 'responded']],
	[[403], ['forbidden', 'not_done', FINAL, 'healthy']],
	[[404], ['not_found', 'not_done', FINAL, 'healthy']],
	[[408], ['rejected', 'unknown', TRANSIENT, 'responded']],
	[[425], ['rejected', 'not_done', TRANSIENT, 'healthy']],
	[
		[444, 460, 499],
		['rejected', 'unknown', FINAL, 'responded'],
	],
	[[429], ['rate_limited', 'not_done', TRANSIENT, 'rateLimited']],
	[[429], ['rate_limited', 'not_done', TRANSIENT, 'rateLimited', 7_000], '7'],
	[[429], ['rate_limited', 'not_done', TRANSIENT, 'rateLimited', 0], '0'],
	[[502, 503, 504, 520, 521, 522, 523, 524, 529, 530], away()],
	[[503], away(7_000), '7'],
	[[503], away(0), '0'],
	[[503], away(), 'soon'],
	// With any other status, Retry-After says nothing about the request.
	[[500], ['service_error', 'unknown', FINAL, 'responded'], '7'],
];

const RESPONSES: Row[] = [
	...BY_STATUS.flatMap(([statuses, expected, retryAfter]) =>
		statuses.map((status): Row => [
			`a ${status} with Retry-After ${retryAfter}`,
			response(status, retryAfter),
			expected,
		]),
	),
	[
		"a 503 with Retry-After and the API's own error body",
		busy(OWN_BODY),
		['service_error', 'not_done', TRANSIENT, 'unavailable', 7_000],
	],
	['a 503 with Retry-After and another JSON body', busy('{"message":"Busy"}'), away(7_000)],
	[
		'a 429 with Retry-After as a date, by the clock of the service',
		byDate,
		['rate_limited', 'not_done', TRANSIENT, 'rateLimited', 9_000],
	],
];

const loginFailed = new LoginError(
	{ problem: "Couldn't log in" },
	classifyFailure({ method: 'POST' }, response(503, '7')),
);
const invalidCredential = new NotSentError("'Production Base URL' in the credential is required", 'invalid_credential');

const NOT_OPENED: Expected = ['connection_failed', 'not_sent', TRANSIENT, 'unavailable'];
const BROKEN: Expected = ['connection_failed', 'unknown', TRANSIENT, 'unavailable'];
const NOT_UNDERSTOOD: Expected = ['connection_failed', 'unknown', FINAL, 'inconclusive'];
const FINAL_LEFT: Expected = ['connection_failed', 'not_sent', FINAL, 'inconclusive'];

const ERRORS: Row[] = [
	[
		'a credential that cannot be used',
		notSent(invalidCredential),
		['invalid_credential', 'not_sent', FINAL, 'inconclusive'],
	],
	['a login that failed', notSent(loginFailed), ['login_failed', 'not_sent', FINAL, 'inconclusive']],
	[
		'the code ECONNRESET before the request was sent',
		notSent(Object.assign(new Error('reset'), { code: 'ECONNRESET' })),
		FINAL_LEFT,
	],
	...['EMFILE', 'EHOSTUNREACH', 'ETIMEDOUT', 'ECONNRESET'].flatMap((code): Row[] => [
		[
			`the code ${code} of a connection that could not be opened`,
			sent(`connect ${code} 192.0.2.1:443`, { code }),
			NOT_OPENED,
		],
		[
			`n8n's error for that, ${code}`,
			sent('The connection failed', {
				httpCode: code,
				messages: [`connect ${code} 192.0.2.1:443 - Local (undefined:undefined)`],
			}),
			NOT_OPENED,
		],
	]),
	['the code ECONNRESET', sent('failed', { code: 'ECONNRESET' }), BROKEN],
	['the code ENOTFOUND, as no wait helps', sent('failed', { code: 'ENOTFOUND' }), FINAL_LEFT],
	['the code CERT_HAS_EXPIRED', sent('failed', { code: 'CERT_HAS_EXPIRED' }), FINAL_LEFT],
	// Only a code proves that a request was not sent: text may come from anywhere.
	['a message that says ECONNREFUSED', sent('connect ECONNREFUSED 127.0.0.1:80'), BROKEN],
	['an error that is not understood', sent('Something else'), NOT_UNDERSTOOD],
];

/** What is expected of a status that has no rule of its own. */
function expectedOf(status: number): Expected {
	if (status < 300) return ['invalid_response', 'unknown', FINAL, 'healthy'];
	if (status < 400) return ['rejected', REDIRECTED, FINAL, 'healthy'];
	if (status < 500) return ['rejected', 'not_done', FINAL, 'healthy'];
	return ['service_error', 'unknown', FINAL, 'responded'];
}

function classificationOf([code, outcome, isTransient, health, retryAfterMs]: Expected, name: Name): Classification {
	return { code, outcome: typeof outcome === 'function' ? outcome(name) : outcome, isTransient, health, retryAfterMs };
}

describe('a failed request', () => {
	test.each(
		[...RESPONSES, ...ERRORS].flatMap(([name, failed, expected]) =>
			NAMES.map((request) => [name, request, failed, classificationOf(expected, request)] as const),
		),
	)('is classified: %s, to a %s', (_name, request, failed, expected) => {
		expect(classifyFailure(REQUESTS[request], failed)).toEqual({
			...expected,
			status: 'response' in failed ? failed.response.status : undefined,
		});
	});

	test('is classified by the first digit of a status that has no rule of its own', () => {
		const special = BY_STATUS.flatMap(([statuses]) => statuses);
		const statuses = Array.from({ length: 400 }, (_, index) => 200 + index).filter(
			(status) => status === 500 || !special.includes(status),
		);
		for (const request of NAMES) {
			const classified = statuses.map((status) => [status, classifyFailure(REQUESTS[request], response(status))]);
			expect(classified).toEqual(
				statuses.map((status) => [status, { ...classificationOf(expectedOf(status), request), status }]),
			);
		}
	});
});

describe('a status', () => {
	test.each([
		['accepted', [200, 201, 204, 299, 304, 400, 402, 404, 409, 422, 428, 430, 499]],
		['refused', [401]],
		['maybeRefused', [403, 419, 440, 498]],
		['unknown', [429, 500, 501, 502, 503, 504, 599]],
	])('of an error of the API says of the access token: %s; what is none accepts no token', (verdict, statuses) => {
		const [error, other] = [{ status: '404', message: '', errors: [] }, { message: 'no Route matched' }];
		const acceptances = [error, other].map((value) =>
			statuses.map((status) => acceptanceOf({ status, headers: {}, body: { kind: 'json', value, text: '' } })),
		);
		const ofOther = verdict === 'accepted' ? 'unknown' : verdict;
		expect(acceptances).toEqual([statuses.map(() => verdict), statuses.map(() => ofOther)]);
	});
});
