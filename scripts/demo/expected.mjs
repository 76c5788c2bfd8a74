import { isDeepStrictEqual } from 'node:util';
import { spaced } from '../n8n/outcome.mjs';

/** Exactly these items, in this order. */
const items = (...wanted) => ({
	says: wanted.map(spaced).join('\n'),
	holds: ({ json, errors }) => errors.length === 0 && isDeepStrictEqual(json, wanted),
});

/** One item, in which these fields have these values, and those are not there. */
const item = (fields, absent = []) => ({
	says: `${spaced(fields)}${absent.length > 0 ? `, no ${absent.join(', ')}` : ''}`,
	holds: ({ json, errors }) =>
		errors.length === 0 &&
		json.length === 1 &&
		Object.entries(fields).every(([name, value]) => isDeepStrictEqual(json[0][name], value)) &&
		absent.every((name) => !(name in json[0])),
});

/** One error, with this status (none where nothing was sent), whose words include these. */
const error = (httpCode, ...words) => ({
	says: `an error${httpCode ? ` ${httpCode}` : ''} that says ${words.map((word) => `"${word}"`).join(' and ')}`,
	holds: ({ json, errors }) =>
		json.length === 0 &&
		errors.length === 1 &&
		errors[0].httpCode === httpCode &&
		words.every((word) => `${errors[0].message} ${errors[0].description ?? ''}`.toLowerCase().includes(word.toLowerCase())),
});

const premium = (idTrunk, iso, more) => ({ success: true, idTrunk, iso, ...more });
const milano = { organizationId: 10, premium_available: 'yes', sbcId: 2 };

/** What each node of examples/tour.json must give, by the node's name, with the seed of sandbox/seed.ts. */
export const EXPECTED = {
	'Premium for a country from the list': items(premium(1001, 'IT')),
	'Premium for several countries': items(premium(1004, 'IT', milano), premium(1004, 'FR', milano), premium(1004, '276', milano)),
	'Add a customer': item({ vatNumber: 'IT12345678903', companyName: 'Rossi Telefonia Srl', city: 'Milano' }),
	'Gateway with a termination URI': item({ id: '1', terminationUri: 'milano-1.sip.sandbox.example' }),
	'Gateway without a termination URI': item({ id: '2' }, ['terminationUri']),
	'Gateway whose termination URI is null': item({ id: '3', terminationUri: null }),
	'Gateway of an organization': item({ id: '5', organizationId: 20, terminationUri: 'torino-1.sip.sandbox.example' }),
	'No such trunk (404)': error('404', '9999'),
	'Key without permission (403)': error('403', 'permission'),
	'Invalid country': error(undefined, 'Italy!'),
	'VAT number with a wrong digit': error(undefined, '12345678904'),
};
