import type { Customer, FaultRule } from '../../sandbox';
import { inN8n } from '../support/n8n/scenario.mts';
import { addCustomer, numbered } from '../support/operations';

// `npm run created-once`: docs/errors-and-retries.md has what comes of it.

const CUSTOMERS = 50;
const RETRY_ON_FAIL = { retryOnFail: true, maxTries: 3, waitBetweenTries: 200 };
const HTTP_REQUEST = {
	type: 'n8n-nodes-base.httpRequest',
	typeVersion: 4.2,
	parameters: {
		method: 'POST',
		url: 'SERVICE/v1/customers/add',
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'voiceAdminApi',
		sendBody: true,
		specifyBody: 'json',
		jsonBody: '={{ JSON.stringify({ vatNumber: "C" + $json.n }) }}',
	},
};

/** What goes wrong at the 30th customer, and how many the HTTP Request node creates twice for it. */
const FAULTS: Array<{ title: string; fault: FaultRule; isUnknown: boolean; twice: number }> = [
	{ title: 'a 400 that created nothing', fault: { fault: 'http400' }, isUnknown: false, twice: 49 },
	{ title: 'a 500 after the customer was created', fault: { fault: 'http500', processed: true }, isUnknown: true, twice: 50 },
	{
		title: 'a 503 without Retry-After after the customer was created, as of a proxy',
		fault: { fault: 'http503', processed: true },
		isUnknown: true,
		twice: 50,
	},
];

describe.each(FAULTS)(`${CUSTOMERS} customers under Retry On Fail; at the 30th: $title`, ({ fault, isUnknown, twice }) => {
	const { scenario } = inN8n();
	const rule = { ...fault, bodyContains: '"C29"', count: 1 } as FaultRule;
	const given = { items: numbered(CUSTOMERS), settings: RETRY_ON_FAIL, faults: { rules: [rule] } };
	const createdTwice = (customers: Customer[]) => customers.length - new Set(customers.map(({ vatNumber }) => vatNumber)).size;

	scenario(
		`this node creates none twice, and ${isUnknown ? 'names the one that may exist' : 'each of them once'}`,
		{ ...given, parameters: addCustomer('={{ "C" + $json.n }}') },
		({ errors, state }) => {
			expect(createdTwice(state.customers)).toBe(0);
			if (isUnknown) expect(errors).toEqual([expect.objectContaining({ description: expect.stringContaining('C29 may already exist') })]);
			else expect([errors, state.customers.length]).toEqual([[], CUSTOMERS]);
		},
	);

	scenario(`n8n's HTTP Request node creates ${twice} twice`, { ...given, node: HTTP_REQUEST }, ({ errors, state }) => {
		expect([createdTwice(state.customers), errors]).toEqual([twice, []]);
	});
});
