import type { Field } from '../../nodes/VoiceAdmin/operations/operation';
import type { Parameter } from './document.mts';
import { camelCase, descriptionOf, labelsOf, shown, titleCase, whetherOf, withPeriod, wordsOf } from './english.mts';
import { byName, exampleIn, exampleOf, type Shape, shapeOf, writable } from './shape.mts';

/** TypeScript code in place of a value. uses: the parsers that it calls */
export class Code {
	constructor(
		readonly text: string,
		readonly uses = [text],
	) {}
}
/** A field before it is written: its parser is code. */
type DraftField = Omit<Field, 'parse' | 'options' | 'default'> & { parse: Code; options?: unknown[]; default: unknown };
/** A value that an operation sends, for the node and for sandbox/openapi.yaml. */
export interface Sent {
	name: string;
	place: 'path' | 'query' | 'body';
	required: boolean;
	shape: Shape;
	description: string;
	example: unknown;
	/** OpenAPI's explode: whether a list in the query repeats its name for each value; otherwise, commas separate the values. */
	explode: boolean;
	field: DraftField;
}

/** Names of the node's own parameters. */
const RESERVED =
	/^(?:resource|operation|options|additionalFields|requestOptions|toolDescription|notice|authentication)$/;

/** In characters. */
const MAX_PLACEHOLDER = 115;
/** n8n's lint rules rewrite it in a placeholder, such as `{"id":1}`. */
const REWRITTEN = /\b[Ii]ds?\b/;
/** Control and format characters, which nobody types in names or values, and which terminals and editors may interpret. */
const UNSEEN = /[\p{Cc}\p{Cf}]/u;

/** Why no field can send a value. */
interface UnsupportedValue {
	why: string;
	required: boolean;
}

export function sentByParameter(parameter: Parameter): Sent | UnsupportedValue {
	const {
		name,
		in: place,
		required = false,
		schema,
		description,
		examples,
		style = 'form',
		explode = true,
		content,
		deprecated,
	} = parameter;
	const no = (why: string) => ({ why: `${shown(name).slice(1, -1)} is ${why}`, required });
	if (!required && (deprecated || isForNobody(description))) return no('deprecated or internal');
	if (place === 'cookie' || place === 'header') return no(`sent in a ${place}`);
	const shape = shapeOf({ ...schema, ...(description && { description }) });
	if (content || shape.type === 'object') return no(`an object in the ${place}`);
	const isSimple = shape.items?.type !== undefined && !/object|array/.test(shape.items.type);
	if (shape.type === 'array' && (place === 'path' || style !== 'form' || !isSimple))
		return no('a list that is sent neither with commas nor with its name repeated');
	const sentIn = place as Sent['place'];
	const [{ value: given } = {}] = Object.values(examples ?? {}) as Array<{ value?: unknown }>;
	return sent({
		name,
		place: sentIn,
		required: required || place === 'path',
		shape,
		example: exampleOf(shape, given),
		explode,
	});
}

/** The properties of a JSON body. */
export function sentInBody(body: Shape): Array<Sent | UnsupportedValue> {
	const { properties, required } = writable(body);
	const documented = exampleIn(body);
	return [...properties].map(([name, shape]) =>
		(shape.deprecated || isForNobody(shape.description)) && !required.includes(name)
			? { why: `${shown(name)} is deprecated or internal`, required: false }
			: sent({
					name,
					place: 'body',
					required: required.includes(name),
					shape,
					example: exampleOf(shape, documented[name]),
					explode: true,
				}),
	);
}

