import type { Field } from '../../nodes/VoiceAdmin/operations/operation';
import type { Parameter } from './document.mts';
import { camelCase, capitalized, inSentence, sentenceOf, shown, titleCase, wordsOf } from './english.mts';
import { exampleOf, type Shape, shapeOf, writable } from './shape.mts';

/** TypeScript in the place of a value. uses: the parsers that it names */
export class Code {
	constructor(
		readonly text: string,
		readonly uses = [text],
	) {}
}
/** A field as it is written: its parser is code. */
type DraftField = Omit<Field, 'parse' | 'options' | 'default'> & { parse: Code; options?: unknown[]; default: unknown };
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
interface Refused {
	why: string;
	required: boolean;
}

/** A parameter of an operation. */
export function sentByParameter(parameter: Parameter, noun: string): Sent | Refused {
	const { name, in: place, required = false, schema, description, example, style = 'form', explode = true, content } = parameter;
	const no = (why: string) => ({ why: `${name} is ${why}`, required });
	if (place !== 'path' && place !== 'query') return no(`sent in a ${place}`);
	const shape = shapeOf({ ...schema, ...(description && { description }) });
	if (content || shape.type === 'object') return no(`an object in the ${place}`);
	if (shape.type === 'array' && (place === 'path' || style !== 'form' || explode))
		return no('a list whose values are not separated by commas');
	return sent({ name, place, required: required || place === 'path', shape, example: exampleOf(shape, example) }, noun);
}

/** The properties of a JSON body. */
export function sentInBody(body: Shape, noun: string): Array<Sent | Refused> {
	const { properties, required } = writable(body);
	return [...properties].map(([name, shape]) =>
		sent({ name, place: 'body', required: required.includes(name), shape, example: exampleOf(shape) }, noun),
	);
}

/** A parameter's name in the node. @returns nothing where it would have none */
export const fieldNameOf = (name: string) => camelCase(wordsOf(name)).replace(RESERVED, '$&Value');

function sent({ name, place, required, shape, example }: Omit<Sent, 'description' | 'field'>, noun: string): Sent | Refused {
	const words = wordsOf(name);
	const fieldName = fieldNameOf(name);
	const typed = fieldTypeOf(shape, fieldName);
	const no = (why: string) => ({ why: `${shown(name)} ${why}`, required });
	if (name === '__proto__' || name.startsWith('=') || fieldName === '') return no('is no name for a field');
	if (!typed) return no('has no type that a field can have');
	const { default: preset, parse, ...entry } = typed;
	const { type } = entry;
	const meaning = sentenceOf(shape.description) || `${capitalized(inSentence(words))} of the ${noun}`;
	const isList = type === 'string' && shape.type === 'array';
	const entered = isList ? (example as unknown[]).join(', ') : typeof example === 'string' ? example : JSON.stringify(example);
	const whether = `Whether to ${meaning.replace(/^(?:whether(?: or not)?(?: to)?|if|indicates|determines)\s+/i, '')}`;
	const field: DraftField = {
		displayName: titleCase(words),
		name: fieldName,
		...entry,
		...(required && { required }),
		default: preset,
		...(type !== 'options' && type !== 'boolean' && { placeholder: `e.g. ${entered}` }),
		description: type === 'boolean' ? whether : meaning.replace(/[.!?]$/, '') + (isList ? '. Separate several with commas.' : ''),
		...(place === 'path' ? { pathSegment: true } : { routing: { send: { type: place, property: name } } }),
		// Checked so that it can't change the path.
		parse: place === 'path' && parse.text === 'text' ? new Code('identifier') : parse,
	};
	return { name: place === 'path' ? fieldName : name, place, required, shape, description: meaning, example, field };
}

/** The field's type in n8n, and its parser. @returns undefined for what has no type, or values that n8n would evaluate */
function fieldTypeOf(shape: Shape, name: string): Pick<DraftField, 'type' | 'default' | 'typeOptions' | 'options' | 'parse'> | undefined {
	const { type, enum: choices, format = '', minimum: min, maximum: max, items, default: preset } = shape;
	if (choices) {
		if (choices.some((value) => String(value).startsWith('='))) return undefined;
		const labels = choices.map((value) => titleCase(wordsOf(String(value))));
		const areClear = type === 'string' && !labels.includes('') && new Set(labels).size === labels.length;
		const options = choices.map((value, index) => ({ name: areClear ? labels[index]! : String(value), value }));
		options.sort((a, b) => a.name.localeCompare(b.name));
		const first = choices.includes(preset as string) ? preset : options[0]?.value;
		return { type: 'options', options, default: first, parse: call('oneOf', ...choices) };
	}
	if (type === 'boolean') return { type, default: preset === true, parse: new Code('boolean') };
	if (type === 'integer' || type === 'number') {
		if (min !== undefined && max !== undefined && min > max) return undefined;
		const whole = type === 'integer' || undefined;
		const isId = whole && min === undefined && max === undefined && wordsOf(name).includes('id');
		const isUsual = whole && max !== undefined && (min ?? -1) >= 0;
		const parse = isId ? new Code('integer') : isUsual ? call('integerBetween', min, max) : call('numberWithin', { min, max, whole });
		return { type: 'number', typeOptions: { numberPrecision: whole ? 0 : 6, minValue: min, maxValue: max }, default: null, parse };
	}
	if (type === 'array') {
		const inner = items?.type && !/object|array/.test(items.type) ? fieldTypeOf(items, name)?.parse : undefined;
		if (!inner) return { type: 'json', default: '', parse: new Code('jsonArray') };
		return { type: 'string', default: '', parse: new Code(`listOf(${inner.text})`, ['listOf', ...inner.uses]) };
	}
	if (type === 'object') return { type: 'json', default: '', parse: new Code('jsonObject') };
	if (!type || 'contentMediaType' in shape) return undefined;
	const isSecret = /password|secret|token/i.test(name) || format === 'password';
	const parse = format === 'date' ? call('dateOf') : format === 'date-time' ? call('dateOf', { withTime: true }) : new Code('text');
	const typeOptions = isSecret && { typeOptions: { password: true } };
	return { type: format === 'date' ? 'dateTime' : 'string', ...typeOptions, default: '', parse };
}

const call = (parser: string, ...values: unknown[]) =>
	new Code(`${parser}(${values.map((value) => JSON.stringify(value)).join(', ')})`, [parser]);
