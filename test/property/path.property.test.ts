import { buildRequests } from '../../nodes/VoiceAdmin/operations/buildRequests';
import { get } from '../../nodes/VoiceAdmin/operations/dssGateway/get';
import { identifier } from '../../nodes/VoiceAdmin/parameters/identifier';
import { CASES, cases, fc } from './support';

/** Identifiers of all of Unicode, and of characters with a meaning in a path; which text is one, unit/parsers says. */
const anyIdentifier = fc.oneof(
	fc.string({ unit: 'binary', maxLength: 20 }),
	fc.string({ unit: fc.constantFrom('.', '/', '%', '2', 'e', '?', '#', '\\', ' ', '\r', '\n', '\0', '\u200b', '📞'), maxLength: 8 }),
).filter((text) => {
	try {
		return identifier('', text) !== '';
	} catch {
		return false;
	}
});

test(`a path has the identifiers as they are, whatever they are: a client reads the same ones (${cases(CASES)})`, () => {
	fc.assert(
		fc.property(anyIdentifier, anyIdentifier, (gatewayId, organizationId) => {
			const parameters: Record<string, unknown> = { gatewayId, organizationId };
			const { path } = buildRequests(get, (name) => parameters[name]).requests[0]!;
			// A client resolves dots, and ends the path at a question mark.
			const [, ...segments] = new URL(path, 'https://api.example.com').pathname.split('/').map(decodeURIComponent);
			expect(segments).toEqual(['v1', 'voip', 'dss', 'gtw', identifier('', gatewayId), identifier('', organizationId)]);
		}),
		{ numRuns: CASES },
	);
});