/** Whether a description says that a value is deprecated, or only for the provider's own use. */
const isForNobody = (description?: string) =>
	/^\W*(?:for )?internal use|internal use only|^\W*deprecated|^(?:an? |the )?read-only\b|this field has been (?:deprecated|replaced)/i.test(
		descriptionOf(description),
	) || /\((?:read[- ]?only|deprecated)/i.test(description ?? '');

/** A parameter's name in the node. @returns '' if there is none */
export const fieldNameOf = (name: string) => camelCase(wordsOf(name)).replace(RESERVED, '$&Value');

function sent({
	name,
	place,
	required,
	explode,
	...given
}: Omit<Sent, 'description' | 'field'>): Sent | UnsupportedValue {
	const words = wordsOf(name);
	const fieldName = fieldNameOf(name);
	const { shape, example, placeholder } = inShort(byName(given, words));
	const typed = fieldTypeOf(shape, fieldName);
	const no = (why: string) => ({ why: `${shown(name)} ${why}`, required });
	if (name === '__proto__' || name.startsWith('=') || UNSEEN.test(name) || fieldName === '')
		return no("can't be a field's name");
	if (!typed) return no('has an unsupported type');
	const { default: preset, parse, ...entry } = typed;
	const { type } = entry;
	const said = descriptionOf(shape.description, shape.type === 'boolean');
	// One that repeats the label says nothing.
	const meaning =
		wordsOf(said.replace(/^(?:the|an?) /i, '')).join(' ') === words.join(' ') || /^(?:optional|required)$/i.test(said)
			? ''
			: said;
	const isList = type === 'string' && shape.type === 'array';
	const sentences = [
		...(meaning ? [isList ? withPeriod(meaning) : meaning] : []),
		...(isList ? ['Separate several with commas.'] : []),
	].join(' ');
	const field: DraftField = {
		displayName: titleCase(labelWords(words), said),
		name: fieldName,
		...entry,
		...(required && { required }),
		default: preset,
		...(type !== 'options' &&
			type !== 'boolean' && { placeholder: `e.g. ${isList ? (example as unknown[]).join(', ') : placeholder}` }),
		...(type === 'boolean'
			? { description: whetherOf(words, meaning) }
			: sentences && {
					description: isList || /[.!?] /.test(sentences) ? withPeriod(sentences) : sentences.replace(/\.$/, ''),
				}),
		...(place === 'path' ? { pathSegment: true } : { routing: { send: { type: place, property: name } } }),
		// identifier rejects what could change the path.
		parse:
			place === 'path' && parse.text === 'text' ? new Code('identifier') : isList && !explode ? inCommas(parse) : parse,
	};
	return {
		name: place === 'path' ? fieldName : name,
		place,
		required,
		shape,
		description: meaning,
		example,
		explode,
		field,
	};
}

const COMPARISONS = new Map(
	Object.entries({
		gt: 'greater than',
		gte: 'at least',
		lt: 'less than',
		lte: 'at most',
		eq: 'equal to',
		ne: 'not equal to',
	}),
);

/** The words of a label: `filter[price][gte]` is "Price at Least". */
function labelWords(words: string[]): string[] {
	const [first, ...others] = words
		.flatMap((word) => word.replace(/^(address|line|name|phone|street|tel)(?=\d$)/, '$1 ').split(' '))
		.flatMap((word, index) => (index === words.length - 1 ? (COMPARISONS.get(word)?.split(' ') ?? word) : word));
	return first === 'filter' && others.length > 0 ? others : [first!, ...others];
}

/**
 * Shortens an example for a placeholder. An object or list that is too long, or that n8n's lint rules would rewrite, is reduced
 * to its first property that fits; the sandbox then doesn't require the others.
 */
function inShort({
	shape,
	example,
}: Pick<Sent, 'shape' | 'example'>): Pick<Sent, 'shape' | 'example'> & { placeholder: string } {
	const isGood = (text: string) =>
		text.length <= MAX_PLACEHOLDER && !REWRITTEN.test(text) && !/^\[?\{\}\]?$/.test(text);
	if (typeof example !== 'object' || example === null) {
		const value = isGood(String(example)) ? example : 'Example';
		return { shape, example: value, placeholder: String(value) };
	}
	const isPlain = Array.isArray(example) && example.every((each) => typeof each !== 'object');
	const short = isPlain ? example : exampleOf(shape, undefined, true);
	if (isGood(JSON.stringify(short))) return { shape, example: short, placeholder: JSON.stringify(short) };
	const object = shape.items ?? shape;
	const only = [...object.properties].map(([name, each]) => ({ [name]: exampleOf(each, undefined, true) }));
	const value = [...only, { key: 'value' }].find((each) => isGood(JSON.stringify([each])))!;
	const loose = { ...object, required: [] };
	const [taken, made] = shape.items ? [{ ...shape, items: loose }, [value]] : [loose, value];
	return { shape: taken, example: made, placeholder: JSON.stringify(made) };
}

const inCommas = ({ text, uses }: Code) => new Code(`commaSeparated(${text})`, ['commaSeparated', ...uses]);

/** The field's type in n8n, and its parser. @returns undefined for unsupported types, and choices that n8n would evaluate as expressions */
function fieldTypeOf(
	shape: Shape,
	name: string,
): Pick<DraftField, 'type' | 'default' | 'typeOptions' | 'options' | 'parse'> | undefined {
	const { type, enum: choices, format = '', minimum: min, maximum: max, items, default: preset } = shape;
	if (choices) {
		if (choices.some((value) => /^=/.test(String(value)) || UNSEEN.test(String(value)))) return undefined;
		const given = namesIn(shape, choices.length);
		const labels = given ? given.map((each) => titleCase(wordsOf(each), each)) : labelsOf(choices.map(String));
		const areClear = (given ?? type === 'string') && !labels.includes('') && new Set(labels).size === labels.length;
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
		const parse = isId
			? new Code('integer')
			: isUsual
				? call('integerBetween', min, max)
				: call('numberWithin', { min, max, whole });
		return {
			type: 'number',
			typeOptions: { numberPrecision: whole ? 0 : 6, minValue: min, maxValue: max },
			default: null,
			parse,
		};
	}
	if (type === 'array') {
		const inner = items?.type && !/object|array/.test(items.type) ? fieldTypeOf(items, name)?.parse : undefined;
		if (!inner) return { type: 'json', default: '', parse: new Code('jsonArray') };
		return { type: 'string', default: '', parse: new Code(`listOf(${inner.text})`, ['listOf', ...inner.uses]) };
	}
	if (type === 'object') return { type: 'json', default: '', parse: new Code('jsonObject') };
	if (!type || 'contentMediaType' in shape) return undefined;
	const isSecret =
		/password|secret|token|cvv|cvc|security ?code|card ?(?:number|swipe)/i.test(name) || format === 'password';
	const parse =
		format === 'date' ? call('dateOf') : format === 'date-time' ? call('dateOf', { withTime: true }) : new Code('text');
	const typeOptions = isSecret && { typeOptions: { password: true } };
	return { type: format === 'date' ? 'dateTime' : 'string', ...typeOptions, default: '', parse };
}

/** What some documents call the values of an enum. */
function namesIn(shape: object, count: number): string[] | undefined {
	const all = shape as Record<string, unknown>;
	const names = all['x-enum-varnames'] ?? all['x-enum-descriptions'] ?? all['x-enumNames'];
	const areNames =
		Array.isArray(names) &&
		names.length === count &&
		names.every((each) => typeof each === 'string' && /^[\w ()-]{1,40}$/.test(each));
	return areNames ? (names as string[]) : undefined;
}

const call = (parser: string, ...values: unknown[]) =>
	new Code(`${parser}(${values.map((value) => JSON.stringify(value)).join(', ')})`, [parser]);
