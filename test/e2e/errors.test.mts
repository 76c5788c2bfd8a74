import { addCustomer } from '../support/operations';
import { scenario } from '../support/n8n/scenario.mts';

const CREATE = '/v1/customers/add';
const CLIENT = 'demo-client';

/** Customers in whose requests something goes wrong, and what n8n is told of it. */
const FAILED = [
	{ vatNumber: 'IT12345678904', client: CLIENT, error: { code: 'invalid_parameter', outcome: 'not_sent', httpCode: null } },
	{ vatNumber: 'DE000000400', client: CLIENT, error: { code: 'rejected', outcome: 'not_done', httpCode: '400' } },
	{ vatNumber: 'DE000000001', client: CLIENT, error: { code: 'connection_failed', outcome: 'unknown', httpCode: null } },
	{ vatNumber: 'DE000000401', client: 'not-a-client', error: { code: 'login_failed', outcome: 'not_sent', httpCode: '401' } },
];

const GOOD = { vatNumber: 'DE000000200', client: CLIENT };

scenario(
	'an error comes to the error output beside the fields of its item, with its code and outcome',
	{
		// A good customer between those that fail.
		items: [...FAILED.slice(0, 2), GOOD, ...FAILED.slice(2)].map(({ vatNumber, client }) => ({ vatNumber, client })),
		parameters: addCustomer('={{ $json.vatNumber }}', { options: { validateVatNumber: true } }),
		credential: { clientId: '={{ $json.client }}' },
		faults: {
			rules: [
				{ fault: 'http400', path: CREATE, bodyContains: 'DE000000400' },
				{ fault: 'resetAfter', path: CREATE, bodyContains: 'DE000000001' },
			],
		},
		settings: { onError: 'continueErrorOutput' },
	},
	({ output, errorOutput, sandbox }) => {
		expect(output).toEqual([expect.objectContaining({ vatNumber: GOOD.vatNumber })]);
		expect(errorOutput).toMatchObject(FAILED);
		// The service had created the one whose connection broke: that is why its outcome is unknown.
		expect(sandbox.state().customers.map(({ vatNumber }) => vatNumber).sort()).toEqual(['DE000000001', GOOD.vatNumber]);
	},
);
