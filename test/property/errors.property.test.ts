import { parseCredential } from '../../nodes/VoiceAdmin/transport/auth/credential';
import { type Failure, failureOf } from '../../nodes/VoiceAdmin/transport/failure';
import { classify } from '../../nodes/VoiceAdmin/transport/http/classify';
import { type ApiResponse, bodyOf } from '../../nodes/VoiceAdmin/transport/http/response';
import type { ApiRequest } from '../../nodes/VoiceAdmin/transport/request';
import type { Sent } from '../../nodes/VoiceAdmin/transport/sendRequest';
import { CASES, cases, fc } from './support';

const credential = parseCredential({ environment: 'production', baseUrl: 'https://api.example.com',
	clientSecret: 'secret-of-the-test', accessToken: '' });

const request: ApiRequest = { method: 'GET', path: '/v1/voip/dss/gtw/12', fields: {} };

const failed = (sent: Sent): Failure => failureOf(request, sent, classify(request.method, sent), 1, credential);

const responseOf = (status: number, body: string): ApiResponse => ({ status, headers: {}, body: bodyOf(body) });

test(`message and description are readable text, whatever the errors contain (${cases(CASES)})`, () => {
	fc.assert(
		fc.property(
			fc.jsonValue({ maxDepth: 5 }),
			fc.oneof(fc.string(), fc.jsonValue({ maxDepth: 1 })),
			fc.integer({ min: 400, max: 599 }),
			(errors, message, status) => {
				// The service itself may say these words.
				const given = JSON.stringify([errors, message]);
				fc.pre(!/undefined|\[object/.test(given));
				const failure = failed({ response: responseOf(status, JSON.stringify({ status: 'X', message, errors })), token: '' });
				for (const text of [failure.message, failure.description]) {
					expect(typeof text).toBe('string');
					expect(text).not.toMatch(/undefined|\[object/);
					expect(text.length).toBeLessThan(3_000);
				}
				expect(failure.message.trim()).not.toBe('');
				expect(failure.status).toBe(status);
			},
		),
		{ numRuns: CASES },
	);
});

test(`message and description contain no secret, whatever the body or the error (${cases(CASES)})`, () => {
	fc.assert(
		fc.property(fc.string(), fc.string(), fc.constantFrom('JSON', 'text', 'an error'), fc.boolean(), (before, after, form, wasSent) => {
			const leak = `${before}secret-of-the-test${after} token-of-the-test`;
			const error = Object.assign(new Error(leak), { description: leak, messages: [leak] });
			const body = form === 'JSON' ? JSON.stringify({ message: leak, errors: [{ field: leak, message: leak }] }) : leak;
			const token = 'token-of-the-test';
			const failure = failed(form === 'an error' ? { error, wasSent, token } : { response: responseOf(500, body), token });
			expect(failure.message.trim()).not.toBe('');
			expect(`${failure.message}${failure.description}`).not.toMatch(/secret-of-the-test|token-of-the-test/);
		}),
		{ numRuns: CASES },
	);
});
