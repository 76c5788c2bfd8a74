import { credentialFor } from '../support/executor/credentialStore';
import { execute } from '../support/executor/execute';
import { getGateway } from '../support/operations';
import { json, Recorder } from '../support/recorder';
import { CASES, cases, fc, TIME_LIMIT_MS } from './support';

const BATCH = 500;

/** Text of every kind: ASCII, all of Unicode, halves of surrogate pairs, and characters with a meaning in a path. */
const text = fc.oneof(
	fc.string({ unit: 'binary', maxLength: 20 }),
	fc.string({ unit: 'grapheme', maxLength: 20 }),
	fc.string({ unit: fc.constantFrom('.', '/', '%', '2', 'e', '?', '#', '\\', ' ', '\r', '\n', '\0', '\u200b', '\ufeff', '\ud83d', '\udca9'), maxLength: 8 }),
);

/** As a person sees it. */
const visible = (id: string) => id.replace(/\p{Cf}/gu, '').trim();
const isInvalid = (id: string) => ['.', '..'].includes(visible(id)) || /\p{Surrogate}/u.test(visible(id));

/** How the error of an item begins; undefined where its identifiers are valid. */
function errorFor(gateway: string, organization: string): string | undefined {
	if (visible(gateway) === '') return "'Gateway ID' is required. ";
	if (isInvalid(gateway)) return "'Gateway ID' is not valid: ";
	return isInvalid(organization) ? "'Organization ID' is not valid: " : undefined;
}

test(`the path is encoded: it decodes to the given identifiers, without white space around them and invisible characters, whatever they are (${cases(CASES)})`, async () => {
	const service = await Recorder.start((request, response) => json(response, 200, { target: request.target }));
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
				// With the item itself, as making the input smaller goes by one item of many at a time.
				items.forEach(({ gateway, organization }, index) => {
					const { target, error } = output[index]!.json as { target?: string; error?: { message: string; code: string; outcome: string } };
					const expected = errorFor(gateway, organization);
					if (expected !== undefined) {
						const { message, code, outcome } = error ?? {};
						expect([gateway, organization, message?.slice(0, expected.length), code, outcome]).toEqual([gateway, organization, expected, 'invalid_parameter', 'not_sent']);
						return;
					}
					sent++;
					const segments = (target ?? `no target: ${error?.message}`).split('/');
					const ids = [gateway, organization].map(visible).filter((id) => id !== '');
					expect([segments.slice(0, 5).join('/'), ...segments.slice(5).map(decodeURIComponent)]).toEqual(['/v1/voip/dss/gtw', ...ids]);
				});
				expect(service.requests).toHaveLength(sent);
			},
		),
		{ numRuns: CASES / BATCH },
	);
	await service.close();
}, TIME_LIMIT_MS * 2);
