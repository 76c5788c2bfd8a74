import type { Customer, FaultRule } from '../../sandbox';
import { posting } from '../support/n8n/example.mts';
import { scenario } from '../support/n8n/scenario.mts';
import { addCustomer, numbered } from '../support/operations';

// docs/errors-and-retries.md has what comes of it.

const CUSTOMERS = 50;
const RETRY_ON_FAIL = { retryOnFail: true, maxTries: 3, waitBetweenTries: 200 };
const HTTP_REQUEST = posting('SERVICE/v1/customers/add', '={{ JSON.stringify({ vatNumber: "C" + $json.n }) }}');
Object.assign(HTTP_REQUEST.parameters, {
	authentication: 'predefinedCredentialType',
	nodeCredentialType: 'voiceAdminApi',
});

/** What goes wrong at the 30th customer, and how many the HTTP Request node creates twice for it. */
const FAULTS: Array<{ title: string; fault: FaultRule; isUnknown: boolean; twice: number }> = [
	{ title: 'a 400 that created nothing', fault: { fault: 'http', status: 400 }, isUnknown: false, twice: 49 },
	{
		title: 'a 500 after the customer was created',
		fault: { fault: 'http', status: 500, processed: true },
		isUnknown: true,
		twice: 50,
	},
];

describe.each(FAULTS)(
	`${CUSTOMERS} customers under Retry On Fail; at the 30th: $title`,
	({ fault, isUnknown, twice }) => {
		const rule = { ...fault, bodyContains: '"C29"', count: 1 } as FaultRule;
		const given = { items: numbered(CUSTOMERS), settings: RETRY_ON_FAIL, faults: [rule] };
		const createdTwice = (customers: Customer[]) =>
			customers.length - new Set(customers.map(({ vatNumber }) => vatNumber)).size;

		scenario(
			`this node creates none twice, and ${isUnknown ? 'names the one that may exist' : 'each of them once'}`,
			{ ...given, parameters: addCustomer('={{ "C" + $json.n }}') },
			({ errors, sandbox }) => {
				const { customers } = sandbox.getRecordsAndCounters();
				expect(createdTwice(customers)).toBe(0);
				if (isUnknown)
					expect(errors).toEqual([
						expect.objectContaining({
							description: expect.stringContaining('Look for the customer with VAT number C29 in'),
						}),
					]);
				else expect([errors, customers.length]).toEqual([[], CUSTOMERS]);
			},
		);

		scenario(
			`n8n's HTTP Request node creates ${twice} twice`,
			{ ...given, node: HTTP_REQUEST },
			({ errors, sandbox }) => {
				expect([createdTwice(sandbox.getRecordsAndCounters().customers), errors]).toEqual([twice, []]);
			},
		);
	},
);
