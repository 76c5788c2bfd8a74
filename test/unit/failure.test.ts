import { joinSentences } from '../../nodes/VoiceAdmin/text';
import { parseCredential } from '../../nodes/VoiceAdmin/transport/auth/credential';
import { LoginError } from '../../nodes/VoiceAdmin/transport/auth/login';
import { failureOf, failureOfError } from '../../nodes/VoiceAdmin/transport/failure';
import {
	type AttemptResult,
	classifyFailure,
	NotSentError,
} from '../../nodes/VoiceAdmin/transport/response/classifyFailure';
import { parseBody } from '../../nodes/VoiceAdmin/transport/response/readResponse';
import type { ApiRequest } from '../../nodes/VoiceAdmin/transport/apiRequest';
import { credentialFor } from '../support/executor/credentialStore';

const credential = parseCredential(credentialFor('https://api.example.com', { clientSecret: 'key-of-this-test' }));
const TOKEN = 'token-of-this-test';
const get: ApiRequest = { method: 'GET', path: '/x', fields: { gatewayId: 1 }, label: 'gateway 1' };
const create: ApiRequest = { method: 'POST', path: '/x', fields: {}, creates: 'customer with VAT number 1' };

const failed = (sent: AttemptResult, request = get, attempts = 1) =>
	failureOf(request, sent, classifyFailure(request, sent), { attempts, credential, recentTokens: [] });
const answered = (status: number, body: unknown, headers = {}): AttemptResult => ({
	response: { status, headers, body: parseBody(typeof body === 'string' ? body : JSON.stringify(body)) },
	token: TOKEN,
});
const broken = (error: unknown, wasSent = true): AttemptResult => ({ error, token: TOKEN, wasSent });
const ofApi = (errors: unknown, message = 'Not valid') => answered(400, { status: 'Bad Request', message, errors });

const NOT_FOLLOWED =
	"The redirect was not followed, because the access token is sent only to the credential's base URL, " +
	'https://api.example.com. Check the base URL.\nRequest: gateway 1.';

test.each<[string, ApiRequest, number, string]>([
	[
		'a change whose outcome is unknown',
		{ ...get, method: 'PUT' },
		502,
		'The request may have been carried out.\nTry again later.',
	],
	['a read', get, 502, 'Try again later'],
	['a change that was rejected', { ...get, method: 'PUT' }, 400, 'The service gave no details'],
	[
		'a create whose outcome is unknown',
		create,
		502,
		"Look for the customer with VAT number 1 in your provider's records before you send it again",
	],
	[
		'a create that was rejected',
		create,
		400,
		'The service gave no details.\nThis item did not create the customer with VAT number 1.',
	],
])('what may have been done is said of %s', (_what, request, status, expected) => {
	expect(
		failed(answered(status, status === 502 ? '<html></html>' : ''), { ...request, label: undefined }).description,
	).toBe(expected);
});

