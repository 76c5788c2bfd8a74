import type { Field } from '../../nodes/VoiceAdmin/operations/operation';
import type { Found } from './document.mts';
import { exampleOf, isScalar, type Shape, shapeOf } from './shape.mts';
import { camelCase, descriptionOf, isUnsafe, shown, titleCase, withPeriod, wordsOf } from './text.mts';

/** What a person has to replace: lint fails while it is there. */
export const MARKER = 'TODO: ';

export class Code {
	constructor(readonly text: string) {}
}
/** A field before it is written: its parser is code. */
type DraftField = Omit<Field, 'parse' | 'options'> & { parse: Code; options?: object[] };
/** A value that an operation sends, for the node and for sandbox/openapi.yaml. */
export interface Sent {
	/** The API's name, or in a path the field's. */
	name: string;
	place: 'path' | 'query' | 'body';
	required: boolean;
	shape: Shape;
	/** Undefined if no valid one was found. */
	example: unknown;
	field: DraftField;
}
type Value = Pick<Sent, 'name' | 'place' | 'required' | 'shape'>;
type UnsupportedValue = { why: string; required: boolean };

/** Names of the node's own parameters, and one for which n8n's lint rules want a default of 50, which would be sent. */
const RESERVED = /^(?:resource|operation|options|additionalFields|toolDescription|notice|authentication|limit)$/;

/** A parameter's name in the node. @returns '' if there is none */
export const fieldNameOf = (name: string) => camelCase(wordsOf(name)).replace(RESERVED, '$&Value');

export function sentByParameter(parameter: Found['parameters'][number]): Sent | UnsupportedValue {
	const { name, in: place, schema, description, explode = true, examples = {} } = parameter;
	const required = parameter.required === true || place === 'path';
	const shape = { ...shapeOf(schema), ...(description && { description: descriptionOf(description) }) };
	const usual = place === 'path' ? 'simple' : 'form';
	const isList = shape.type === 'array' && place === 'query' && explode && isScalar(shape.items);
	const isPlain = !parameter.content && (parameter.style ?? usual) === usual && (isList || isScalar(shape));
	const no = (why: string) => ({ why: `${shown(name)} is sent in a ${why}`, required });
	if (place !== 'path' && place !== 'query') return no(place);
	if (!isPlain) return no('form that the node does not have');
	const [{ value = parameter.example } = {}] = Object.values(examples) as Array<{ value?: unknown }>;
	return sent({ name, place, required, shape }, value);
}

export const sentInBody = ({ properties, required: all, example }: Shape): Array<Sent | UnsupportedValue> =>
	Object.entries(properties).map(([name, shape]) => {
		const given = (Object(example) as Record<string, unknown>)[name];
		return sent({ name, place: 'body', required: all.includes(name), shape }, given);
	});

function sent(value: Value, given: unknown): Sent | UnsupportedValue {
	const { name, place, required, shape } = value;
	const typed = typeOf(value);
	const [words, fieldName, example] = [wordsOf(name), fieldNameOf(name), exampleOf(shape, given)];
	const no = (reason: string) => ({ why: `${shown(name)} ${reason}`, required });
	if ([name, ...namesIn(shape)].some(isUnsafe)) return no('has a name or a value that n8n would evaluate');
	// A dot would be a path for n8n.
	const isNamed = fieldName !== '' && !(place === 'body' && name.includes('.'));
	if (!typed || !isNamed) return no('has an unsupported type or name');
	const { parse, ...type } = typed;
	const field = {
		displayName: titleCase(words),
		name: fieldName,
		...type,
		...(required && { required }),
		...exampleField(type.type, example, shape),
		...describedBy(shape, type.type, words),
		...(place === 'path' ? { pathSegment: true as const } : { routing: { send: { type: place, property: name } } }),
		parse,
	};
	return { ...value, name: place === 'path' ? fieldName : name, example, field };
}

function describedBy({ description = '' }: Shape, type: string, words: string[]) {
	if (type !== 'boolean' || /^Whether /.test(description)) return description === '' ? {} : { description };
	return { description: `Whether to set ${titleCase(words)}${description && `. ${withPeriod(description)}`}` };
}

/** A placeholder; of JSON a hint, as n8n's lint rules rewrite a placeholder with `"id"`. */
function exampleField(type: string, example: unknown, { pattern = 'the document' }: Shape) {
	if (/options|boolean/.test(type)) return {};
	const text = type === 'json' ? JSON.stringify(example) : String(example);
	const asked = `${MARKER}a value that matches ${pattern.replaceAll('{{', '')}`;
	const placeholder = `e.g. ${example === undefined ? asked : text}`;
	return type === 'json' ? { hint: `JSON, ${placeholder}` } : { placeholder };
}

const namesIn = ({ enum: choices = [], properties, items, default: preset = '' }: Shape): string[] => [
	...[...choices, preset].map(String),
	...Object.entries(properties).flatMap(([name, each]) => [name, ...namesIn(each)]),
	...(items ? namesIn(items) : []),
];

/** The field's type in n8n, and its parser. @returns undefined for unsupported types */
function typeOf({ shape, place, name }: Value): Omit<DraftField, 'displayName' | 'name'> | undefined {
	const { type: kind, format = '', minimum: minValue, maximum: maxValue, default: preset } = shape;
	if (kind === 'boolean') return { type: kind, default: preset === true, parse: new Code('boolean') };
	const choices = (shape.enum as Array<string | number> | undefined)?.filter((value) => value !== '');
	if (choices?.length) {
		const options = choices.map((value) => ({ name: labelOfValue(String(value)), value }));
		options.sort((a, b) => a.name.localeCompare(b.name));
		const first = choices.find((value) => value === preset) ?? options[0]!.value;
		return { type: 'options', options, default: first, parse: call('oneOf', ...choices) };
	}
	if (kind === 'integer' || kind === 'number') {
		const whole = kind === 'integer' || undefined;
		const typeOptions = { numberPrecision: whole ? 0 : 6, minValue, maxValue };
		// integerId rejects the 0 that an empty cell becomes.
		const isId = whole && minValue === undefined && maxValue === undefined && wordsOf(name).at(-1) === 'id';
		const parse = isId ? new Code('integerId') : call('numberWithin', { min: minValue, max: maxValue, whole });
		return { type: 'number', typeOptions, default: null, parse };
	}
	if (kind === 'object') return { type: 'json', default: '', parse: new Code('jsonObject') };
	if (kind === 'array') return { type: 'json', default: '', parse: new Code('jsonArray') };
	if (kind !== 'string' || format === 'binary') return undefined;
	// identifier rejects what could change the path.
	return { type: kind, default: '', parse: new Code(place === 'path' ? 'identifier' : 'text') };
}

/** `in_progress` is "In Progress"; `en-US` and `WAV` stay. */
const labelOfValue = (value: string) => (/^[a-z]+(?:[_ -][a-z]+)*$/.test(value) ? titleCase(wordsOf(value)) : value);

const call = (parser: string, ...values: unknown[]) =>
	new Code(`${parser}(${values.map((value) => JSON.stringify(value)).join(', ')})`);
