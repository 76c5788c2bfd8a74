import type { INodeProperties } from 'n8n-workflow';

/** The choice of a resource. */
export const resource: INodeProperties = {
	displayName: 'Resource',
	name: 'resource',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'Customer', value: 'customer' },
		{ name: 'VoIP DSS Gateway', value: 'dssGateway' },
		{ name: 'VoIP DSS Trunk', value: 'dssTrunk' },
	],
	// The one whose operation changes nothing: a tool, unlike a node, is added without a choice of operation.
	default: 'dssGateway',
};
