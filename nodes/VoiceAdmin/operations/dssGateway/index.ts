import type { INodeProperties } from 'n8n-workflow';

import { get, getFields } from './get';

/** The resource "VoIP DSS Gateway": its operations and their fields. */
export const dssGateway: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['dssGateway'] } },
		options: [get],
		default: 'get',
	},
	...getFields,
];
