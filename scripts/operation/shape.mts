import type { OpenAPIV3_1 } from 'openapi-types';

type Schema = OpenAPIV3_1.SchemaObject & { items?: object };
const KINDS = ['string', 'integer', 'number', 'boolean', 'object', 'array'] as const;
/** What a value may be: a schema whose combinations are decided. */
export interface Shape {
	kind: (typeof KINDS)[number] | 'unsupported';
	nullable: boolean;
	/** Its other keywords. */
	schema: Schema;
	choices?: Array<string | number>;
	properties: Map<string, Shape>;
	required: string[];
	items?: Shape;
}

/** Levels that are described; below them there is JSON. A schema may contain itself. */
const MAX_DEPTH = 5;
/** Values that are described below the second level, and those that are looked at: a document may have thousands. */
const budget = () => ({ described: 300, visited: 20_000 });

/** What a schema stands for: `allOf` is merged, `oneOf` and `anyOf` are decided where a rule can; 'unsupported' otherwise. */
export function shapeOf(given: object = {}, depth = 0, left = budget()): Shape {
	const { allOf, oneOf, anyOf, properties: named, items, additionalProperties, ...schema } = given as Schema;
	const isDescribed = depth < MAX_DEPTH && left.visited > 0 && (depth < 2 || left.described-- > 0);
	const within = (inner: object) => (left.visited-- > 0 ? shapeOf(inner, depth + 1, left) : shapeOf({}, MAX_DEPTH));
	const inside = (all: object[] = []) => (isDescribed ? all.map(within) : []);
	const either = (oneOf ?? anyOf ?? []) as Schema[];
	const branches = inside(either).filter((branch) => branch.schema.type !== 'null');
	const parts = [...inside(allOf), ...(branches.length > 0 ? [decided(branches)] : [])];
	const properties = new Map(parts.flatMap((part) => [...part.properties]));
	for (const [name, property] of isDescribed ? Object.entries(named ?? {}) : []) properties.set(name, within(property));
	properties.delete('__proto__');
	const values = [...new Set(schema.enum ?? ('const' in schema ? [schema.const] : []))].filter((value) => value !== null) as unknown[];
	const types = ([schema.type ?? []].flat() as string[]).filter((type) => type !== 'null');
	const implied = named || additionalProperties ? ['object'] : items ? ['array'] : [...new Set(values.map((value) => typeof value))];
	const kind = kindOf(types.length > 0 ? types : implied) ?? parts[0]?.kind ?? 'unsupported';
	const choices = kind === 'boolean' || values.length === 0 ? parts.find((part) => part.choices)?.choices : values;
	const areGood = choices?.every((value) => typeof value === 'string' || typeof value === 'number') !== false;
	const listed = isDescribed && items ? within(items) : parts.find((part) => part.items)?.items;
	return {
		kind: areGood ? kind : 'unsupported',
		nullable: [schema.type].flat().includes('null') || schema.enum?.includes(null) === true || either.some(({ type }) => type === 'null'),
		schema: Object.assign({}, ...parts.map((part) => part.schema), schema) as Schema,
		...(choices && areGood && { choices: kind === 'string' ? choices.map(String) : (choices as number[]) }),
		properties,
		required: [...parts.flatMap((part) => part.required), ...(schema.required ?? [])],
		...(listed && { items: listed }),
	};
}

/** One kind for several types: text for text or number. */
function kindOf(types: string[]): Shape['kind'] | undefined {
	if (types.length < 2) return KINDS.find((kind) => kind === types[0]);
	return types.every((type) => ['string', 'integer', 'number'].includes(type)) ? 'string' : 'unsupported';
}

/** One shape for several: the only one; JSON for objects or lists; the values of all. */
function decided(branches: Shape[]): Shape {
	const [first] = branches as [Shape];
	if (branches.length === 1) return first;
	const kind = kindOf([...new Set(branches.map((branch) => branch.kind))]) ?? 'unsupported';
	const choices =
		kind === first.kind && branches.every((branch) => branch.choices) ? branches.flatMap((branch) => branch.choices!) : undefined;
	return { kind, nullable: false, schema: {} as Schema, properties: new Map(), required: [], ...(choices && { choices }) };
}

/** Without what only the service sets. */
export function writable({ properties, required, items, ...shape }: Shape): Shape {
	const left = new Map([...properties].filter(([, { schema }]) => !schema.readOnly).map(([name, each]) => [name, writable(each)]));
	return { ...shape, properties: left, required: required.filter((name) => left.has(name)), ...(items && { items: writable(items) }) };
}

/** The bounds of a number, where they are finite. */
export function boundsOf({ type, minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): { min?: number; max?: number } {
	const step = type === 'integer' ? 1 : 0;
	const [min, max] = [minimum ?? Number(exclusiveMinimum ?? NaN) + step, maximum ?? Number(exclusiveMaximum ?? NaN) - step];
	return { ...(Number.isFinite(min) && { min }), ...(Number.isFinite(max) && { max }) };
}

const TEXTS: Record<string, string> = {
	date: '2026-01-31',
	'date-time': '2026-01-31T09:30:00Z',
	email: 'name@example.com',
	uri: 'https://www.example.com',
	uuid: '0b9c2625-dc21-4c2e-a3d0-b7b4a1d4a9f5',
};

/** A value that is valid: the document's own example where it is, or one that is made up. */
export function exampleOf({ kind, schema, choices, items, properties }: Shape, given?: unknown): unknown {
	if (choices) return choices.includes(given as string) ? given : (choices.find((each) => each !== '') ?? '');
	if (kind === 'object') return Object.fromEntries([...properties].map(([name, each]) => [name, exampleOf(each)]));
	if (kind === 'array') return items ? [exampleOf(items)] : [];
	if (kind === 'boolean') return true;
	if (kind === 'unsupported') return 'text';
	const { min = -Infinity, max = Infinity } = boundsOf(schema);
	const format = String(schema.format);
	const known = [given, schema.example, ...[schema.examples ?? []].flat(), schema.default] as unknown[];
	if (kind === 'string') {
		const isPlain = (text: unknown) =>
			typeof text === 'string' && /^[\x21-\x7e](?:[\x20-\x7e]{0,78}[\x21-\x7e])?$/.test(text) && !/[{}]/.test(text);
		return (format.startsWith('date') ? undefined : known.find(isPlain)) ?? TEXTS[format] ?? 'Example';
	}
	const fits = (value: unknown) =>
		typeof value === 'number' && value >= min && value <= max && (kind === 'number' || Number.isSafeInteger(value));
	return [...known, 12, Math.ceil(min), Math.floor(max), 0].find(fits) ?? 0;
}
