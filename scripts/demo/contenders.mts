import { credentials } from '../n8n/credentials.mts';
import { chain, itemsOf, type WorkflowNode } from '../n8n/workflow.mts';

/** How many customers each node is given. */
export const CUSTOMERS = 50;

/** What goes wrong at the 30th customer, and how the node is set to take it. */
export interface Scenario {
	name: string;
	/** For the sandbox. */
	fault: object;
	settings: object;
	/** This package's node creates all of them; otherwise it stops there. */
	completes?: true;
	/** It does not know whether the 30th was created, and its error names it. */
	isUnknown?: true;
}

const RETRY_ON_FAIL = { retryOnFail: true, maxTries: 3, waitBetweenTries: 200 };

export const SCENARIOS: Scenario[] = [
	{
		name: 'a 400 that created nothing, with Retry On Fail (3 tries)',
		fault: { fault: 'http400', bodyContains: '"C30"', count: 1 },
		settings: RETRY_ON_FAIL,
		completes: true,
	},
	{
		name: 'a 500 after the customer was created, with Retry On Fail (3 tries)',
		fault: { fault: 'http500', processed: true, bodyContains: '"C30"', count: 1 },
		settings: RETRY_ON_FAIL,
		isUnknown: true,
	},
	{
		name: 'a 503 without Retry-After after the customer was created, as of a proxy, with Retry On Fail (3 tries)',
		fault: { fault: 'http503', processed: true, bodyContains: '"C30"', count: 1 },
		settings: RETRY_ON_FAIL,
		isUnknown: true,
	},
];

/** The nodes that are compared: each creates a customer for each item, with the VAT number in `$json.vat`. */
export const CONTENDERS: Array<(sandboxUrl: string) => WorkflowNode> = [
	() => ({
		name: 'Voice Admin',
		type: 'n8n-nodes-voice-admin.voiceAdmin',
		typeVersion: 1,
		parameters: { resource: 'customer', operation: 'add', vatNumber: '={{ $json.vat }}', options: { validateVatNumber: false } },
	}),
	(sandboxUrl) => ({
		name: 'HTTP Request',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			method: 'POST',
			url: `${sandboxUrl}/v1/customers/add`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'voiceAdminApi',
			sendBody: true,
			specifyBody: 'json',
			jsonBody: '={{ JSON.stringify({ vatNumber: $json.vat }) }}',
		},
	}),
];

/** The workflows that give the customers to each contender: of each scenario, in the contenders' order. */
export function workflowsOf(scenario: Scenario, sandboxUrl: string) {
	const [, { id, name }] = credentials(sandboxUrl);
	return CONTENDERS.map((contender, index) => {
		const node = contender(sandboxUrl);
		return chain({
			id: `createdOnce${SCENARIOS.indexOf(scenario)}${index}`,
			name: `Created once: ${node.name}, ${scenario.name}`,
			nodes: [
				...itemsOf(Array.from({ length: CUSTOMERS }, (_, n) => ({ vat: `C${n + 1}` }))),
				{ ...node, ...scenario.settings, credentials: { voiceAdminApi: { id, name } } },
			],
		});
	});
}
