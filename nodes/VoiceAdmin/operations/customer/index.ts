import type { INodeProperties } from 'n8n-workflow';

import { add, addFields } from './add';

/** The resource "Customer": its operations and their fields. */
export const customer: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['customer'] } },
		options: [add],
		default: 'add',
	},
	...addFields,
];
