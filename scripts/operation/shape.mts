import type { OpenAPIV3_1 } from 'openapi-types';

type Schema = OpenAPIV3_1.SchemaObject & { items?: object };
const KINDS = ['string', 'integer', 'number', 'boolean', 'object', 'array'] as const;
/** What a value may be: a schema whose combinations are decided. */
export interface Shape {
	kind: (typeof KINDS)[number] | 'undecided';
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
/** Values that are described below the first level: a document may have thousands. */
const MAX_VALUES = 300;

/** What a schema stands for: `allOf` is merged, `oneOf` and `anyOf` are decided where a rule can; 'undecided' otherwise. */
export function shapeOf(given: object = {}, depth = 0, left = { values: MAX_VALUES }): Shape {
	const { allOf, oneOf, anyOf, properties: named, items, additionalProperties, ...schema } = given as Schema;
	const isDescribed = depth < MAX_DEPTH && (depth < 2 || left.values-- > 0);
	const within = (inner: object) => shapeOf(inner, depth + 1, left);
	const inside = (all: object[] = []) => (isDescribed ? all.map(within) : []);
	const either = (oneOf ?? anyOf ?? []) as Schema[];
	const branches = inside(either).filter((branch) => branch.schema.type !== 'null');
	const parts = [...inside(allOf), ...(branches.length > 0 ? [decided(branches)] : [])];
	const types = [schema.type ?? []].flat() as string[];
	const values = (schema.enum ?? ('const' in schema ? [schema.const] : undefined))?.filter((value) => value !== null) as
		unknown[] | undefined;
	const implied = named || additionalProperties ? 'object' : items ? 'array' : values ? typeof values[0] : undefined;
	const properties = new Map(parts.flatMap((part) => [...part.properties]));
	for (const [name, property] of isDescribed ? Object.entries(named ?? {}) : []) properties.set(name, within(property));
	properties.delete('__proto__');
	const choices = values?.filter((value): value is string | number => ['string', 'number'].includes(typeof value));
	const [kept] = [choices, ...parts.map((part) => part.choices)].filter((all) => all && all.length > 0);
	const listed = isDescribed && items ? within(items) : parts.find((part) => part.items)?.items;
	return {
		kind: KINDS.find((kind) => types.includes(kind) || (types.length === 0 && kind === implied)) ?? parts[0]?.kind ?? 'undecided',
		nullable: types.includes('null') || schema.enum?.includes(null) === true || either.some(({ type }) => type === 'null'),
		schema: Object.assign({}, ...parts.map((part) => part.schema), schema) as Schema,
		...(kept && { choices: kept }),
		properties,
		required: [...parts.flatMap((part) => part.required), ...(schema.required ?? [])].filter((name) => properties.has(name)),
		...(listed && { items: listed }),
	};
}

/** One shape for several: the only one; JSON for objects or lists; the values of all; text for text or number. */
function decided(branches: Shape[]): Shape {
	const [first] = branches as [Shape];
	if (branches.length === 1) return first;
	const kinds = [...new Set(branches.map(({ kind }) => kind))];
	const areTexts = kinds.every((kind) => ['string', 'integer', 'number'].includes(kind));
	const choices =
		kinds.length === 1 && branches.every((branch) => branch.choices) ? branches.flatMap((branch) => branch.choices!) : undefined;
	const kind = kinds.length === 1 ? first.kind : areTexts ? 'string' : 'undecided';
	return { kind, nullable: false, schema: {} as Schema, properties: new Map(), required: [], ...(choices && { choices }) };
}

/** Without what only the service sets. */
export function writable({ properties, required, items, ...shape }: Shape): Shape {
	const left = new Map([...properties].filter(([, { schema }]) => !schema.readOnly).map(([name, each]) => [name, writable(each)]));
	return { ...shape, properties: left, required: required.filter((name) => left.has(name)), ...(items && { items: writable(items) }) };
}

const TEXTS: Record<string, string> = {
	date: '2026-01-31',
	'date-time': '2026-01-31T09:30:00Z',
	email: 'name@example.com',
	uri: 'https://www.example.com',
	url: 'https://www.example.com',
	uuid: '0b9c2625-dc21-4c2e-a3d0-b7b4a1d4a9f5',
};

/** A value that is valid: the document's own example where it is, or one that is made up. */
export function exampleOf({ kind, schema, choices, items, properties }: Shape, given?: unknown): unknown {
	if (choices) return choices.includes(given as string) ? given : (choices.find((each) => each !== '') ?? '');
	if (kind === 'object') return Object.fromEntries([...properties].map(([name, each]) => [name, exampleOf(each)]));
	if (kind === 'array') return items ? [exampleOf(items)] : [];
	if (kind === 'boolean') return true;
	if (kind === 'undecided') return 'text';
	const { minimum: min = -Infinity, maximum: max = Infinity, format = '' } = schema;
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
