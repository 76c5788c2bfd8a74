import { parseCredential } from '../../nodes/VoiceAdmin/transport/auth/credential';
import { type Failure, failureOf } from '../../nodes/VoiceAdmin/transport/failure';
import { type AttemptResult, classifyFailure } from '../../nodes/VoiceAdmin/transport/response/classifyFailure';
import { type ApiResponse, parseBody } from '../../nodes/VoiceAdmin/transport/response/readResponse';
import type { ApiRequest } from '../../nodes/VoiceAdmin/transport/apiRequest';
import { CASES, cases, fc } from './support';

const [SECRET, TOKEN] = ['secret-of-the-test', 'token-of-the-test'];

const credential = parseCredential({
	environment: 'production',
	baseUrl: 'https://api.example.com',
	clientId: 'client',
	clientSecret: SECRET,
});

const request: ApiRequest = { method: 'GET', path: '/v1/voip/dss/gtw/12', fields: {} };

const failed = (sent: AttemptResult): Failure =>
	failureOf(request, { ...sent, token: TOKEN }, classifyFailure(request, sent), {
		attempts: 1,
		credential,
		recentTokens: [],
	});

const anyText = fc.oneof(
	fc.string(),
	fc.string().map((text) => `${text}${SECRET}${text} ${TOKEN}`),
);
const anyErrors = fc.anything({
	key: anyText,
	values: [anyText, fc.integer(), fc.boolean(), fc.constant(null)],
	maxDepth: 6,
});

test(`message and description are readable text without a secret, whatever the service or the connection says (${cases(CASES)})`, () => {
	fc.assert(
		fc.property(
			anyErrors,
			anyText,
			fc.integer({ min: 400, max: 599 }),
			fc.boolean(),
			(errors, message, status, isJson) => {
				// The service itself may say these words.
				fc.pre(!/undefined|\[object/.test(JSON.stringify([errors, message])));
				const body = isJson ? JSON.stringify({ status: 'X', message, errors }) : message;
				const response: ApiResponse = { status, headers: {}, body: parseBody(body) };
				const error = Object.assign(new Error(message), { description: message, messages: [message] });
				for (const failure of [failed({ response, token: '' }), failed({ error, wasSent: isJson, token: '' })]) {
					expect(failure.message.trim()).not.toBe('');
					expect(failure.message.length + failure.description.length).toBeLessThan(6_000);
					expect(`${failure.message}${failure.description}`).not.toMatch(
						/undefined|\[object|secret-of-the-test|token-of-the-test/,
					);
				}
			},
		),
		{ numRuns: CASES },
	);
});
