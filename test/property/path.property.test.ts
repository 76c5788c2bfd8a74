import { buildRequests } from '../../nodes/VoiceAdmin/operations/buildRequests';
import { get } from '../../nodes/VoiceAdmin/operations/dssGateway/get';
import { InvalidParameterError } from '../../nodes/VoiceAdmin/parameters/invalidParameterError';
import { CASES, cases, fc } from './support';

/** Text of every kind: ASCII, all of Unicode, halves of surrogate pairs, and characters with a meaning in a path. */
const text = fc.oneof(
	fc.string({ unit: 'binary', maxLength: 20 }),
	fc.string({ unit: 'grapheme', maxLength: 20 }),
	fc.string({
		unit: fc.constantFrom('.', '/', '%', '2', 'e', '?', '#', '\\', ' ', '\r', '\n', '\0', '\u200b', '\ufeff', '\ud83d', '\udca9'),
		maxLength: 8,
	}),
);

/** As a person sees it. */
const visible = (id: string) => id.replace(/\p{Cf}/gu, '').trim();
const isInvalid = (id: string) => ['.', '..'].includes(visible(id)) || /\p{Surrogate}/u.test(visible(id));

/** How the error begins; undefined where the identifiers are valid. */
function errorFor(gateway: string, organization: string): string | undefined {
	if (visible(gateway) === '') return "'Gateway ID' is required. ";
	if (isInvalid(gateway)) return "'Gateway ID' is not valid: ";
	return isInvalid(organization) ? "'Organization ID' is not valid: " : undefined;
}

test(`the path is encoded: it decodes to the identifiers as a person sees them, whatever they are (${cases(CASES)})`, () => {
	fc.assert(
		fc.property(text, fc.oneof(text, fc.constant('')), (gatewayId, organizationId) => {
			const parameters: Record<string, unknown> = { gatewayId, organizationId };
			const build = () => buildRequests(get, (name) => parameters[name]).requests[0]!;
			const error = errorFor(gatewayId, organizationId);
			if (error !== undefined) {
				expect(build).toThrow(InvalidParameterError);
				return expect(build).toThrow(error);
			}
			// As a client reads it, which resolves dots, and ends the path at a question mark.
			const segments = new URL(build().path, 'https://api.example.com').pathname.split('/');
			const ids = [gatewayId, organizationId].map(visible).filter((id) => id !== '');
			expect([segments.slice(0, 5).join('/'), ...segments.slice(5).map(decodeURIComponent)]).toEqual(['/v1/voip/dss/gtw', ...ids]);
		}),
		{ numRuns: CASES },
	);
});
