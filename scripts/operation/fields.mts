import type { Field } from '../../nodes/VoiceAdmin/operations/operation';
import type { Parameter } from './document.mts';
import { camelCase, capitalized, inSentence, sentenceOf, titleCase, wordsOf } from './english.mts';
import { exampleOf, type Shape, shapeOf, writable } from './shape.mts';

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
const RESERVED = /^(?:resource|operation|options|additionalFields|requestOptions|toolDescription|notice|authentication)$/;

/** Why no field can send a value. */
export interface Refused {
	why: string;
	required: boolean;
}

/** A parameter of an operation. */
export function sentByParameter(parameter: Parameter, noun: string): Sent | Refused {
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
export function sentInBody(body: Shape, noun: string): Array<Sent | Refused> {
	const { properties, required } = writable(body);
	return [...properties].map(([name, shape]) => sent({ name, place: 'body', required: required.includes(name), shape, noun }));
}

type Value = Pick<Sent, 'name' | 'place' | 'required' | 'shape'> & { noun: string };

function sent({ name, place, required, shape, noun }: Value, described?: string, given?: unknown): Sent | Refused {
	const words = wordsOf(name);
	const fieldName = camelCase(words).replace(RESERVED, '$&Value');
	const typed = typeOf(shape, fieldName);
	if (name === '__proto__' || fieldName === '' || !typed)
		return { why: `${JSON.stringify(name.slice(0, 50))} ${typed ? 'is no name for a field' : 'may have several types'}`, required };
	const label = titleCase(words);
	const meaning = sentenceOf(described ?? shape.schema.description) || `${capitalized(inSentence(words))} of the ${noun}`;
	const example = exampleOf(shape, given);
	const { type, typeOptions, options, default: preset, parse } = typed;
	const isList = type === 'string' && shape.kind === 'array';
	const shown = isList ? (example as unknown[]).join(', ') : typeof example === 'string' ? example : JSON.stringify(example);
	const whether = `Whether to ${meaning.replace(/^(?:whether(?: or not)?(?: to)?|if|indicates|determines)\s+/i, '')}`;
	const field: DraftField = {
		displayName: label,
		name: fieldName,
		type,
		...(typeOptions && { typeOptions }),
		...(options && { options }),
		...(required && { required }),
		default: preset,
		...(type !== 'options' && type !== 'boolean' && { placeholder: `e.g. ${shown}` }),
		description: type === 'boolean' ? whether : meaning.replace(/[.!?]$/, '') + (isList ? '. Separate several with commas.' : ''),
		...(place === 'path' ? { pathSegment: true } : { routing: { send: { type: place, property: name } } }),
		// Checked so that it can't change the path.
		parse: place === 'path' && parse.text === 'text' ? new Code('identifier') : parse,
	};
	return { name: place === 'path' ? fieldName : name, place, required, shape, description: meaning, example, field };
}

type Typed = { type: Field['type']; default: unknown; typeOptions?: object; options?: unknown[]; parse: Code };

/** The field's type in n8n, and its parser. @returns undefined for what has no type */
function typeOf({ kind, choices, schema, items }: Shape, name: string): Typed | undefined {
	const { format = '', minimum: min = schema.exclusiveMinimum as number | undefined, maximum: max } = schema;
	const typed = (type: Typed['type'], parse: Code, preset: unknown = '', more: object = {}): Typed => ({
		type,
		default: preset,
		parse,
		...more,
	});
	if (choices) {
		const named = choices.map((value) => ({ name: titleCase(wordsOf(String(value))) || String(value), value }));
		const options = named.sort((a, b) => a.name.localeCompare(b.name));
		return typed('options', call('oneOf', ...choices), choices.find((value) => value === schema.default) ?? options[0]?.value, {
			options,
		});
	}
	if (kind === 'boolean') return typed('boolean', new Code('boolean'), schema.default === true);
	if (kind === 'integer' || kind === 'number') {
		const whole = kind === 'integer' || undefined;
		const isUsual = whole && (min ?? 0) >= 0;
		const usual =
			min === undefined && max === undefined ? new Code('integer') : max !== undefined && call('integerBetween', min ?? 0, max);
		const typeOptions = { numberPrecision: whole ? 0 : 6, minValue: min, maxValue: max };
		return typed('number', (isUsual && usual) || call('numberWithin', { min, max, whole }), null, { typeOptions });
	}
	if (kind === 'array') {
		const parse = items && !['object', 'array', 'undecided'].includes(items.kind) ? typeOf(items, name)?.parse : undefined;
		return parse ? typed('string', new Code(`listOf(${parse.text})`)) : typed('json', new Code('jsonArray'));
	}
	if (kind === 'object') return typed('json', new Code('requiredJsonObject'));
	if (kind === 'undecided' || format === 'binary') return undefined;
	const isSecret = /password|secret|token/i.test(name) || format === 'password';
	const parse = new Code({ date: 'date', 'date-time': 'dateTime' }[format] ?? 'text');
	return typed(format === 'date' ? 'dateTime' : 'string', parse, '', isSecret ? { typeOptions: { password: true } } : {});
}

const call = (parser: string, ...values: unknown[]) => new Code(`${parser}(${values.map((value) => JSON.stringify(value)).join(', ')})`);
