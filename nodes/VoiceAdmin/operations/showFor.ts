import type { INodeProperties } from 'n8n-workflow';

/** Shows properties for one operation of one resource only, and under the conditions that they have already. */
export function showFor(
	resource: string,
	operation: string,
	properties: INodeProperties[],
): INodeProperties[] {
	return properties.map((property) => ({
		...property,
		displayOptions: {
			show: { resource: [resource], operation: [operation], ...property.displayOptions?.show },
		},
	}));
}
