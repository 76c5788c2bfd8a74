import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

/**
 * What the canvas shows below the node's name: "Set Premium: VoIP DSS Trunk", by the names that the fields show.
 * What has no name there, as n8n's own Custom API Call, stands as it is: n8n knows it by that.
 *
 * An expression, but one that only the editor evaluates.
 */
export function subtitle(properties: INodeProperties[]): string {
	const nameOf = (property: string) => {
		const options = properties
			.filter(({ name }) => name === property)
			.flatMap((each) => each.options as INodePropertyOptions[]);
		const names = JSON.stringify(Object.fromEntries(options.map(({ value, name }) => [value, name])));
		return `((${names})[$parameter["${property}"]] ?? $parameter["${property}"])`;
	};
	return `={{ ${nameOf('operation')} + ": " + ${nameOf('resource')} }}`;
}
