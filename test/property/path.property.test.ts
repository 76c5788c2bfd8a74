import { credentialFor } from '../support/credentialStore';
import { execute } from '../support/execute';
import { getGateway } from '../support/operations';
import { json, Recorder } from '../support/recorder';
import { CASES, fc } from './support';

const BATCH = 500;

/** Text of every kind: ASCII, all of Unicode, halves of surrogate pairs, and characters with a meaning in a path. */
const text = fc.oneof(
	fc.string({ unit: 'binary', maxLength: 20 }),
	fc.string({ unit: 'grapheme', maxLength: 20 }),
	fc.string({ unit: fc.constantFrom('.', '/', '%', '2', 'e', '?', '#', '\\', ' ', '\r', '\n', '\0', '\ud83d', '\udca9'), maxLength: 8 }),
);

const isInvalid = (id: string) => ['.', '..'].includes(id.trim()) || /\p{Surrogate}/u.test(id);

/** How the error of an item begins; undefined where its identifiers are valid. */
function errorFor(gateway: string, organization: string): string | undefined {
	if (gateway.trim() === '') return "'Gateway ID' is required. ";
	if (isInvalid(gateway)) return "'Gateway ID' is not valid: ";
	return isInvalid(organization) ? "'Organization ID' is not valid: " : undefined;
}

test('the service receives a path that decodes to the given identifiers, without the white space around them, whatever they are', async () => {
	const service = await Recorder.start((request, response) => json(response, 200, { target: request.target }));
	let cases = 0;
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.record({ gateway: text, organization: fc.option(text, { nil: '' }) }), { minLength: BATCH, maxLength: BATCH }),
			async (items) => {
				service.requests.length = 0;
				const { output } = await execute({
					items,
					parameters: getGateway('={{ $json.gateway }}', { organizationId: '={{ $json.organization }}' }),
					credential: credentialFor(service.url),
					settings: { onError: 'continueRegularOutput' },
				});
				expect(output).toHaveLength(items.length);
				let sent = 0;
				items.forEach(({ gateway, organization }, index) => {
					const { target, error } = output[index]!.json as { target?: string; error?: { message: string; code: string; outcome: string } };
					const expected = errorFor(gateway, organization);
					if (expected !== undefined) {
						expect(error?.message.slice(0, expected.length)).toBe(expected);
						expect([error?.code, error?.outcome]).toEqual(['invalid_parameter', 'not_sent']);
						return;
					}
					sent++;
					const segments = target!.split('/');
					expect(segments.slice(0, 5).join('/')).toBe('/v1/voip/dss/gtw');
					expect(segments.slice(5).map(decodeURIComponent)).toEqual([gateway, organization].map((id) => id.trim()).filter((id) => id !== ''));
				});
				expect(service.requests).toHaveLength(sent);
				cases += items.length;
			},
		),
		{ numRuns: CASES / BATCH },
	);
	await service.close();
	expect(cases).toBeGreaterThanOrEqual(CASES);
}, 120_000);
