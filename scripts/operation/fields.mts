import type { Field } from '../../nodes/VoiceAdmin/operations/operation';
import type { Endpoint } from './document.mts';
import { exampleOf, isScalar, type Shape, shapeOf } from './shape.mts';
import { toCamelCase, descriptionOf, isUnsafe, quote, toTitleCase, addPeriod, wordsOf } from './text.mts';

/** What a person has to replace: lint fails while it is there. */
export const TODO_MARKER = 'TODO: ';

export class Code {
	constructor(readonly text: string) {}
}
/** A field before it is written: its parser is code. */
type DraftField = Omit<Field, 'parse' | 'options'> & { parse: Code; options?: object[] };
/** A value that an operation sends, for the node and for sandbox/openapi.yaml. */
export interface SentValue {
	/** The API's name, or in a path the field's. */
	name: string;
	place: 'path' | 'query' | 'body';
	required: boolean;
	shape: Shape;
	/** Undefined if no valid one was found. */
	example: unknown;
	field: DraftField;
}
type ValueSource = Pick<SentValue, 'name' | 'place' | 'required' | 'shape'>;
type UnsupportedValue = { reason: string; required: boolean };

/** Names of the node's own parameters, and one for which n8n's lint rules want a default of 50, which would be sent. */
const RESERVED = /^(?:resource|operation|options|additionalFields|toolDescription|notice|authentication|limit)$/;

/** A parameter's name in the node. @returns '' if there is none */
export const toFieldName = (name: string) => toCamelCase(wordsOf(name)).replace(RESERVED, '$&Value');

export function createParameterValue(parameter: Endpoint['parameters'][number]): SentValue | UnsupportedValue {
	const { name, in: place, schema, description, explode = true, examples = {} } = parameter;
	const required = parameter.required === true || place === 'path';
	const shape = { ...shapeOf(schema), ...(description && { description: descriptionOf(description) }) };
	const style = place === 'path' ? 'simple' : 'form';
	const isList = shape.type === 'array' && place === 'query' && explode && isScalar(shape.items);
	const isSupported = !parameter.content && (parameter.style ?? style) === style && (isList || isScalar(shape));
	const reject = (problem: string) => ({ reason: `${quote(name)} is sent in a ${problem}`, required });
	if (place !== 'path' && place !== 'query') return reject(place);
	if (!isSupported) return reject('form that the node does not have');
	const [{ value = parameter.example } = {}] = Object.values(examples) as Array<{ value?: unknown }>;
	return createValue({ name, place, required, shape }, value);
}

export const createBodyValues = ({ properties, required: requiredNames, example }: Shape) =>
	Object.entries(properties).map(([name, shape]) => {
		const documentExample = (Object(example) as Record<string, unknown>)[name];
		return createValue({ name, place: 'body', required: requiredNames.includes(name), shape }, documentExample);
	});

function createValue(value: ValueSource, documentExample: unknown): SentValue | UnsupportedValue {
	const { name, place, required, shape } = value;
	const fieldType = fieldTypeOf(value);
	const [words, fieldName, example] = [wordsOf(name), toFieldName(name), exampleOf(shape, documentExample)];
	const reject = (problem: string) => ({ reason: `${quote(name)} ${problem}`, required });
	if ([name, ...listNames(shape)].some(isUnsafe)) return reject('has a name or a value that n8n would evaluate');
	// A dot would be a path for n8n.
	const isNamed = fieldName !== '' && !(place === 'body' && name.includes('.'));
	if (!fieldType || !isNamed) return reject('has an unsupported type or name');
	const { parse, ...type } = fieldType;
	const field = {
		displayName: toTitleCase(words),
		name: fieldName,
		...type,
		...(required && { required }),
		...createPlaceholder(type.type, example, shape),
		...describeField(shape, type.type, words),
		...(place !== 'path' && { routing: { send: { type: place, property: name } } }),
		parse,
	};
	return { ...value, name: place === 'path' ? fieldName : name, example, field };
}

function describeField({ description = '' }: Shape, type: string, words: string[]) {
	if (type !== 'boolean' || /^Whether /.test(description)) return description === '' ? {} : { description };
	return { description: `Whether to set ${toTitleCase(words)}${description && `. ${addPeriod(description)}`}` };
}

/** A placeholder; of JSON a hint, as n8n's lint rules rewrite a placeholder with `"id"`. */
function createPlaceholder(type: string, example: unknown, { pattern = 'the document' }: Shape) {
	if (/options|boolean/.test(type)) return {};
	const text = type === 'json' ? JSON.stringify(example) : String(example);
	const todo = `${TODO_MARKER}a value that matches ${pattern.replaceAll('{{', '')}`;
	const placeholder = `e.g. ${example === undefined ? todo : text}`;
	return type === 'json' ? { hint: `JSON, ${placeholder}` } : { placeholder };
}

const listNames = ({ enum: enumValues = [], properties, items, default: defaultValue = '' }: Shape): string[] => [
	...[...enumValues, defaultValue].map(String),
	...Object.entries(properties).flatMap(([name, each]) => [name, ...listNames(each)]),
	...(items ? listNames(items) : []),
];

/** The field's type in n8n, and its parser. @returns undefined for unsupported types */
function fieldTypeOf({ shape, place, name }: ValueSource): Omit<DraftField, 'displayName' | 'name'> | undefined {
	const { type: schemaType, format = '', minimum: minValue, maximum: maxValue, default: defaultValue } = shape;
	if (schemaType === 'boolean') return { type: schemaType, default: defaultValue === true, parse: new Code('boolean') };
	const enumValues = (shape.enum as Array<string | number> | undefined)?.filter((value) => value !== '');
	if (enumValues?.length) {
		const options = enumValues.map((value) => ({ name: toLabel(String(value)), value }));
		options.sort((a, b) => a.name.localeCompare(b.name));
		const defaultChoice = enumValues.find((value) => value === defaultValue) ?? options[0]!.value;
		return { type: 'options', options, default: defaultChoice, parse: createCall('oneOf', ...enumValues) };
	}
	if (schemaType === 'integer' || schemaType === 'number') {
		const isWhole = schemaType === 'integer' || undefined;
		const typeOptions = { numberPrecision: isWhole ? 0 : 6, minValue, maxValue };
		// integerId rejects the 0 that an empty cell becomes.
		const isId = isWhole && minValue === undefined && maxValue === undefined && wordsOf(name).at(-1) === 'id';
		const parse = isId
			? new Code('integerId')
			: createCall('numberWithin', { min: minValue, max: maxValue, whole: isWhole });
		return { type: 'number', typeOptions, default: null, parse };
	}
	if (schemaType === 'object') return { type: 'json', default: '', parse: new Code('jsonObject') };
	if (schemaType === 'array') return { type: 'json', default: '', parse: new Code('jsonArray') };
	if (schemaType !== 'string' || format === 'binary') return undefined;
	// identifier rejects what could change the path.
	return { type: schemaType, default: '', parse: new Code(place === 'path' ? 'identifier' : 'text') };
}

/** `in_progress` is "In Progress"; `en-US` and `WAV` stay. */
const toLabel = (value: string) => (/^[a-z]+(?:[_ -][a-z]+)*$/.test(value) ? toTitleCase(wordsOf(value)) : value);

const createCall = (parser: string, ...values: unknown[]) =>
	new Code(`${parser}(${values.map((value) => JSON.stringify(value)).join(', ')})`);
