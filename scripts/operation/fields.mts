import type { Field } from '../../nodes/VoiceAdmin/operations/operation';
import type { Parameter } from './document.mts';
import { camelCase, capitalized, inSentence, sentenceOf, titleCase, wordsOf } from './english.mts';
import { exampleOf, type Shape, shapeOf } from './shape.mts';

/** TypeScript in the place of a value. */
export class Code {
	constructor(readonly text: string) {}
}
/** A field as it is written: its parser is code. */
export type DraftField = Omit<Field, 'parse' | 'options' | 'default'> & { parse: Code; options?: unknown[]; default: unknown };
/** What an operation sends, and what the sandbox's document says of it. */
export interface Sent {
	name: string;
	place: 'path' | 'query' | 'body';
	required: boolean;
	shape: Shape;
	description: string;
	example: unknown;
	field: DraftField;
}

/** Names that the node's own parameters have. */
const RESERVED = new Set([
	'resource',
	'operation',
	'options',
	'additionalFields',
	'requestOptions',
	'toolDescription',
	'notice',
	'authentication',
]);

/** Why no field can send a value. */
export interface Unsendable {
	why: string;
	required: boolean;
}

/** A parameter of an operation. */
export function sentByParameter(parameter: Parameter, noun: string): Sent | Unsendable {
	const { name, in: place, required = false, schema, description, example, style = 'form', explode = true, content } = parameter;
	const no = (why: string) => ({ why: `${name} is ${why}`, required });
	if (place !== 'path' && place !== 'query') return no(`sent in a ${place}`);
	const shape = shapeOf(schema);
	if (content || shape.kind === 'object') return no(`an object in the ${place}`);
	if (shape.kind === 'array' && (place === 'path' || style !== 'form' || explode))
		return no('a list whose values are not separated by commas');
	return sent({ name, place, required: required || place === 'path', shape, noun }, description, example);
}

/** The properties of a JSON body. */
export function sentInBody({ properties, required }: Shape, noun: string): Array<Sent | Unsendable> {
	return [...properties]
		.filter(([, { schema }]) => !schema.readOnly)
		.map(([name, shape]) => sent({ name, place: 'body', required: required.includes(name), shape, noun }));
}

type Value = Pick<Sent, 'name' | 'place' | 'required' | 'shape'> & { noun: string };

function sent({ name, place, required, shape, noun }: Value, described?: string, given?: unknown): Sent | Unsendable {
	const words = wordsOf(name);
	const fieldName = RESERVED.has(camelCase(words)) ? `${camelCase(words)}Value` : camelCase(words);
	const typed = typeOf(shape, fieldName);
	if (name === '__proto__' || fieldName === '' || !typed)
		return { why: `${JSON.stringify(name.slice(0, 50))} ${typed ? 'is no name for a field' : 'may have several types'}`, required };
	const label = titleCase(words);
	const meaning = sentenceOf(described ?? shape.schema.description) || `${capitalized(inSentence(words))} of the ${noun}`;
	const example = exampleOf(shape, given);
	const { type, typeOptions, options, default: preset, parse } = typed;
	const shown =
		type === 'string' && Array.isArray(example) ? example.join(', ') : typeof example === 'string' ? example : JSON.stringify(example);
	const commas = type === 'string' && shape.kind === 'array' ? '. Separate several with commas.' : '';
	const field: DraftField = {
		displayName: label,
		name: fieldName,
		type,
		...(typeOptions && { typeOptions }),
		...(options && { options }),
		...(required && { required }),
		default: preset,
		...(type !== 'options' && type !== 'boolean' && { placeholder: `e.g. ${shown}` }),
		description:
			type === 'boolean'
				? `Whether to ${meaning.replace(/^(?:whether(?: or not)?(?: to)?|if|indicates|determines)\s+/i, '')}`
				: meaning.replace(/[.!?]$/, '') + commas,
		...(place === 'path' ? { pathSegment: true } : { routing: { send: { type: place, property: name } } }),
		// Checked so that it can't change the path.
		parse: place === 'path' && parse.text === 'text' ? new Code('identifier') : parse,
	};
	return { name: place === 'path' ? fieldName : name, place, required, shape, description: meaning, example, field };
}

type Typed = { type: Field['type']; default: unknown; typeOptions?: object; options?: unknown[]; parse: Code };

/** The field's type in n8n, and its parser. @returns undefined for what has no type */
function typeOf({ kind, choices, schema, items, properties }: Shape, name: string): Typed | undefined {
	const { format = '', minimum: min = schema.exclusiveMinimum, maximum: max } = schema;
	if (choices) {
		const options = choices
			.map((value) => ({ name: titleCase(wordsOf(String(value))) || String(value), value }))
			.sort((a, b) => a.name.localeCompare(b.name));
		const preset = choices.includes(schema.default as string) ? schema.default : options[0]?.value;
		return { type: 'options', options, default: preset, parse: call('oneOf', ...choices) };
	}
	switch (kind) {
		case 'boolean':
			return { type: 'boolean', default: schema.default === true, parse: new Code('boolean') };
		case 'integer':
			if (min === undefined && max === undefined)
				return { type: 'number', typeOptions: { numberPrecision: 0 }, default: null, parse: new Code('integer') };
			return {
				type: 'number',
				typeOptions: { numberPrecision: 0, minValue: min, maxValue: max },
				default: null,
				parse:
					min !== undefined && max !== undefined && min >= 0
						? call('integerBetween', min, max)
						: call('numberWithin', { min, max, whole: true }),
			};
		case 'number':
			return {
				type: 'number',
				typeOptions: { numberPrecision: 6, minValue: min, maxValue: max },
				default: null,
				parse: call('numberWithin', { min, max }),
			};
		case 'object':
			return { type: 'json', default: '', parse: new Code('requiredJsonObject') };
		case 'array': {
			const parse = items && !['object', 'array', 'undecided'].includes(items.kind) ? typeOf(items, name)?.parse : undefined;
			return parse
				? { type: 'string', default: '', parse: new Code(`listOf(${parse.text})`) }
				: { type: 'json', default: '', parse: new Code('jsonArray') };
		}
		case 'string': {
			const isDate = format === 'date' || format === 'date-time';
			const isSecret = /password|secret|token/i.test(name) || format === 'password';
			if (format === 'binary') return undefined;
			return {
				type: format === 'date' ? 'dateTime' : 'string',
				...(isSecret && { typeOptions: { password: true } }),
				default: '',
				parse: new Code(isDate ? (format === 'date' ? 'date' : 'dateTime') : 'text'),
			};
		}
		default:
			return properties.size > 0 ? { type: 'json', default: '', parse: new Code('requiredJsonObject') } : undefined;
	}
}

const call = (parser: string, ...values: unknown[]) => new Code(`${parser}(${values.map((value) => JSON.stringify(value)).join(', ')})`);
