import type { ServerResponse } from 'node:http';

import { credentialFor } from '../support/executor/credentialStore';
import { execute } from '../support/executor/execute';
import { Polling } from '../support/executor/poll';
import { addCustomer, getGateway, setPremium } from '../support/operations';
import { Recorder } from '../support/recorder';
import { aheadClock } from '../support/time';

/** A status, a body, and what the user is to see of it. */
type Answer = [status: number, body: object | string, words: string | RegExp, headers?: Record<string, string>];

/** How a kind of service answers; the API's document leaves most of it open. */
interface Profile {
	name: string;
	/** A login with a key that is not known. */
	badKey: Answer;
	/** A request whose token has expired. */
	expired: Answer;
	/** A request for which the key lacks the permission. */
	forbidden: Answer;
	badRequest: Answer;
	/** More requests than the service takes. */
	overload: Answer;
	contentType?: string;
	/** What a login gives beside the token. */
	login?: object;
}

const JSON_TYPE = 'application/json';
const api = (status: number, name: string, message: string, errors: unknown = ''): Answer => [status, { status: name, message, errors }, message];
const problem = (status: number, title: string, detail: string): Answer => [status, { type: 'about:blank', title, status, detail, instance: '/v1' }, detail];
const oauth = (status: number, error: string, description: string): Answer => [status, { error, error_description: description }, description];
const spring = (status: number, error: string, message: string): Answer => [status, { timestamp: '2026-01-01T00:00:00Z', status, error, message, path: '/v1' }, message];
const page = (status: number, title: string): Answer => [
	status,
	`<!DOCTYPE html><html><head><title>${title}</title></head></html>`,
	new RegExp(`answered ${status} with an HTML page titled "${title}"\\. It comes from something in front of the API`),
	{ 'content-type': 'text/html' },
];
const busy = (status: number, body: object | string = ''): Answer => [status, body, /./, { 'retry-after': '0' }];

const PROFILES: Profile[] = [
	{
		name: 'as documented',
		badKey: api(403, 'Forbidden', 'Unknown API key'),
		expired: api(403, 'Forbidden', 'Token expired'),
		forbidden: api(403, 'Forbidden', 'Insufficient permissions'),
		badRequest: api(400, 'Bad Request', 'Invalid parameters', ['iso is unknown']),
		overload: busy(429, api(429, 'Too Many Requests', 'Slow down')[1]),
	},
	{
		name: 'Spring Boot',
		badKey: spring(401, 'Unauthorized', 'Bad credentials'),
		expired: spring(401, 'Unauthorized', 'JWT expired'),
		forbidden: spring(403, 'Forbidden', 'Access is denied'),
		badRequest: spring(400, 'Bad Request', 'iso must match [A-Z]{2}'),
		overload: busy(503, spring(503, 'Service Unavailable', 'Busy')[1]),
	},
	{
		name: 'ASP.NET',
		contentType: 'application/problem+json; charset=utf-8',
		badKey: problem(401, 'Unauthorized', 'The client is not registered.'),
		expired: [401, '', /./],
		forbidden: [403, '', 'The service answered 403 with no body'],
		badRequest: [400, { title: 'One or more validation errors occurred.', status: 400, errors: { iso: ['The iso field is required.'] } }, 'One or more validation errors occurred.'],
		overload: busy(429),
	},
	{
		name: 'Laravel',
		badKey: [422, { message: 'The given data was invalid.', errors: { clientId: ['Unknown.'] } }, 'The given data was invalid.'],
		expired: [419, { message: 'Page Expired' }, 'Page Expired'],
		forbidden: [403, { message: 'This action is unauthorized.' }, 'This action is unauthorized.'],
		badRequest: [422, { message: 'The given data was invalid.', errors: { iso: ['Unknown.'] } }, 'The given data was invalid.'],
		overload: busy(429, { message: 'Too Many Attempts.' }),
	},
	{
		name: 'FastAPI',
		badKey: [401, { detail: 'Incorrect key' }, 'Incorrect key'],
		expired: [401, { detail: 'Could not validate credentials' }, 'Could not validate credentials'],
		forbidden: [403, { detail: 'Not enough permissions' }, 'Not enough permissions'],
		badRequest: [422, { detail: [{ loc: ['body', 'iso'], msg: 'field required', type: 'value_error' }] }, 'field required'],
		overload: busy(503),
	},
	{
		name: 'NestJS',
		badKey: [401, { statusCode: 401, message: 'Unauthorized' }, 'Unauthorized'],
		expired: [401, { statusCode: 401, message: 'Unauthorized' }, 'Unauthorized'],
		forbidden: [403, { statusCode: 403, message: 'Forbidden resource', error: 'Forbidden' }, 'Forbidden resource'],
		badRequest: [400, { statusCode: 400, message: ['iso must be a string'], error: 'Bad Request' }, 'iso must be a string'],
		overload: busy(429, { statusCode: 429, message: 'ThrottlerException: Too Many Requests' }),
	},
	{
		name: 'an OAuth server',
		login: { token_type: 'Bearer', expires_in: 3_600 },
		badKey: oauth(400, 'invalid_client', 'Client authentication failed'),
		expired: oauth(401, 'invalid_token', 'The access token expired'),
		forbidden: oauth(403, 'insufficient_scope', 'The scope voice:write is required'),
		badRequest: oauth(400, 'invalid_request', 'iso is missing'),
		overload: busy(429, { error: 'slow_down' }),
	},
	{
		name: 'an API gateway (Kong)',
		badKey: [401, { message: 'No API key found in request' }, 'No API key found in request'],
		expired: [498, { message: 'Invalid token' }, 'Invalid token'],
		forbidden: [403, { message: 'You cannot consume this service' }, 'You cannot consume this service'],
		badRequest: [400, { message: 'schema violation', fields: { iso: 'required' } }, 'schema violation'],
		overload: busy(429, { message: 'API rate limit exceeded' }),
	},
	{
		name: 'a firewall',
		contentType: 'text/html',
		badKey: page(403, 'Request blocked'),
		expired: [302, '', /./, { location: '/login' }],
		forbidden: page(403, 'Request blocked'),
		badRequest: page(400, '400 Bad Request'),
		overload: busy(503, '<html><title>Busy</title></html>'),
	},
	{
		name: 'JSON:API',
		contentType: 'application/vnd.api+json',
		badKey: [401, { errors: [{ status: '401', title: 'Unknown client' }] }, 'Unknown client'],
		expired: [401, { errors: [{ status: '401', title: 'Expired' }] }, 'Expired'],
		forbidden: [403, { errors: [{ status: '403', title: 'Forbidden', detail: 'Read only' }] }, 'Read only'],
		badRequest: [422, { errors: [{ title: 'Invalid', detail: 'iso is unknown', source: { pointer: '/iso' } }] }, 'iso is unknown'],
		overload: busy(429),
	},
	{
		name: 'RFC 9457, in ISO-8859-1',
		contentType: 'application/problem+json; charset=iso-8859-1',
		badKey: problem(401, 'Unauthorized', 'déjà vu'),
		expired: problem(440, 'Expired', 'café'),
		forbidden: problem(403, 'Forbidden', 'déjà vu'),
		badRequest: problem(400, 'Bad Request', 'naïve'),
		overload: busy(503),
	},
	{
		name: 'AWS API Gateway',
		badKey: [403, { Message: 'x', message: 'Forbidden' }, 'Forbidden'],
		expired: [403, { message: 'The security token included in the request is expired' }, /expired/],
		forbidden: [403, { message: 'User is not authorized to access this resource' }, /not authorized/],
		badRequest: [400, { message: 'Invalid request body' }, 'Invalid request body'],
		overload: busy(429, { message: 'Limit Exceeded' }),
	},
];

