/** A schema of OpenAPI 3.1, as far as it is read. */
export interface Schema {
	type?: string | string[];
	enum?: unknown[];
	const?: unknown;
	format?: string;
	minimum?: number;
	maximum?: number;
	exclusiveMinimum?: number;
	properties?: Record<string, Schema>;
	required?: string[];
	items?: Schema;
	additionalProperties?: boolean | Schema;
	allOf?: Schema[];
	oneOf?: Schema[];
	anyOf?: Schema[];
	description?: string;
	example?: unknown;
	examples?: unknown[];
	default?: unknown;
	readOnly?: boolean;
	writeOnly?: boolean;
}

type Kind = 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array' | 'undecided';
/** What a value may be: a schema whose combinations are decided. */
export interface Shape {
	kind: Kind;
	nullable: boolean;
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
const KINDS = ['string', 'integer', 'number', 'boolean', 'object', 'array'];

/** What a schema stands for: `allOf` is merged, `oneOf` and `anyOf` are decided where a rule can; 'undecided' otherwise. */
export function shapeOf(schema: Schema | undefined, depth = 0, left = { values: MAX_VALUES }): Shape {
	const within = (inner: Schema) => shapeOf(inner, depth + 1, left);
	const isDescribed = depth < MAX_DEPTH && (depth < 2 || left.values-- > 0);
	const { allOf = [], oneOf, anyOf, properties: ownProperties, items: ownItems, additionalProperties, ...own } = schema ?? {};
	const branches = (isDescribed ? (oneOf ?? anyOf ?? []) : []).map(within).filter(({ schema: { type } }) => type !== 'null');
	const parts = [...(isDescribed ? allOf : []).map(within), ...(branches.length > 0 ? [decided(branches)] : [])];
	const types = [own.type ?? []].flat();
	const values = (own.enum ?? (own.const === undefined ? undefined : [own.const]))?.filter((value) => value !== null);
	const [kind] = KINDS.filter((each) => types.includes(each) || (types.length === 0 && each === impliedKind(schema, values)));
	const properties = new Map(parts.flatMap((part) => [...part.properties]));
	for (const [name, property] of isDescribed ? Object.entries(ownProperties ?? {}) : []) properties.set(name, within(property));
	properties.delete('__proto__');
	const choices =
		values?.filter((value): value is string | number => ['string', 'number'].includes(typeof value)) ??
		parts.find((part) => part.choices)?.choices;
	return {
		kind: (kind as Kind | undefined) ?? parts[0]?.kind ?? 'undecided',
		nullable: types.includes('null') || own.enum?.includes(null) === true || (oneOf ?? anyOf ?? []).some(({ type }) => type === 'null'),
		schema: Object.assign({}, ...parts.map((part) => part.schema), own) as Schema,
		...(choices && choices.length > 0 && { choices }),
		properties,
		required: [...parts.flatMap((part) => part.required), ...(own.required ?? [])].filter((name) => properties.has(name)),
		...(isDescribed && ownItems ? { items: within(ownItems) } : parts.find((part) => part.items)),
	};
}

function impliedKind({ properties, items, additionalProperties }: Schema = {}, values?: unknown[]): string | undefined {
	if (properties || additionalProperties) return 'object';
	return items ? 'array' : values ? typeof values[0] : undefined;
}

/** One shape for several: the only one; JSON for objects; the values of all for the same kind; text for text or number. */
function decided(branches: Shape[]): Shape {
	const [first] = branches as [Shape];
	const kinds = new Set(branches.map(({ kind }) => kind));
	const nothing = { nullable: false, properties: new Map<string, Shape>(), required: [] };
	if (branches.length === 1) return first;
	if (kinds.size > 1)
		return {
			...nothing,
			kind: [...kinds].every((kind) => ['string', 'integer', 'number'].includes(kind)) ? 'string' : 'undecided',
			schema: {},
		};
	if (first.kind === 'object' || first.kind === 'array') return { ...nothing, kind: first.kind, schema: {} };
	const choices = branches.every((branch) => branch.choices) ? branches.flatMap((branch) => branch.choices ?? []) : undefined;
	return { ...nothing, kind: first.kind, schema: {}, ...(choices && { choices }) };
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
export function exampleOf(shape: Shape, given?: unknown): unknown {
	const { kind, schema, choices, items, properties } = shape;
	if (choices) return choices.includes(given as string) ? given : (choices.find((each) => each !== '') ?? '');
	const { minimum: min = -Infinity, maximum: max = Infinity, format = '' } = schema;
	if (kind === 'object') return Object.fromEntries([...properties].map(([name, each]) => [name, exampleOf(each)]));
	if (kind === 'array') return items ? [exampleOf(items)] : [];
	const known = [given, schema.example, ...(Array.isArray(schema.examples) ? schema.examples : []), schema.default];
	const isNumber = (value: unknown) =>
		typeof value === 'number' && value >= min && value <= max && (kind === 'number' || Number.isSafeInteger(value));
	if (kind === 'integer' || kind === 'number') return known.find(isNumber) ?? [12, Math.ceil(min), Math.floor(max), 0].find(isNumber) ?? 0;
	if (kind === 'boolean') return true;
	const fits = (value: unknown) =>
		typeof value === 'string' &&
		/^[\x20-\x7e]{1,80}$/.test(value) &&
		!/[{}]|^\s|\s$/.test(value) &&
		!(format in TEXTS && format.startsWith('date'));
	return kind === 'undecided' ? 'text' : (known.find(fits) ?? TEXTS[format] ?? 'Example');
}
