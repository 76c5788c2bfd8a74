import type { IDataObject } from 'n8n-workflow';

import { addCustomer, setPremium } from '../support/operations';
import { inN8n, NODE, type Ran } from '../support/n8n/scenario.mts';

const { scenario } = inN8n();

const CREATE = '/v1/customers/add';
const CLIENT = 'demo-client';

/** A customer in whose request something goes wrong, what the error says of it, and the branch meant for it. */
const SITUATIONS = [
	{ vatNumber: 'IT12345678904', client: CLIENT, code: 'invalid_parameter', outcome: 'not_sent', httpCode: null, branch: 'Correct the row' },
	{ vatNumber: 'DE000000403', client: CLIENT, code: 'forbidden', outcome: 'not_done', httpCode: '403', branch: 'Ask for the permission' },
	{ vatNumber: 'DE000000404', client: CLIENT, code: 'not_found', outcome: 'not_done', httpCode: '404', branch: 'Correct the address' },
	{ vatNumber: 'DE000000400', client: CLIENT, code: 'rejected', outcome: 'not_done', httpCode: '400', branch: 'Correct the row' },
	{ vatNumber: 'DE000000503', client: CLIENT, code: 'service_error', outcome: 'unknown', httpCode: '503', branch: 'Check before retrying' },
	{ vatNumber: 'DE000001503', client: CLIENT, code: 'service_error', outcome: 'not_done', httpCode: '503', branch: 'Send again later' },
	{ vatNumber: 'DE000000001', client: CLIENT, code: 'connection_failed', outcome: 'unknown', httpCode: null, branch: 'Check before retrying' },
	{ vatNumber: 'DE000000401', client: 'not-a-client', code: 'login_failed', outcome: 'not_sent', httpCode: '401', branch: 'Send again later' },
];

const GOOD = { vatNumber: 'DE000000200', client: CLIENT };

const FAULTS = {
	rules: [
		{ fault: 'http403' as const, path: CREATE, bodyContains: 'DE000000403' },
		{ fault: 'http404' as const, path: CREATE, bodyContains: 'DE000000404' },
		{ fault: 'http400' as const, path: CREATE, bodyContains: 'DE000000400' },
		{ fault: 'http503' as const, path: CREATE, bodyContains: 'DE000000503' },
		{ fault: 'http503' as const, path: CREATE, bodyContains: 'DE000001503', retryAfterSeconds: 1 },
		{ fault: 'resetAfter' as const, path: CREATE, bodyContains: 'DE000000001' },
	],
};

/** A question that an IF node asks of an item, and the branch for those of which it is true. */
interface Question {
	leftValue: string;
	operator: object;
	rightValue?: string;
	branch: string;
}

const EQUALS = { type: 'string', operation: 'equals' };

/** Asked one after the other; what is true of none goes to the last branch. */
const QUESTIONS: Question[] = [
	{ leftValue: '={{ $json.error.code }}', operator: EQUALS, rightValue: 'invalid_parameter', branch: 'Correct the row' },
	{ leftValue: '={{ $json.error.outcome }}', operator: EQUALS, rightValue: 'unknown', branch: 'Check before retrying' },
	{ leftValue: '={{ $json.error.code }}', operator: EQUALS, rightValue: 'forbidden', branch: 'Ask for the permission' },
	{ leftValue: '={{ $json.error.code }}', operator: EQUALS, rightValue: 'not_found', branch: 'Correct the address' },
	{ leftValue: '={{ $json.error.code }}', operator: EQUALS, rightValue: 'rejected', branch: 'Correct the row' },
];
const NO_ERROR: Question = { leftValue: '={{ $json.error }}', operator: { type: 'object', operation: 'notExists', singleValue: true }, branch: 'Created' };
const LAST = 'Send again later';

const BRANCHES = [...new Set([...QUESTIONS.map(({ branch }) => branch), LAST])];

/** IF nodes behind an output of the node, and a node for each branch. */
function branchesBehind(output: number, questions: Question[]) {
	const to = (node: string) => [{ node, type: 'main', index: 0 }];
	const nameOf = (index: number) => (index < questions.length ? `Question ${index + 1}` : LAST);
	const ifs = questions.map(({ leftValue, operator, rightValue = '' }, index) => ({
		name: nameOf(index),
		type: 'n8n-nodes-base.if',
		typeVersion: 2.2,
		parameters: {
			conditions: {
				options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
				conditions: [{ id: `${index}`, leftValue, rightValue, operator }],
				combinator: 'and',
			},
		},
	}));
	const branches = [...new Set([...questions.map(({ branch }) => branch), LAST])];
	return {
		nodes: [...ifs, ...branches.map((name) => ({ name, type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} }))],
		connections: {
			[NODE]: { main: [...Array<[]>(output).fill([]), to(nameOf(0))] },
			...Object.fromEntries(questions.map(({ branch }, index) => [nameOf(index), { main: [to(branch), to(nameOf(index + 1))] }])),
		},
	};
}

