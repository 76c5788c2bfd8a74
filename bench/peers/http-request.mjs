/** n8n's HTTP Request node with this package's credential, with n8n's defaults. @type {import('./index.mjs').Peer} */
export const httpRequest = {
	name: 'HTTP Request',
	credentialType: 'voiceAdminApi',
	node: (operation, { url, batching }) => ({
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			...OPERATIONS[operation](url),
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'voiceAdminApi',
			options: batching ? { batching: { batch: batching } } : {},
		},
	}),
};

const OPERATIONS = {
	get: (url) => ({ method: 'GET', url: `=${url}/v1/voip/dss/gtw/{{ $json.id }}` }),
	setPremium: (url) => ({ method: 'PUT', url: `${url}/v1/voip/dss/trunk/country/setpremium`, ...json('{ idTrunk: $json.id, iso: $json.iso }') }),
	add: (url) => ({ method: 'POST', url: `${url}/v1/customers/add`, ...json("{ vatNumber: 'C' + $json.id }") }),
};

const json = (expression) => ({ sendBody: true, specifyBody: 'json', jsonBody: `={{ JSON.stringify(${expression}) }}` });