describe.each(PROFILES.map((profile) => [profile.name, profile] as const))('a service that answers as %s', (_name, profile) => {
	let service: Recorder;
	/** The answer to the next requests; none for a good one. */
	let next: Answer[];
	let loginWith: Answer | undefined;
	let skip: (ms: number) => void;

	const respond = (response: ServerResponse, [status, body, , headers]: Answer) => {
		const type = profile.contentType ?? JSON_TYPE;
		const text = typeof body === 'string' ? body : JSON.stringify(body);
		response.writeHead(status, { 'content-type': type, ...headers }).end(Buffer.from(text, type.includes('8859-1') ? 'latin1' : 'utf8'));
	};
	const good = (body: object): Answer => [200, body, '', { 'content-type': JSON_TYPE }];

	beforeEach(async () => {
		skip = aheadClock();
		next = [];
		loginWith = undefined;
		let logins = 0;
		service = await Recorder.start(
			(_request, response) => respond(response, next.shift() ?? good({ id: '1' })),
			(_request, response) => respond(response, loginWith ?? good({ access_token: `token-${++logins}`, ...profile.login })),
		);
	});

	afterEach(async () => {
		jest.restoreAllMocks();
		await service.close();
	});

	const OPERATIONS = [getGateway('1'), setPremium(1001, 'IT'), addCustomer('IT12345678903')];
	const run = async (parameters = OPERATIONS[0]!) => await execute({ parameters, credential: credentialFor(service.url) });
	/** That a text is one of these words, as a message, or the beginning of one that names a customer too. */
	const says = (words: string | RegExp) => (typeof words === 'string' ? expect.stringContaining(words) : expect.stringMatching(words));

	test('shows its words for a request that is not valid, or not permitted, and sends neither again', async () => {
		for (const answer of [profile.badRequest, profile.forbidden]) {
			for (const parameters of OPERATIONS) {
				next = [answer];
				const { error } = await run(parameters);
				expect(error).toMatchObject({ message: says(answer[2]), httpCode: String(answer[0]), context: { outcome: 'not_done' } });
			}
		}
		expect([service.requests.length, service.logins.length]).toEqual([6, 1]);
	});

	test('shows its words for a key that is not known', async () => {
		loginWith = profile.badKey;
		const { error } = await run();
		expect(error).toMatchObject({ message: says(profile.badKey[2]), context: { code: 'login_failed', outcome: 'not_sent' } });
		expect(service.requests).toEqual([]);
	});

	test('costs one login, and no item, when a token has expired, in the node and in the trigger', async () => {
		const trigger = new Polling({ gatewayIds: '1' }, credentialFor(service.url));
		await trigger.poll();
		// A create that is answered by a redirect may have been done.
		const operations = profile.expired[0] < 400 ? OPERATIONS.slice(0, 2) : OPERATIONS;
		for (const parameters of operations) {
			skip(6 * 60_000);
			next = [profile.expired];
			expect((await run(parameters)).error).toBeUndefined();
		}
		expect(service.logins).toHaveLength(1 + operations.length);
		skip(6 * 60_000);
		next = [profile.expired];
		expect((await trigger.poll()).error).toBeUndefined();
		expect(service.logins).toHaveLength(2 + operations.length);
	});

	test('is sent a request again that it had no time for', async () => {
		for (const parameters of OPERATIONS.slice(0, 2)) {
			next = [profile.overload];
			expect((await run(parameters)).error).toBeUndefined();
		}
		next = [profile.overload];
		const { error } = await run(OPERATIONS[2]);
		// A 429 is retried; after a 503 with Retry-After, the next attempt of Retry On Fail may send it.
		expect(error?.context?.outcome).toBe(profile.overload[0] === 429 ? undefined : 'not_done');
	});
});