/** A customer without a fault, and those of the situations. */
const adding = {
	items: [GOOD, ...SITUATIONS].map(({ vatNumber, client }) => ({ vatNumber, client })),
	parameters: addCustomer('={{ $json.vatNumber }}', { options: { validateVatNumber: true } }),
	credential: { clientId: '={{ $json.client }}' },
	faults: FAULTS,
};

/** JSON of the items that a node gave; none where it has not run. */
const givenBy = (runs: Ran['runData'][string] = []) => runs.flatMap(({ data }) => data?.main ?? []).flatMap((items) => (items ?? []).map(({ json }) => json));

/** What belongs on each branch, by a field of the situations. */
const belonging = (field: 'vatNumber' | 'code') => BRANCHES.map((branch) => ({ branch, arrived: SITUATIONS.filter((each) => each.branch === branch).map((each) => each[field]).sort() }));

describe('an error', () => {
	scenario(
		'on the error output goes to the branch that is meant for its code and outcome',
		{ ...adding, settings: { onError: 'continueErrorOutput' }, after: branchesBehind(1, QUESTIONS) },
		({ output, errorOutput, runData, state }) => {
			expect(output).toEqual([expect.objectContaining({ vatNumber: GOOD.vatNumber })]);
			const errors = errorOutput.map(({ vatNumber, error }) => ({ vatNumber, ...(error as IDataObject) }));
			expect(errors).toMatchObject(SITUATIONS.map(({ vatNumber, code, outcome, httpCode }) => ({ vatNumber, code, outcome, httpCode })));
			expect(BRANCHES.map((branch) => ({ branch, arrived: givenBy(runData[branch]).map(({ vatNumber }) => vatNumber).sort() }))).toEqual(belonging('vatNumber'));
			// The service had created the one whose connection broke: that is why its outcome is unknown.
			expect(state.customers.map(({ vatNumber }) => vatNumber).sort()).toEqual(['DE000000001', GOOD.vatNumber]);
		},
	);

	scenario(
		'among the good items, where the node continues, goes to its branch too',
		{ ...adding, settings: { onError: 'continueRegularOutput' }, after: branchesBehind(0, [NO_ERROR, ...QUESTIONS]) },
		({ runData }) => {
			expect(givenBy(runData[NO_ERROR.branch])).toEqual([expect.objectContaining({ vatNumber: GOOD.vatNumber })]);
			expect(BRANCHES.map((branch) => ({ branch, arrived: givenBy(runData[branch]).map(({ error }) => (error as IDataObject).code).sort() }))).toEqual(belonging('code'));
		},
	);

	scenario(
		'that stops the workflow has both in its context',
		{ parameters: addCustomer('DE000000503'), faults: { rules: [{ fault: 'http503', path: CREATE }] } },
		({ errors, runData }) => {
			expect(errors).toEqual([{ message: expect.any(String), description: expect.stringContaining('The customer with VAT number DE000000503 may already exist'), httpCode: '503' }]);
			expect(runData[NODE]?.[0]?.error).toMatchObject({ context: { code: 'service_error', outcome: 'unknown' } });
		},
	);
});

describe('Dry Run', () => {
	scenario(
		'shows each request that would be sent, and sends nothing, not even a login',
		{
			items: [{ trunk: 1001, countries: 'it, FR' }, { trunk: 'abc', countries: 'IT' }],
			parameters: setPremium('={{ $json.trunk }}', '={{ $json.countries }}', { additionalFields: { premiumAvailable: 'yes' }, options: { dryRun: true } }),
			settings: { onError: 'continueErrorOutput' },
		},
		({ output, errorOutput, paired, requests, state }, sandbox) => {
			const url = `${sandbox.url}/v1/voip/dss/trunk/country/setpremium`;
			expect(output).toEqual(['IT', 'FR'].map((iso) => ({ dryRun: true, request: { method: 'PUT', url, body: { idTrunk: 1001, iso, premium_available: 'yes' } } })));
			expect(paired).toEqual([0, 0]);
			expect(errorOutput).toEqual([expect.objectContaining({ trunk: 'abc', error: expect.objectContaining({ code: 'invalid_parameter', outcome: 'not_sent' }) })]);
			expect(requests).toEqual([]);
			expect(state.trunks.flatMap(({ premiumCountries }) => premiumCountries)).toEqual([]);
		},
	);

	scenario(
		'can be set for each item: only the others are sent',
		{
			items: [{ vatNumber: 'DE000000201', dry: true }, { vatNumber: 'DE000000202', dry: false }],
			parameters: addCustomer('={{ $json.vatNumber }}', { options: { dryRun: '={{ $json.dry }}' } }),
		},
		({ output, state }, sandbox) => {
			expect(output).toEqual([
				{ dryRun: true, request: { method: 'POST', url: `${sandbox.url}${CREATE}`, body: { vatNumber: 'DE000000201' } } },
				expect.objectContaining({ vatNumber: 'DE000000202' }),
			]);
			expect(state.customers.map(({ vatNumber }) => vatNumber)).toEqual(['DE000000202']);
		},
	);
});
