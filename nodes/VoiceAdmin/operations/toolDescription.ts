import { type Field, type Operation, sentFields } from './operation';

/**
 * The field by which an agent's model is told what an operation does, and what each field means. n8n (2.8 to 2.41) makes
 * such a field itself, but fills it with the operation's `action` only; and of a field that a model is to fill, it tells
 * the model no more than name and type.
 */
export function toolDescriptionField(operation: Operation): Field {
	const fields = sentFields(operation.fields).filter(isShownByDefault(operation)).map(describeField);
	return {
		displayName: 'Tool Description',
		name: 'toolDescription',
		type: 'string',
		typeOptions: { rows: 5 },
		required: true,
		default: [operation.toolDescription, ...(fields.length > 0 ? ['Fields:', ...fields] : [])].join('\n'),
		description: 'Description of this tool for the model: what it does and what each field means',
		displayOptions: { show: { '@tool': [true] } },
	};
}

/** Of fields that stand for each other, the one that a new node shows. */
const isShownByDefault = ({ fields }: Operation) => ({ displayOptions }: Field) =>
	Object.entries(displayOptions?.show ?? {}).every(([name, values]) => values?.includes(fields.find((field) => field.name === name)?.default as string));

function describeField({ displayName, required, description, placeholder, modes = [], hint }: Field): string {
	const example = [placeholder, ...modes.map((mode) => mode.placeholder)].find((text) => text?.startsWith('e.g.'))?.replace('e.g.', 'Example:');
	const sentences = [description, hint, example].filter((text) => text !== undefined).map((text) => text.replace(/\.?$/, '.'));
	return `- ${displayName} (${required ? 'required' : 'optional'}): ${sentences.join(' ')}`;
}