describe('a response', () => {
	test("gives the API's message, its errors a line each, what the request was and how often it was sent", () => {
		expect(failed(ofApi(['a', 'b.']), get, 3)).toEqual({
			message: 'Not valid',
			description: 'a\nb.\nRequest: gateway 1.\nAttempts: 3.',
			code: 'rejected',
			outcome: 'not_done',
			status: 400,
			hasApiErrorBody: true,
			fields: { gatewayId: 1 },
		});
	});

	test.each<[string, AttemptResult, string]>([
		['errors that repeat the message', ofApi('Not valid'), 'The service gave no details.\nRequest: gateway 1.'],
		[
			'a 401',
			answered(401, { message: 'No', errors: '' }),
			"The service has accepted no access token of this API key. Check 'Token Header Name' and 'Token Prefix' in the credential. " +
				"If they are right, the service may honor only a key's newest token, while another n8n process or program logs in " +
				'with this key: let only one of them use it.\nRequest: gateway 1.',
		],
		[
			'a 403',
			answered(403, { status: 'Forbidden', message: 'No', errors: 'Read only' }),
			'Read only.\nThe API key in this credential has no permission for this operation. Ask your provider to grant it. ' +
				'It takes effect within five minutes or, without queue mode, once you test the credential.\nRequest: gateway 1.',
		],
		[
			'a 403 in another format',
			answered(403, { title: 'No', detail: 'Read only', reason: 'scope' }),
			'title: No\nreason: scope.\nRequest: gateway 1.',
		],
		['a list', answered(409, '["No","It is taken"]'), 'It is taken.\nRequest: gateway 1.'],
		[
			'a 429',
			answered(429, { message: 'Slow down', errors: '' }),
			"Lower 'Max Concurrency', and check whether other programs use the same API key.\nRequest: gateway 1.",
		],
		[
			'a 404 and nothing else',
			answered(404, ''),
			'The service gave no details.\nCheck the base URL in the credential, and the ID if you entered one.\nRequest: gateway 1.',
		],
		...[200, 401, 403, 404].map((status): [string, AttemptResult, string] => [
			`a page and ${status}`,
			answered(status, '<html><title>No</title>'),
			'Check the base URL in the credential. If it is right, ask your provider.\nRequest: gateway 1.',
		]),
		['JSON that is cut off', answered(200, '{"a":'), 'Ask your provider if it happens again.\nRequest: gateway 1.'],
		['a page of a gateway that got no answer', answered(502, '<html></html>'), 'Try again later.\nRequest: gateway 1.'],
		[
			'a 408',
			answered(408, { message: 'Too slow', errors: '' }),
			'The service gave no details.\nTry again later.\nRequest: gateway 1.',
		],
		['a 425', answered(425, ''), 'The service gave no details.\nTry again later.\nRequest: gateway 1.'],
		[
			'a 500',
			answered(500, { message: 'No', errors: 'Its disk is full' }),
			'Its disk is full.\nTry again later.\nRequest: gateway 1.',
		],
		[
			'JSON without a message, which the message shows in full',
			answered(500, { error: { code: 7 } }),
			'Try again later.\nRequest: gateway 1.',
		],
		[
			'JSON without a message that is longer',
			answered(500, { trace: 'x'.repeat(90), error: { code: 7 } }),
			`trace: ${'x'.repeat(90)}\nerror: code: 7.\nTry again later.\nRequest: gateway 1.`,
		],
		[
			'a redirect',
			answered(302, '', { location: 'https://me:p@w@other.example/a?token=x#y' }),
			`The service redirects (to https://other.example/a). ${NOT_FOLLOWED}`,
		],
		['a redirect without a target', answered(302, ''), `The service redirects. ${NOT_FOLLOWED}`],
	])('with %s says what to know of it', (_name, sent, description) => {
		expect(failed(sent).description).toBe(description);
	});

	test.each<[AttemptResult, RegExp]>([
		[answered(404, { message: 'No' }), /^No$/],
		[answered(502, '<html><title>Bad gateway</title></html>'), /^The service returned 502 with an HTML page/],
	])("%j has the message %s, and is not the API's own error body", (sent, message) => {
		expect(failed(sent)).toMatchObject({ message: expect.stringMatching(message), hasApiErrorBody: false });
	});

	test.each([408, 444, 460, 499])(
		'with %i may have been done: a create may exist, and a read may succeed later',
		(status) => {
			const of = (request: ApiRequest) =>
				failureOf(
					request,
					answered(status, ''),
					{ ...classifyFailure({ method: 'GET' }, answered(status, '') as never), outcome: 'unknown' },
					{ attempts: 1, credential, recentTokens: [] },
				);
			expect(of(create)).toMatchObject({
				message: expect.stringMatching(/ may already exist$/),
				description: expect.not.stringContaining('Try again'),
			});
			expect(of(get).description).toContain('Try again later.');
		},
	);

	test('that a create may have been carried out ends in one period before it says so', () => {
		expect(failed(answered(500, { message: 'Try later.', errors: '' }), create).message).toBe(
			'Try later. The customer with VAT number 1 may already exist',
		);
	});

	test('repeats neither the key nor a token of it, and no more than 2,000 characters of details', () => {
		const sent = ofApi('x'.repeat(3_000), 'Bad key-of-this-test, token-of-this-test, token-of-an-hour-ago');
		const { message, description } = failureOf(get, sent, classifyFailure(get, sent), {
			attempts: 1,
			credential,
			recentTokens: ['token-of-an-hour-ago'],
		});
		expect(message).toBe('Bad ***, ***, ***');
		expect(description).toMatch(/^x{2000} …\nRequest: gateway 1\.$/);
	});
});

