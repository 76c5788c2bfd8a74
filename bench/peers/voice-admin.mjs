/** This package's node. @type {import('./index.mjs').Peer} */
export const voiceAdmin = {
	name: 'Voice Admin',
	credentialType: 'voiceAdminApi',
	node: (operation, { countries, inFlight }) => ({
		type: 'n8n-nodes-voice-admin.voiceAdmin',
		typeVersion: 1,
		parameters: {
			...OPERATIONS[operation](countries),
			...(inFlight && { options: { maxConcurrency: inFlight } }),
		},
	}),
};

const OPERATIONS = {
	get: () => ({ resource: 'dssGateway', operation: 'get', gatewayId: '={{ $json.id }}' }),
	setPremium: (countries = '={{ $json.iso }}') => ({
		resource: 'dssTrunk',
		operation: 'setPremium',
		idTrunk: '={{ $json.id }}',
		iso: { __rl: true, mode: 'code', value: countries },
	}),
	add: () => ({ resource: 'customer', operation: 'add', vatNumber: '=C{{ $json.id }}' }),
};
