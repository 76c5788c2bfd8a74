import type { INodePropertyRegexValidation } from 'n8n-workflow';

import { setPremiumDssTrunk } from '../../nodes/VoiceAdmin/operations/dssTrunk/setPremium';
import { countryCodes } from '../../nodes/VoiceAdmin/parameters/countryCodes';
import { CASES, cases, fc } from './support';

const byCode = setPremiumDssTrunk.fields
	.find(({ name }) => name === 'iso')!
	.modes!.find(({ name }) => name === 'code')!;
const { properties } = byCode.validation![0] as INodePropertyRegexValidation;
/** As n8n's editor makes it. */
const inEditor = new RegExp(`^${properties.regex}$`);

const text = fc
	.array(fc.constantFrom('IT', 'fra', '380', 'x', '12', '4', '\u200b', ',', ' ', '\n', '\ufeff', 'É', '-'), {
		maxLength: 8,
	})
	.map((parts) => parts.join(''));

test(`the editor marks just those codes that the node does not take (${cases(CASES)})`, () => {
	const seen = { valid: 0, invalid: 0 };
	fc.assert(
		fc.property(text, (given) => {
			const parse = () => countryCodes('Country', given);
			if (inEditor.test(given)) expect(parse).not.toThrow();
			else expect(parse).toThrow();
			seen[inEditor.test(given) ? 'valid' : 'invalid']++;
		}),
		{ numRuns: CASES },
	);
	expect(Math.min(seen.valid, seen.invalid)).toBeGreaterThan(CASES / 50);
});
