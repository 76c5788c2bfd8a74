import { parseCredential } from '../../nodes/VoiceAdmin/transport/auth/credential';
import { describeFailure, failureOf, failureOfError } from '../../nodes/VoiceAdmin/transport/failure';
import { type AttemptResult, classifyFailure } from '../../nodes/VoiceAdmin/transport/response/classifyFailure';
import { parseBody } from '../../nodes/VoiceAdmin/transport/response/readResponse';
import type { ApiRequest } from '../../nodes/VoiceAdmin/transport/apiRequest';
import { credentialFor } from '../support/executor/credentialStore';

const credential = parseCredential(credentialFor('https://api.example.com', { clientSecret: 'key-of-this-test' }));
const TOKEN = 'token-of-this-test';
const get: ApiRequest = { method: 'GET', path: '/x', fields: { gatewayId: 1 }, label: 'gateway 1' };
const create: ApiRequest = { method: 'POST', path: '/x', fields: {}, creates: 'customer with VAT number 1' };

const failed = (sent: AttemptResult, request = get, attempts = 1) => {
	const sentWith = { attempts, credential, recentTokens: [] };
	const failure = failureOf(request, sent, classifyFailure(request, sent), sentWith);
	return { ...failure, ...describeFailure(failure) };
};
const answered = (status: number, body: unknown, headers = {}): AttemptResult => ({
	response: { status, headers, body: parseBody(typeof body === 'string' ? body : JSON.stringify(body)) },
	token: TOKEN,
});
const broken = (error: unknown, wasSent = true): AttemptResult => ({ error, token: TOKEN, wasSent });
const ofApi = (errors: unknown, message = 'Not valid') => answered(400, { status: 'Bad Request', message, errors });

const NOT_FOLLOWED =
	"The redirect wasn't followed, because the access token is sent only to the credential's base URL, " +
	'https://api.example.com. Check the base URL.\nRequest: gateway 1.';

const UNSURE = 'The request may have been carried out\nAsk your provider what was done before you send it again';

test.each<[string, ApiRequest, number, string]>([
	['a change whose outcome is unknown', { ...get, method: 'PUT' }, 502, UNSURE],
	['a change whose response is cut off', { ...get, method: 'PUT' }, 200, UNSURE],
	['a read', get, 502, 'The service returned 502\nTry again later'],
	[
		'a create whose outcome is unknown',
		create,
		502,
		"The customer with VAT number 1 may already exist\nLook for the customer with VAT number 1 in your provider's records before you send it again",
	],
	[
		'a create that was rejected',
		create,
		400,
		"The service returned 400 with no body\nThis item didn't create the customer with VAT number 1",
	],
])('the error of %s says what may have been done', (_what, request, status, expected) => {
	const result = answered(status, { 200: '{"a":', 502: '<html></html>' }[status] ?? '');
	const { message, description } = failed(result, { ...request, label: undefined });
	const [inMessage, ...lines] = expected.split('\n');
	expect([message, description]).toEqual([expect.stringContaining(inMessage!), lines.join('\n')]);
});

describe('an error', () => {
	test("gives the API's message, its errors a line each, what the request was and how often it was sent", () => {
		expect(failed(ofApi(['a', 'b.']), get, 3)).toEqual({
			message: 'Not valid',
			description: 'a\nb.\nRequest: gateway 1.\nAttempts: 3.',
			isChange: false,
			code: 'rejected',
			outcome: 'not_done',
			status: 400,
			hasApiErrorBody: true,
			fields: { gatewayId: 1 },
			label: 'gateway 1',
			attempts: 3,
		});
	});

	test.each<[string, AttemptResult, string]>([
		[
			'a 403',
			answered(403, { status: 'Forbidden', message: 'No', errors: 'Read only' }),
			'Read only.\nThe API key in this credential has no permission for this operation. Ask your provider to grant it. ' +
				'It takes effect within five minutes or, without queue mode, once you test the credential.\nRequest: gateway 1.',
		],
		[
			'a 429',
			answered(429, { message: 'Slow down', errors: '' }),
			"Add the option 'Max Concurrency' and lower it, and check whether other programs use the same API key.\nRequest: gateway 1.",
		],
		[
			'a 404 and nothing else',
			answered(404, ''),
			'Check the base URL in the credential, and the ID if you entered one.\nRequest: gateway 1.',
		],
		...[200, 401, 403, 404].map((status): [string, AttemptResult, string] => [
			`a page and ${status}`,
			answered(status, '<html><title>No</title>'),
			"Check the base URL in the credential. If it's right, ask your provider.\nRequest: gateway 1.",
		]),
		["JSON that's cut off", answered(200, '{"a":'), 'Ask your provider if it happens again.\nRequest: gateway 1.'],
		[
			'a redirect',
			answered(302, '', { location: 'https://me:p@w@other.example/a?token=x#y' }),
			`The service redirects (to https://other.example/a). ${NOT_FOLLOWED}`,
		],
	])('of %s says what to do', (_name, sent, description) => {
		expect(failed(sent).description).toBe(description);
	});

	test('a message of the service that ends in a period gets no second one before it is said that the customer may exist', () => {
		expect(failed(answered(500, { message: 'Try later.', errors: '' }), create).message).toBe(
			'Try later. The customer with VAT number 1 may already exist',
		);
	});
});

test.each<[string, AttemptResult, ApiRequest, object]>([
	[
		'a create that was not sent',
		broken(new Error('n8n failed'), false),
		create,
		{
			message: 'n8n failed',
			description: "This item didn't create the customer with VAT number 1",
			outcome: 'not_sent',
		},
	],
	[
		'a request that was not sent',
		broken(Object.assign(new Error('n8n failed'), { description: 'Its database is locked' }), false),
		get,
		{
			message: 'n8n failed',
			description: "Its database is locked.\nThe request wasn't sent: gateway 1.",
			outcome: 'not_sent',
		},
	],
])(
	'the error of %s says whether the request was sent, and whether the customer may exist',
	(_name, sent, request, expected) => {
		expect(failed(sent, request)).toMatchObject(expected);
	},
);

test.each<[unknown, object]>([
	[new Error('The reason'), { message: 'The reason', description: '' }],
	[
		{ message: 'The connection was aborted', messages: ['ECONNRESET as it was'], description: 'More' },
		{ message: 'ECONNRESET as it was', description: 'More' },
	],
	[
		{ message: '', description: 7 },
		{ message: "The request couldn't be made", description: '' },
	],
	['text', { message: "The request couldn't be made", description: '' }],
])('an error of n8n keeps its own message: %j', (error, expected) => {
	expect(failureOfError(error, 'invalid_parameter')).toMatchObject({
		...expected,
		code: 'invalid_parameter',
		outcome: 'not_sent',
	});
	expect(failureOfError(error, 'invalid_response', 'unknown')).toMatchObject({
		...expected,
		code: 'invalid_response',
		outcome: 'unknown',
	});
});
