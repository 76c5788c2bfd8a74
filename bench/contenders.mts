/** What is sent for an item; the items have `id` (1, 2, …) and `iso` (two letters). */
export type Operation = 'get' | 'setPremium' | 'add';

/** Settings of n8n's HTTP Request node. batchInterval: ms from the beginning of one batch to the next */
export type Batching = Record<'batchSize' | 'batchInterval', number>;

/** url: of the service; token: that it takes, for a node without a credential; countries: for one item, instead of its `iso` */
export interface NodeSettings {
	url: string;
	token: string;
	countries?: string;
	batching?: Batching;
}

export interface Contender {
	name: string;
	credentialType?: string;
	node: (operation: Operation, settings: NodeSettings) => { type: string; typeVersion: number; parameters: object };
}

const json = (expression: string) => ({ sendBody: true, specifyBody: 'json', jsonBody: `={{ JSON.stringify(${expression}) }}` });

/** One of the steps of bench/n8n-nodes-bench-harness/nodes/Harness.node.js. */
export const harness = (parameters: object) => ({ type: 'n8n-nodes-bench-harness.harness', typeVersion: 1, parameters });

const CONTENDER_LIST = {
	voiceAdmin: {
		name: 'Voice Admin',
		credentialType: 'voiceAdminApi',
		node: (operation, { countries = '={{ $json.iso }}' }) => ({
			type: 'n8n-nodes-voice-admin.voiceAdmin',
			typeVersion: 1,
			parameters: {
				operation,
				...{
					get: { resource: 'dssGateway', gatewayId: '={{ $json.id }}' },
					setPremium: { resource: 'dssTrunk', idTrunk: '={{ $json.id }}', iso: { __rl: true, mode: 'code', value: countries } },
					add: { resource: 'customer', vatNumber: '=C{{ $json.id }}' },
				}[operation],
				options: operation === 'add' ? { validateVatNumber: false } : {},
			},
		}),
	},
	/** With this package's credential and n8n's defaults. */
	httpRequest: {
		name: 'HTTP Request',
		credentialType: 'voiceAdminApi',
		node: (operation, { url, batching }) => ({
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.2,
			parameters: {
				...{
					get: { method: 'GET', url: `=${url}/v1/voip/dss/gtw/{{ $json.id }}` },
					setPremium: { method: 'PUT', url: `${url}/v1/voip/dss/trunk/country/setpremium`, ...json('{ idTrunk: $json.id, iso: $json.iso }') },
					add: { method: 'POST', url: `${url}/v1/customers/add`, ...json("{ vatNumber: 'C' + $json.id }") },
				}[operation],
				authentication: 'predefinedCredentialType',
				nodeCredentialType: 'voiceAdminApi',
				options: batching ? { batching: { batch: batching } } : {},
			},
		}),
	},
	plain: {
		name: 'Plain declarative',
		credentialType: 'plainVoiceAdminApi',
		node: (operation) => ({
			type: 'n8n-nodes-bench-harness.plainVoiceAdmin',
			typeVersion: 1,
			parameters: {
				operation,
				gatewayId: '={{ $json.id }}',
				idTrunk: '={{ $json.id }}',
				iso: '={{ $json.iso }}',
				vatNumber: '=C{{ $json.id }}',
			},
		}),
	},
	/** What a node can reach at best. */
	floor: {
		name: "n8n's floor",
		node: (operation, { url, token }) => harness({ step: 'floor', operation, url, token }),
	},
	/** What n8n itself takes to run a workflow. */
	none: { name: 'No node', node: () => ({ type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} }) },
} satisfies Record<string, Contender>;

export type ContenderId = keyof typeof CONTENDER_LIST;
export const CONTENDERS: Record<ContenderId, Contender> = CONTENDER_LIST;
