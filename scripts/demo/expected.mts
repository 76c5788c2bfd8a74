import { isDeepStrictEqual } from 'node:util';
import { type Outcome, spaced } from '../n8n/outcome.mts';

export interface Expectation {
	/** In words, for who sees something else. */
	says: string;
	holds(outcome: Outcome): boolean;
}

type Fields = Record<string, unknown>;

/** Exactly these items, in this order. */
const items = (...wanted: Fields[]): Expectation => ({
	says: wanted.map(spaced).join('\n'),
	holds: ({ json, errors }) => errors.length === 0 && isDeepStrictEqual(json, wanted),
});

/** One item, in which these fields have these values, and those are not there. */
const item = (fields: Fields, absent: string[] = []): Expectation => ({
	says: `${spaced(fields)}${absent.length > 0 ? `, no ${absent.join(', ')}` : ''}`,
	holds: ({ json: [only = {}, ...others], errors }) =>
		errors.length === 0 &&
		others.length === 0 &&
		Object.entries(fields).every(([name, value]) => isDeepStrictEqual(only[name], value)) &&
		absent.every((name) => !(name in only)),
});

/** One error, with this status (none where nothing was sent), whose text includes these. */
const error = (httpCode: string | undefined, ...texts: string[]): Expectation => ({
	says: `an error${httpCode ? ` ${httpCode}` : ''} that says ${texts.map((text) => `"${text}"`).join(' and ')}`,
	holds: ({ json, errors: [only, ...others] }) =>
		json.length === 0 &&
		others.length === 0 &&
		only !== undefined &&
		only.httpCode === httpCode &&
		texts.every((text) => `${only.message} ${only.description ?? ''}`.toLowerCase().includes(text.toLowerCase())),
});

const premium = (idTrunk: number, iso: string, more?: Fields) => ({ success: true, idTrunk, iso, ...more });
const milano = { organizationId: 10, premium_available: 'yes', sbcId: 2 };

/** What each node of examples/tour.json must give, by the node's name, with the seed of sandbox/store/seed.ts. */
export const EXPECTED: Record<string, Expectation> = {
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
