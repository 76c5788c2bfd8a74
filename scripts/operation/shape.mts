import type { OpenAPIV3_1 } from 'openapi-types';
import pluralize from 'pluralize';
import { isObject } from '../../nodes/VoiceAdmin/json';

type Schema = OpenAPIV3_1.SchemaObject & { items?: object };
const TYPES = ['string', 'integer', 'number', 'boolean', 'object', 'array'] as const;
/** A JSON Schema whose allOf, oneOf and anyOf are resolved. */
export interface Shape extends Omit<Schema, 'type' | 'properties'> {
	/** Missing if it is ambiguous: such a value isn't supported. */
	type?: (typeof TYPES)[number] | undefined;
	nullable: boolean;
	enum?: Array<string | number> | undefined;
	properties: Map<string, Shape>;
	required: string[];
	items?: Shape | undefined;
}

/** Deeper levels are plain JSON. A schema may contain itself. */
const MAX_DEPTH = 5;
/** Limits for documents with thousands of schemas: how many below the second level are described, and how many are visited at all. */
const budget = () => ({ described: 300, visited: 20_000 });

/** Simplifies a schema: merges `allOf`, and resolves `oneOf` and `anyOf` if possible. */
export function shapeOf(given: object = {}, depth = 0, left = budget()): Shape {
	const { allOf = [], oneOf = [], anyOf = oneOf, properties: named, items, enum: listed, ...schema } = given as Schema;
	const isDescribed = depth < MAX_DEPTH && left.visited > 0 && (depth < 2 || left.described-- > 0);
	const within = (inner: object) => (left.visited-- > 0 ? shapeOf(inner, depth + 1, left) : shapeOf({}, MAX_DEPTH));
	const isNull = ({ type }: object & { type?: unknown }) => type === 'null';
	const parts = isDescribed
		? [...allOf.map(within), ...decided(anyOf.filter((each) => !isNull(each)).map(within))]
		: [];
	const properties = new Map(parts.flatMap((part) => [...part.properties]));
	for (const [name, property] of isDescribed ? Object.entries(named ?? {}) : []) properties.set(name, within(property));
	properties.delete('__proto__');
	const values = [...new Set(listed ?? ('const' in schema ? [schema.const] : []))].filter(
		(value) => value !== null,
	) as unknown[];
	const types = [schema.type ?? []].flat().filter((type) => type !== 'null');
	const implied =
		named || schema.additionalProperties
			? ['object']
			: items
				? ['array']
				: [...new Set(values.map((value) => typeof value))];
	const type = typeOf(types.length > 0 ? types : implied) ?? parts[0]?.type;
	const choices =
		/^(?:array|boolean|object)$/.test(type ?? '') || values.length === 0
			? parts.find((part) => part.enum)?.enum
			: values;
	const areGood =
		choices?.every(
			(value) => typeof value === 'number' || (typeof value === 'string' && !/^(?:integer|number)$/.test(type ?? '')),
		) !== false;
	const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, ...merged } = Object.assign(
		{},
		...parts,
		schema,
	) as Schema;
	const step = type === 'integer' ? 1 : 0;
	const [min, max] = [
		minimum ?? Number(exclusiveMinimum ?? NaN) + step,
		maximum ?? Number(exclusiveMaximum ?? NaN) - step,
	];
	if (type === 'array') properties.clear();
	return {
		...merged,
		...(Number.isFinite(min) && { minimum: min }),
		...(Number.isFinite(max) && { maximum: max }),
		type: areGood ? type : undefined,
		nullable: [schema.type].flat().includes('null') || listed?.includes(null) === true || anyOf.some(isNull),
		enum:
			areGood && choices
				? (choices as number[]).map((value) => (type === 'string' ? String(value) : value))
				: undefined,
		properties,
		required: [...parts.flatMap((part) => part.required), ...(schema.required ?? [])],
		// Some documents list the values of the elements beside them.
		items:
			isDescribed && items
				? within(type === 'array' && listed ? { enum: listed, ...items } : items)
				: parts.find((part) => part.items)?.items,
	};
}

/** A single type for several: string for strings and numbers. */
function typeOf(types: string[]): Shape['type'] {
	if (types.length === 1) return TYPES.find((type) => type === types[0]);
	return types.length > 1 && types.every((type) => ['string', 'integer', 'number'].includes(type))
		? 'string'
		: undefined;
}

/** A single shape for several alternatives: an object with all properties, a string for strings and numbers, an enum with all values. */
function decided(branches: Shape[]): Shape[] {
	const [first] = branches;
	if (!first || branches.length === 1) return branches;
	if (branches.every((branch) => branch.type === 'object')) {
		const required = first.required.filter((name) => branches.every((branch) => branch.required.includes(name)));
		const names = [...new Set(branches.flatMap(({ properties }) => [...properties.keys()]))];
		const shapes = (name: string) => branches.flatMap(({ properties }) => properties.get(name) ?? []);
		const properties = new Map(names.map((name) => [name, decided(shapes(name))[0]!]));
		return [{ ...shapeOf({}, MAX_DEPTH), type: 'object', properties, required }];
	}
	const type = typeOf([...new Set(branches.map((branch) => branch.type ?? ''))]);
	const areListed = type === first.type && branches.every((branch) => branch.enum);
	return [
		{ ...shapeOf({}, MAX_DEPTH), type, enum: areListed ? branches.flatMap((branch) => branch.enum!) : undefined },
	];
}

