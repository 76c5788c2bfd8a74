import { asVoiceAdminCredential } from '../../nodes/VoiceAdmin/transport/auth/credential';
import { failureOfReply } from '../../nodes/VoiceAdmin/transport/http/errors';
import { bodyOf } from '../../nodes/VoiceAdmin/transport/http/response';
import { CASES, fc } from './support';

const credential = asVoiceAdminCredential({ baseUrl: 'https://api.example.com', clientSecret: 'secret-of-the-test', accessToken: '' });

test('whatever `errors` holds, message and description are readable text', () => {
	fc.assert(
		fc.property(
			fc.jsonValue({ maxDepth: 5 }),
			fc.oneof(fc.string(), fc.jsonValue({ maxDepth: 1 })),
			fc.integer({ min: 400, max: 599 }),
			(errors, message, status) => {
				// What the service itself says may be these words.
				const given = JSON.stringify([errors, message]);
				fc.pre(!/undefined|\[object/.test(given));
				const failure = failureOfReply(
					{ status, headers: {}, body: bodyOf(JSON.stringify({ status: 'X', message, errors })) },
					{ request: { sent: {} }, tries: 1, credential, token: '' },
				);
				for (const text of [failure.message, failure.description]) {
					expect(typeof text).toBe('string');
					expect(text.trim()).not.toBe('');
					expect(text).not.toMatch(/undefined|\[object/);
					expect(text.length).toBeLessThan(3_000);
				}
				expect(failure.status).toBe(status);
			},
		),
		{ numRuns: CASES },
	);
});

test('whatever the body, secrets stay out of message and description', () => {
	fc.assert(
		fc.property(fc.string(), fc.string(), fc.boolean(), (before, after, asJson) => {
			const leak = `${before}secret-of-the-test${after} token-of-the-test`;
			const body = asJson ? JSON.stringify({ message: leak, errors: [{ field: leak, message: leak }] }) : leak;
			const failure = failureOfReply({ status: 500, headers: {}, body: bodyOf(body) }, {
				request: { sent: {} },
				tries: 1,
				credential,
				token: 'token-of-the-test',
			});
			expect(`${failure.message}${failure.description}`).not.toMatch(/secret-of-the-test|token-of-the-test/);
		}),
		{ numRuns: CASES },
	);
});