test.each<[string, AttemptResult, ApiRequest, object]>([
	[
		'a request that broke after it was sent',
		broken(new Error('socket hang up')),
		get,
		{
			message: expect.stringMatching(/^The service at https:\/\/api\.example\.com closed the connection/),
			description: 'Try again later.\nRequest: gateway 1.',
			outcome: 'unknown',
		},
	],
	[
		'a create that broke after it was sent',
		broken(new Error('socket hang up')),
		create,
		{
			message: expect.stringMatching(/closed the connection .+\. The customer with VAT number 1 may already exist$/),
			description: "Look for the customer with VAT number 1 in your provider's records before you send it again",
			creates: 'customer with VAT number 1',
			outcome: 'unknown',
		},
	],
	[
		'a create that was not sent',
		broken(new Error('n8n failed'), false),
		create,
		{
			message: 'n8n failed',
			description: 'The request was not sent.\nThis item did not create the customer with VAT number 1.',
			outcome: 'not_sent',
		},
	],
	[
		'a request that was not sent',
		broken(Object.assign(new Error('n8n failed'), { description: 'Its database is locked' }), false),
		get,
		{
			message: 'n8n failed',
			description: 'Its database is locked.\nThe request was not sent.\nRequest: gateway 1.',
			outcome: 'not_sent',
		},
	],
	[
		'a login that failed',
		broken(new LoginError('No such key', classifyFailure({ method: 'GET' }, answered(401, '') as never), true), false),
		get,
		{
			message: 'No such key',
			description: 'Request: gateway 1',
			code: 'login_failed',
			outcome: 'not_sent',
			status: 401,
		},
	],
	[
		'a service that only asks to wait',
		broken(new NotSentError('Try later', 'rate_limited'), false),
		get,
		{ message: 'Try later', code: 'rate_limited', outcome: 'not_sent' },
	],
])('no response to %s', (_name, sent, request, expected) => {
	expect(failed(sent, request)).toMatchObject(expected);
});

test.each<[unknown, object]>([
	[new Error('The reason'), { message: 'The reason', description: '' }],
	[
		{ message: 'The connection was aborted', messages: ['ECONNRESET as it was'], description: 'More' },
		{ message: 'ECONNRESET as it was', description: 'More' },
	],
	[{ message: 'The reason', messages: [] }, { message: 'The reason' }],
	[
		{ message: '', description: 7 },
		{ message: 'The request could not be made', description: '' },
	],
	[{ message: ' ', messages: ['\n'] }, { message: 'The request could not be made' }],
	['text', { message: 'The request could not be made', description: '' }],
])('an error of n8n keeps its message: %j', (error, expected) => {
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

test.each([
	[[], ''],
	[['', ''], ''],
	[['One'], 'One'],
	[['', 'One.'], 'One.'],
	[['One', 'two!', 'three?', 'four…', '(five)', 'six.'], 'One.\ntwo!\nthree?\nfour…\n(five)\nsix.'],
])('lines %j are joined to %j', (lines, text) => {
	expect(joinSentences(lines)).toBe(text);
});