/** Removes readOnly properties. */
export function writable({ properties, required, items, ...shape }: Shape): Shape {
	const left = new Map(
		[...properties].filter(([, each]) => !each.readOnly).map(([name, each]) => [name, writable(each)]),
	);
	return {
		...shape,
		properties: left,
		required: required.filter((name) => left.has(name)),
		items: items && writable(items),
	};
}

const TEXTS: Record<string, string> = {
	date: '2026-01-31',
	'date-time': '2026-01-31T09:30:00Z',
	email: 'name@example.com',
	uri: 'https://www.example.com',
	uuid: '0b9c2625-dc21-4c2e-a3d0-b7b4a1d4a9f5',
};

/** A valid value: the document's example if it is valid, or a made-up one. @param isShort only required properties */
export function exampleOf(shape: Shape, given?: unknown, isShort = false): unknown {
	const {
		type,
		format = '',
		enum: choices,
		minimum: min = -Infinity,
		maximum: max = Infinity,
		items,
		properties,
		required,
	} = shape;
	if (choices) return choices.includes(given as string) ? given : (choices.find((each) => each !== '') ?? '');
	if (type === 'object') {
		const documented = [given, shape.example, ...[shape.examples ?? []].flat()].find((each) =>
			/^\{[\x20-\x7e]+\}$/.test(JSON.stringify(each) ?? ''),
		);
		if (properties.size === 0 && documented) return documented;
		const isShown = (name: string, index: number) =>
			!isShort || required.includes(name) || (index === 0 && required.length === 0);
		const kept = [...properties].filter(([name], index) => isShown(name, index));
		return Object.fromEntries(kept.map(([name, each]) => [name, exampleOf(each, undefined, isShort)]));
	}
	if (type === 'array')
		return items ? [exampleOf(items, [given ?? shape.example ?? shape.examples].flat(2)[0], isShort)] : [];
	if (type === 'boolean') return true;
	if (!type) return 'Example';
	const [, inProse = ''] =
		/(?:example|e\.g\.)[:,]? ["'`]?((?!\+?E\.164)[\w+][\w+:/.@-]{0,59}\w)/i.exec(shape.description ?? '') ?? [];
	const said = /[\d@]/.test(inProse) ? [inProse, Number(inProse)] : [];
	const known = [given, shape.example, ...[shape.examples ?? []].flat(), shape.default, ...said] as unknown[];
	if (type === 'string') {
		// ^AC[0-9a-f]{32}$, which many IDs have.
		const [, start, length] =
			/^\^?\(?([A-Z]{2})(?:\|[A-Z]{2})*\)?\[[\w-]+\]\{(\d{1,2})\}\$?$/.exec(shape.pattern ?? '') ?? [];
		const ofPattern = start && start + '0123456789abcdef'.repeat(7).slice(0, Number(length));
		const texts = known.map((value) => (typeof value === 'number' ? String(value) : value));
		const isPlain = (text: unknown) =>
			typeof text === 'string' &&
			/^[\x21-\x7e](?:[\x20-\x7e]{0,78}[\x21-\x7e])?$/.test(text) &&
			!/\{\{|\}\}|^(?:null|string)$/.test(text);
		return (format.startsWith('date') ? undefined : texts.find(isPlain)) ?? TEXTS[format] ?? ofPattern ?? 'Example';
	}
	const numbers = known.map((value) =>
		typeof value === 'string' && /^\d{1,15}(?:\.\d{1,6})?$/.test(value) ? Number(value) : value,
	);
	const fits = (value: unknown) =>
		typeof value === 'number' && value >= min && value <= max && (type === 'number' || Number.isSafeInteger(value));
	return [...numbers, 12, Math.ceil(min), Math.floor(max), 0].find(fits) ?? 0;
}

/** The documented example of a body; in some documents, an object around it has a name of its own. */
export function exampleIn({ example, examples, properties }: Shape): Record<string, unknown> {
	const found = [example, examples].flat().find(isObject) ?? {};
	const [[only, inner] = ['', undefined], ...others] = Object.entries(found);
	return others.length === 0 && isObject(inner) && !properties.has(only) ? inner : found;
}

/** In place of an example that says nothing, one by the value's name. */
export function byName<T extends { example: unknown }>(given: T, words: string[]): T {
	const { example } = given;
	if (example === 'Example') return { ...given, example: exampleByName(words) };
	return Array.isArray(example) && example.join() === 'Example'
		? { ...given, example: [exampleByName(words.map((word) => pluralize.singular(word)))] }
		: given;
}

/** A made-up text for a name: a phone number for `callerNumber`. */
function exampleByName(words: string[]): string {
	const name = words.join(' ');
	const [, text] = EXAMPLES.find(([names]) => names.test(name)) ?? [];
	return text ?? 'Example';
}

const EXAMPLES: Array<[names: RegExp, text: string]> = [
	[
		/\b(?:phones?|mobile|msisdn|caller|callee|fax|phone numbers?|(?:from|to|caller|called) numbers?)$|^(?:to|from)$/,
		'+390612345678',
	],
	[/\be?mails?(?: address(?:es)?)?$/, 'name@example.com'],
	[/\b(?:url|uri|website|webhook)$/, 'https://www.example.com'],
	[/\bcountry(?: code)?$/, 'IT'],
	[/\bcurrency(?: code)?$/, 'EUR'],
	[/\b(?:language|locale)(?: code)?$/, 'en'],
	[/\bdate$/, '2026-01-31'],
];
