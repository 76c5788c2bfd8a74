import { chain, itemsOf } from '../n8n/workflow.mjs';

/** How many customers each node is given. */
export const CUSTOMERS = 50;

const RETRY_ON_FAIL = { retryOnFail: true, maxTries: 3, waitBetweenTries: 200 };

/**
 * What goes wrong at the 30th customer, and how the node is set to take it.
 * `completes`: this package's node creates all of them; otherwise it stops there, and its error names the customer.
 */
export const SCENARIOS = [
	{
		name: 'a 400 that created nothing, twice, with Retry On Fail (3 tries)',
		// Twice, because n8n itself repeats any failed request of the HTTP Request node once, after a login.
		fault: { fault: 'http400', bodyContains: '"C30"', count: 2 },
		settings: RETRY_ON_FAIL,
		completes: true,
	},
	{
		name: 'a 500 after the customer was created, with Retry On Fail (3 tries)',
		fault: { fault: 'http500', processed: true, bodyContains: '"C30"', count: 1 },
		settings: RETRY_ON_FAIL,
	},
	{
		name: 'a 503 without Retry-After after the customer was created, as of a proxy, with Retry On Fail (3 tries)',
		fault: { fault: 'http503', processed: true, bodyContains: '"C30"', count: 1 },
		settings: RETRY_ON_FAIL,
	},
	{
		name: 'the reply is lost after the customer was created, On Error: Continue',
		fault: { fault: 'resetAfter', bodyContains: '"C30"', count: 1 },
		settings: { onError: 'continueRegularOutput' },
		completes: true,
	},
];

const credentials = { voiceAdminApi: { id: 'voiceAdminSandbox', name: 'Voice Admin sandbox' } };

/** The nodes that are compared: each creates a customer for each item, with the VAT number in `$json.vat`. */
export const PEERS = [
	{
		name: 'Voice Admin',
		type: 'n8n-nodes-voice-admin.voiceAdmin',
		typeVersion: 1,
		parameters: { resource: 'customer', operation: 'add', vatNumber: '={{ $json.vat }}' },
	},
	{
		name: 'HTTP Request',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			method: 'POST',
			url: '',
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'voiceAdminApi',
			sendBody: true,
			specifyBody: 'json',
			jsonBody: '={{ JSON.stringify({ vatNumber: $json.vat }) }}',
		},
	},
];

/**
 * A workflow that gives 50 customers to one node.
 * @param {typeof SCENARIOS[number]} scenario
 * @param {typeof PEERS[number]} peer
 * @param {string} sandboxUrl
 */
export function workflowFor(scenario, peer, sandboxUrl) {
	const { url } = peer.parameters;
	return chain({
		id: idOf(scenario, peer),
		name: `Created once: ${peer.name}, ${scenario.name}`,
		nodes: [
			...itemsOf(Array.from({ length: CUSTOMERS }, (_, n) => ({ vat: `C${n + 1}` }))),
			{
				...peer,
				...scenario.settings,
				parameters: { ...peer.parameters, ...(url === '' && { url: `${sandboxUrl}/v1/customers/add` }) },
				credentials,
			},
		],
	});
}

/** The id of a workflow. */
export const idOf = (scenario, peer) => `createdOnce${SCENARIOS.indexOf(scenario)}${PEERS.indexOf(peer)}`;
