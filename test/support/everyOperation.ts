import type { INodeParameters, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { VoiceAdmin } from '../../nodes/VoiceAdmin/VoiceAdmin.node';

/** An operation as the node's description has it. */
interface DescribedOperation {
	resource: string;
	operation: string;
	option: INodePropertyOptions;
	/** What the editor shows for it. */
	fields: INodeProperties[];
}

/** Every operation of the node, so that a new one is tested without being listed anywhere. */
export function everyOperation(): DescribedOperation[] {
	const { properties } = new VoiceAdmin().description;
	const shownFor = ({ displayOptions }: INodeProperties, name: string) =>
		(displayOptions?.show?.[name] ?? []) as string[];
	const operations = properties
		.filter(({ name }) => name === 'operation')
		.flatMap((property) =>
			shownFor(property, 'resource').flatMap((resource) =>
				(property.options as INodePropertyOptions[]).map((option) => ({
					resource,
					operation: String(option.value),
					option,
				})),
			),
		);
	const isField = (field: INodeProperties, of: { resource: string; operation: string }) =>
		(['resource', 'operation'] as const).every((name) => shownFor(field, name).includes(of[name]));
	return operations.map((each) => ({ ...each, fields: properties.filter((field) => isField(field, each)) }));
}

/**
 * The parameters as someone fills them in who follows the placeholders: what is required, or, where nothing is, the
 * first that has an example. The fields of the tool variant are none of the node's.
 */
export function parametersByPlaceholder({ resource, operation, fields }: DescribedOperation): INodeParameters {
	const ofNode = fields.filter(({ displayOptions }) => displayOptions?.show?.['@tool']?.[0] !== true);
	const required = ofNode.filter((field) => field.required);
	const filled =
		required.length > 0
			? required
			: ofNode.filter(({ placeholder }) => exampleIn(placeholder) !== undefined).slice(0, 1);
	return { resource, operation, ...Object.fromEntries(filled.map((field) => [field.name, valueOf(field)])) };
}

/** The same with every optional field of *Additional Fields*. */
export function everyParameter(described: DescribedOperation): INodeParameters {
	const more = described.fields.find(({ name }) => name === 'additionalFields')?.options as
		INodeProperties[] | undefined;
	return {
		...parametersByPlaceholder(described),
		...(more && { additionalFields: Object.fromEntries(more.map((field) => [field.name, valueOf(field)])) }),
	};
}

function valueOf({ type, placeholder, hint, options = [], modes = [] }: INodeProperties): INodeParameters[string] {
	if (type === 'number') return Number(exampleIn(placeholder));
	if (type === 'boolean') return true;
	if (type === 'options') return (options as INodePropertyOptions[])[0]?.value;
	// An example of JSON is a hint.
	if (type !== 'resourceLocator') return exampleIn(placeholder ?? hint?.replace('JSON, ', '')) ?? '';
	const mode = modes.find((each) => exampleIn(each.placeholder) !== undefined);
	return { __rl: true, mode: mode?.name ?? '', value: exampleIn(mode?.placeholder) ?? '' };
}

function exampleIn(placeholder: string | undefined): string | undefined {
	return placeholder?.startsWith('e.g. ') ? placeholder.slice('e.g. '.length) : undefined;
}
