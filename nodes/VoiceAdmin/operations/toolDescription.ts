import type { INodeProperties } from 'n8n-workflow';

/**
 * The field by which a model is told what an operation does, when an agent has the node as a tool.
 *
 * n8n (2.8 to 2.40) makes such a field itself for a node that has none of this name, but fills it with the
 * operation's `action` and the node's name: "Add a customer in Voice Admin". And for a field that a model is to
 * fill, it tells the model the field's name and type only. So the text says what is at stake, and what each
 * field means.
 */
export function toolDescription(text: string): INodeProperties {
	return {
		displayName: 'Tool Description',
		name: 'toolDescription',
		type: 'string',
		typeOptions: { rows: 5 },
		required: true,
		default: text,
		description: 'What the model is told of this tool: what it does, and what each field means',
		displayOptions: { show: { '@tool': [true] } },
	};
}
