/** What is sent for an item; the items have `id` (1, 2, …) and `iso` (two letters). */
export type Operation = 'get' | 'setPremium' | 'add';

/** The token that the service gives at every login, valid for good. */
export const TOKEN = 'bench-token';

interface Contender {
	name: string;
	credentialType?: string;
	/** @param url of the service */
	node: (operation: Operation, url: string) => { type: string; typeVersion: number; parameters: object };
}

export type ContenderId = 'voiceAdmin' | 'httpRequest' | 'floor';

const json = (expression: string) => ({ sendBody: true, specifyBody: 'json', jsonBody: `={{ JSON.stringify(${expression}) }}` });

/** One of the steps of bench/harness/Harness.node.js. */
export const harness = (parameters: object) => ({ type: 'CUSTOM.harness', typeVersion: 1, parameters });

export const CONTENDERS: Record<ContenderId, Contender> = {
	voiceAdmin: {
		name: 'Voice Admin',
		credentialType: 'voiceAdminApi',
		node: (operation) => {
			const fields = {
				get: { resource: 'dssGateway', gatewayId: '={{ $json.id }}' },
				setPremium: { resource: 'dssTrunk', idTrunk: '={{ $json.id }}', iso: { __rl: true, mode: 'code', value: '={{ $json.iso }}' } },
				add: { resource: 'customer', vatNumber: '=C{{ $json.id }}', options: { validateVatNumber: false } },
			};
			return { type: 'n8n-nodes-voice-admin.voiceAdmin', typeVersion: 1, parameters: { operation, ...fields[operation] } };
		},
	},
	/** With this package's credential and n8n's defaults. */
	httpRequest: {
		name: 'HTTP Request',
		credentialType: 'voiceAdminApi',
		node: (operation, url) => {
			const request = {
				get: { method: 'GET', url: `=${url}/v1/voip/dss/gtw/{{ $json.id }}` },
				setPremium: { method: 'PUT', url: `${url}/v1/voip/dss/trunk/country/setpremium`, ...json('{ idTrunk: $json.id, iso: $json.iso }') },
				add: { method: 'POST', url: `${url}/v1/customers/add`, ...json("{ vatNumber: 'C' + $json.id }") },
			};
			const credential = { authentication: 'predefinedCredentialType', nodeCredentialType: 'voiceAdminApi' };
			return { type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2, parameters: { ...request[operation], ...credential, options: {} } };
		},
	},
	/** What a node can reach at best. */
	floor: { name: "n8n's floor", node: (operation, url) => harness({ step: 'floor', operation, url, token: TOKEN }) },
};
