import type { INodeProperties } from 'n8n-workflow';

import { MAX_CONCURRENCY, MAX_RETRIES } from '../transport/settings';

/** The collection "Options" that every operation has. */
export function options(...more: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [
			{
				displayName: 'Max Concurrency',
				name: 'maxConcurrency',
				type: 'number',
				typeOptions: {
					minValue: MAX_CONCURRENCY.bounds[0],
					maxValue: MAX_CONCURRENCY.bounds[1],
					numberPrecision: 0,
				},
				default: 200,
				description:
					'Most requests that this node has under way at once. It begins with 25 and uses more only while the service keeps up. The first item\'s value holds for all',
			},
			{
				displayName: 'Max Retries',
				name: 'maxRetries',
				type: 'number',
				typeOptions: {
					minValue: MAX_RETRIES.bounds[0],
					maxValue: MAX_RETRIES.bounds[1],
					numberPrecision: 0,
				},
				default: 3,
				description:
					'How often a request is sent again after a passing failure: a busy service or a broken connection. A create is sent again only after a 429, when the service has not processed it.',
			},
			...more,
		],
	};
}
