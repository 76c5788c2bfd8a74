import type { INodeProperties } from 'n8n-workflow';

import { setPremium, setPremiumFields } from './setPremium';

/** The resource "VoIP DSS Trunk": its operations and their fields. */
export const dssTrunk: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['dssTrunk'] } },
		options: [setPremium],
		default: 'setPremium',
	},
	...setPremiumFields,
];
