import { inAgent } from './agentScenario.mts';
import { n8n } from '../support/n8n/n8n.mts';
import { addCustomer, getGateway, setPremium } from '../support/operations';
import { fromAI } from '../support/executor/toolOfAgent';

const { scenario } = inAgent();

const premium = setPremium(fromAI('Trunk_ID', 'number'), fromAI('Country', 'string'), { additionalFields: { premiumAvailable: fromAI('Premium_Available', 'string') } });
const gateway = getGateway(fromAI('Gateway_ID', 'string'), { organizationId: fromAI('Organization_ID', 'string') });
const customer = addCustomer(fromAI('VAT_Number', 'string'), { otherFields: fromAI('Other_Fields', 'json') });

const CUSTOMER = { VAT_Number: 'IT12345678903', Other_Fields: { name: 'Example S.p.A.' } };

/** The reply to a create is lost once, after the customer was created. */
const LOST = { rules: [{ fault: 'resetAfter' as const, path: '/v1/customers/add', count: 1 }] };
const UNKNOWN = /The customer with VAT number IT12345678903 may already exist\. Check before retrying[^]+The node did not send it again under Retry On Fail/;
const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 100 };

describe('an agent that hands its calls to n8n (version 3)', () => {
	scenario(
		'enables premium traffic, and is told of a value that is not valid and of a 404 where the tool is set to continue',
		{
			agent: 3,
			parameters: premium,
			settings: { onError: 'continueRegularOutput' },
			calls: [
				{ Trunk_ID: 1001, Country: 'it, FR', Premium_Available: '' },
				{ Trunk_ID: 'abc', Country: 'IT', Premium_Available: '' },
				{ Trunk_ID: 9999, Country: 'IT', Premium_Available: '' },
			],
		},
		({ tool, results, answer, requests, state }) => {
			expect(tool.description).toMatch(/^Enables premium traffic .+ may be billed, and the documented API shows no way to turn it off again/);
			expect(tool.parameters.properties).toMatchObject({ Trunk_ID: { type: 'number' }, Country: { type: 'string' }, Premium_Available: { type: 'string' } });
			expect(tool.parameters.required).toEqual(['Trunk_ID', 'Country', 'Premium_Available']);
			expect(results.map((result) => JSON.parse(result) as unknown)).toEqual([
				[
					{ success: true, idTrunk: 1001, iso: 'IT' },
					{ success: true, idTrunk: 1001, iso: 'FR' },
				],
				[{ error: { message: `'Trunk ID' is not valid: "abc". Enter a whole number, e.g. 1001`, description: null, httpCode: null, code: 'invalid_parameter', outcome: 'not_sent' } }],
				[{ error: { message: 'The requested DSS resource is not found', description: 'No trunk has the id 9999.\nRequest: trunk 9999, country IT.', httpCode: '404', code: 'not_found', outcome: 'not_done' } }],
			]);
			expect(answer).toBe('Done.');
			expect(requests.map(({ status }) => status)).toEqual([204, 204, 404]);
			expect(state.trunks.find(({ id }) => id === 1001)?.premiumCountries.map(({ iso }) => iso).sort()).toEqual(['FR', 'IT']);
		},
	);

	scenario(
		'gets a gateway, within an organization and by itself',
		{
			agent: 3,
			parameters: gateway,
			calls: [
				{ Gateway_ID: '1', Organization_ID: '10' },
				{ Gateway_ID: '3', Organization_ID: '' },
			],
		},
		({ tool, results, requests }) => {
			expect(tool.description).toContain('changes nothing');
			expect(results.map((result) => JSON.parse(result) as unknown)).toEqual([
				[expect.objectContaining({ id: '1', terminationUri: 'milano-1.sip.sandbox.example' })],
				[expect.objectContaining({ id: '3', terminationUri: null })],
			]);
			expect(requests.map(({ path }) => path)).toEqual(['/v1/voip/dss/gtw/1/10', '/v1/voip/dss/gtw/3']);
		},
	);

	scenario(
		'is told that a customer may exist whose reply was lost, and n8n does not create it again under Retry On Fail',
		{ agent: 3, parameters: customer, settings: RETRY, faults: LOST, calls: [CUSTOMER] },
		({ tool, results, answer, errors, state }) => {
			expect(tool.description).toMatch(/^Creates a customer record\. The documented API has no way to change or delete a customer/);
			expect(state.customers).toEqual([expect.objectContaining({ vatNumber: 'IT12345678903', name: 'Example S.p.A.' })]);
			expect(errors.at(-1)?.message).toMatch(UNKNOWN);
			// n8n 2.8 ends the run instead of telling the model.
			expect({ results, answer }).toEqual(n8n.version.startsWith('2.8.') ? { results: [], answer: undefined } : { results: [expect.stringMatching(UNKNOWN)], answer: 'Done.' });
		},
	);
});

describe('an agent that runs its tools itself (version 2.2)', () => {
	scenario(
		'is given what the service answers, and its errors',
		{ agent: 2.2, parameters: gateway, settings: { onError: 'continueRegularOutput' }, calls: [{ Gateway_ID: '1', Organization_ID: '10' }, { Gateway_ID: 'none', Organization_ID: '' }] },
		({ tool, results, answer }) => {
			expect(tool.description).toContain('changes nothing');
			expect(results.map((result) => JSON.parse(result) as unknown)).toEqual([
				[expect.objectContaining({ id: '1', terminationUri: 'milano-1.sip.sandbox.example' })],
				[{ error: expect.objectContaining({ httpCode: '404', code: 'not_found', outcome: 'not_done' }) }],
			]);
			expect(answer).toBe('Done.');
		},
	);

	scenario(
		'does not create a customer again under Retry On Fail when the reply was lost',
		{ agent: 2.2, parameters: customer, settings: RETRY, faults: LOST, calls: [CUSTOMER] },
		({ tool, errors, state }) => {
			expect(tool.description).toMatch(/^Creates a customer record\. The documented API has no way to change or delete a customer/);
			expect(state.customers).toHaveLength(1);
			// The model itself is told nothing by this agent, not even that the call failed, unless the tool is set to continue.
			expect(errors.at(-1)?.message).toMatch(UNKNOWN);
		},
	);
});
