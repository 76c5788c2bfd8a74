import type { INodeProperties } from 'n8n-workflow';

/** Shows properties for one operation of one resource only. */
export function showFor(
	resource: string,
	operation: string,
	properties: INodeProperties[],
): INodeProperties[] {
	return properties.map((property) => ({
		...property,
		displayOptions: { show: { resource: [resource], operation: [operation] } },
	}));
}
