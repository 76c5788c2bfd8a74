import { addCustomer, setPremium } from '../support/operations';
import { inN8n, NODE, type Ran } from '../support/n8n/scenario.mts';

const { scenario } = inN8n();

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

/** An IF node that asks of an error whether its outcome is unknown. */
const IS_UNKNOWN = {
	name: 'Unknown?',
	type: 'n8n-nodes-base.if',
	typeVersion: 2.2,
	parameters: {
		conditions: {
			options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
			conditions: [
				{ id: '0', leftValue: '={{ $json.error.outcome }}', rightValue: 'unknown', operator: { type: 'string', operation: 'equals' } },
			],
			combinator: 'and',
		},
	},
};

/** VAT numbers of the items that a node gave, output by output. */
const givenBy = ([run]: Ran['runData'][string] = []) =>
	(run?.data?.main ?? []).map((items) => (items ?? []).map(({ json }) => json.vatNumber));

describe('an error', () => {
	scenario(
		'on the error output comes beside the fields of its item, and can be told apart by its outcome',
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
			after: { nodes: [IS_UNKNOWN], connections: { [NODE]: { main: [[], [{ node: IS_UNKNOWN.name, type: 'main', index: 0 }]] } } },
		},
		({ output, errorOutput, runData, state }) => {
			expect(output).toEqual([expect.objectContaining({ vatNumber: GOOD.vatNumber })]);
			expect(errorOutput).toMatchObject(FAILED);
			expect(givenBy(runData[IS_UNKNOWN.name])).toEqual([['DE000000001'], ['IT12345678904', 'DE000000400', 'DE000000401']]);
			// The service had created the one whose connection broke: that is why its outcome is unknown.
			expect(state.customers.map(({ vatNumber }) => vatNumber).sort()).toEqual(['DE000000001', GOOD.vatNumber]);
		},
	);

	scenario(
		"that stops the workflow is in the API's words, with details a line each, and has its code and outcome in its context",
		{ parameters: setPremium(9999, 'IT') },
		({ errors, output, runData }) => {
			expect(output).toEqual([]);
			const description = 'No trunk has the id 9999.\nRequest: trunk 9999, country IT.';
			expect(errors).toEqual([{ message: 'The requested DSS resource is not found', description, httpCode: '404' }]);
			expect(runData[NODE]?.[0]?.error).toMatchObject({ context: { code: 'not_found', outcome: 'not_done' } });
		},
	);
});
