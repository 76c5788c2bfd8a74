import type { INodeParameters, INodeProperties, INodePropertyMode, INodePropertyOptions } from 'n8n-workflow';

import { VoiceAdmin } from '../../nodes/VoiceAdmin/VoiceAdmin.node';

/** An operation as the node's description has it. */
export interface DescribedOperation {
	resource: string;
	operation: string;
	option: INodePropertyOptions;
	/** What the editor shows for it. */
	fields: INodeProperties[];
}

/** Every operation of the node, so that a new one is tested without being listed anywhere. */
export function everyOperation(): DescribedOperation[] {
	const { properties } = new VoiceAdmin().description;
	const shownFor = (property: INodeProperties, name: string, value: string) => property.displayOptions?.show?.[name]?.includes(value) ?? false;
	const [resources] = properties.filter(({ name }) => name === 'resource');
	return (resources?.options as INodePropertyOptions[]).flatMap(({ value }) => {
		const resource = String(value);
		const [operations] = properties.filter((property) => property.name === 'operation' && shownFor(property, 'resource', resource));
		return (operations?.options as INodePropertyOptions[]).map((option) => {
			const operation = String(option.value);
			const fields = properties.filter((property) => shownFor(property, 'resource', resource) && shownFor(property, 'operation', operation));
			return { resource, operation, option, fields };
		});
	});
}

/**
 * The parameters as someone fills them in who follows the placeholders: what is required, or, where nothing is, the
 * first that has an example. The fields of the tool variant are none of the node's.
 */
export function parametersByPlaceholder({ resource, operation, fields }: DescribedOperation): INodeParameters {
	const ofNode = fields.filter(({ displayOptions }) => displayOptions?.show?.['@tool']?.[0] !== true);
	const required = ofNode.filter((field) => field.required);
	const filled = required.length > 0 ? required : ofNode.filter(({ placeholder }) => exampleIn(placeholder) !== undefined).slice(0, 1);
	return { resource, operation, ...Object.fromEntries(filled.map((field) => [field.name, valueOf(field)])) };
}

function valueOf(field: INodeProperties): INodeParameters[string] {
	const example = exampleIn(field.placeholder);
	if (field.type === 'number') return Number(example);
	if (field.type !== 'resourceLocator') return example ?? '';
	const mode = field.modes?.find(({ placeholder }: INodePropertyMode) => exampleIn(placeholder) !== undefined);
	return { __rl: true, mode: mode?.name ?? '', value: exampleIn(mode?.placeholder) ?? '' };
}

function exampleIn(placeholder: string | undefined): string | undefined {
	return placeholder?.startsWith('e.g. ') ? placeholder.slice('e.g. '.length) : undefined;
}
