/** The plain declarative node of n8n-nodes-bench-plain. @type {import('./index.mjs').Peer} */
export const plain = {
	name: 'Plain declarative',
	credentialType: 'plainVoiceAdminApi',
	node: (operation) => ({
		type: 'n8n-nodes-bench-plain.plainVoiceAdmin',
		typeVersion: 1,
		parameters: { operation, ...OPERATIONS[operation] },
	}),
};

const OPERATIONS = {
	get: { gatewayId: '={{ $json.id }}' },
	setPremium: { idTrunk: '={{ $json.id }}', iso: '={{ $json.iso }}' },
	add: { vatNumber: '=C{{ $json.id }}' },
};
