import type { INodeProperties } from 'n8n-workflow';

import { type Field, type Operation, sentFields } from './operation';

/**
 * The field that tells an agent's model what an operation does and what each field means. n8n (2.8 to 2.41) adds such a field itself,
 * but with the operation's `action` only, and tells the model no more than the name and type of a field that it fills.
 */
export function toolDescriptionField(operation: Operation): INodeProperties {
	const defaultOf = (name: string) => operation.fields.find((field) => field.name === name)?.default as string;
	// Of alternative fields, the one that a new node shows.
	const shown = sentFields(operation).filter(({ field: { displayOptions } }) =>
		Object.entries(displayOptions?.show ?? {}).every(([name, values]) => values?.includes(defaultOf(name))),
	);
	const fields =
		shown.length > 0
			? ['Fields (fill only those among your parameters):', ...shown.map(({ field }) => describeField(field))]
			: [];
	return {
		displayName: 'Tool Description',
		name: 'toolDescription',
		type: 'string',
		typeOptions: { rows: 5 },
		required: true,
		default: [operation.toolDescription, ...fields].join('\n'),
		description: 'Description of this tool for the model: what it does and what each field means',
		displayOptions: { show: { '@tool': [true] } },
	};
}

/** Without an example, which a model could copy. */
function describeField({ displayName, required, description, hint }: Field): string {
	const sentences = [description, hint].filter((text) => text !== undefined).map((text) => text.replace(/\.?$/, '.'));
	// A hint says when a field is required that isn't always.
	const need = required ? ' (required)' : hint === undefined ? ' (optional: never invent one)' : '';
	return `- ${displayName}${need}${sentences.length > 0 ? `: ${sentences.join(' ')}` : ''}`;
}
