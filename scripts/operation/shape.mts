import type { OpenAPIV3_1 } from 'openapi-types';
import { descriptionOf } from './text.mts';

type Schema = OpenAPIV3_1.SchemaObject & { items?: object; nullable?: boolean };
/** What a shape keeps of a schema, beside what it merges. */
const KEPT = 'format pattern minLength maxLength minItems default deprecated example examples'.split(' ');

/** A JSON Schema without allOf, oneOf and anyOf, in the form of OpenAPI 3.1. */
export interface Shape extends Omit<Schema, 'type' | 'properties' | 'items'> {
	/** Missing if it is ambiguous: such a value isn't supported. */
	type?: string | string[];
	properties: Record<string, Shape>;
	required: string[];
	items?: Shape | undefined;
	/** Whether its properties are all that is known: not of several forms, of what is within itself, and of other properties. */
	isKnown: boolean;
}

/** The type of a shape's values that are not null. */
export const kindOf = (shape?: Pick<Shape, 'type'>) => [shape?.type].flat()[0];

/** Whether a shape's values are texts, numbers or booleans. */
export const isScalar = (shape?: Pick<Shape, 'type'>) =>
	/^(?:string|integer|number|boolean)$/.test(kindOf(shape) ?? '');

/** Simplifies a schema. @param hidden what isn't sent @param levels of objects and lists that are described */
export function shapeOf(given?: object, hidden = 'readOnly', levels = 4, above: object[] = []): Shape {
	// In OpenAPI 3.1, true and false are schemas.
	const schema = Object(given) as Schema & Record<string, unknown>;
	const { allOf = [], oneOf = [], anyOf = [], properties = {}, items, description } = schema;
	const either = [...oneOf, ...anyOf];
	const isCut = levels < 0 || above.includes(schema);
	const inside = (left: number) => (each: object) => shapeOf(each, hidden, isCut ? -1 : left, [...above, schema]);
	const forms = either.filter((each) => (each as Schema).type !== 'null').map(inside(levels));
	const parts = [...allOf.map(inside(levels)), ...(forms.length === 1 ? forms : [])];
	const seen = Object.entries(properties).filter(
		([name, each]) => name !== '__proto__' && Object(each)[hidden] !== true,
	);
	const own = isCut ? [] : seen.map(([name, each]) => [name, inside(levels - 1)(each)]);
	const all = parts.reduce<Shape['properties']>((before, each) => ({ ...before, ...each.properties }), {});
	Object.assign(all, Object.fromEntries(own));
	const values = schema.enum ?? ('const' in schema ? [schema.const] : undefined);
	const implied = seen.length > 0 || 'additionalProperties' in schema ? ['object'] : items ? ['array'] : [];
	const listed = values?.filter((each) => each !== null);
	const named = [schema.type].flat().filter((each) => each !== undefined && each !== 'null');
	const types = [named, (listed ?? []).map((each) => typeof each), implied].find((each) => each.length > 0);
	const type = typeOf(types ?? [...parts, ...forms].map(kindOf));
	const choices = listed ?? parts.find((each) => each.enum)?.enum;
	const isListed = choices?.every((each) => typeof each === (type === 'integer' ? 'number' : type)) ?? true;
	const isNullable = schema.nullable || [schema.type].flat().includes('null') || forms.length < either.length;
	const isOpen = !/^(?:string|undefined)$/.test(String(Object(schema.additionalProperties).type));
	const kept = [...KEPT.filter((name) => name in schema).map((name) => [name, schema[name]]), ...boundsOf(schema)];
	const required = [...parts.flatMap((each) => each.required), ...[schema.required ?? []].flat()];
	return {
		...Object.assign({}, ...parts, Object.fromEntries(kept)),
		...(description && { description: descriptionOf(description) }),
		...(isListed && type && { type: isNullable ? [type, 'null'] : type }),
		...(isListed && choices && type !== 'boolean' && { enum: choices }),
		properties: type === 'object' ? all : {},
		required: [...new Set(required)].filter((name) => type === 'object' && name in all),
		...(items && !isCut && { items: inside(levels - 1)(items) }),
		...(forms.length > 1 && !('example' in schema) && { example: exampleOf(forms[0]!) }),
		isKnown: forms.length < 2 && !(isCut && seen.length > 0) && !isOpen && parts.every((each) => each.isKnown),
	};
}

/** The least and the greatest number. In OpenAPI 3.0, exclusiveMinimum is a boolean. */
function boundsOf({ type, minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): Array<[string, number]> {
	const bound = (limit: number | undefined, exclusive: unknown, step: number) =>
		exclusive === true ? limit! + step : typeof exclusive === 'number' ? exclusive + step : limit;
	const step = type === 'integer' ? 1 : 1e-6;
	const bounds = { minimum: bound(minimum, exclusiveMinimum, step), maximum: bound(maximum, exclusiveMaximum, -step) };
	return Object.entries(bounds).filter((each): each is [string, number] => each[1] !== undefined);
}

/** A single type for several: text for texts and numbers. */
function typeOf(types: Array<string | undefined>): string | undefined {
	const all = [...new Set(types)];
	if (all.length <= 1) return all[0];
	const areScalar = all.every((type) => ['string', 'integer', 'number'].includes(type ?? ''));
	return areScalar ? (all.includes('string') ? 'string' : 'number') : undefined;
}

const TEXTS = new Map([
	['date', '2026-01-31'],
	['date-time', '2026-01-31T09:30:00Z'],
	['email', 'name@example.com'],
	['uri', 'https://www.example.com'],
	['uuid', '0b9c2625-dc21-4c2e-a3d0-b7b4a1d4a9f5'],
]);
/** Tried where a text has a pattern or a length. */
const HEX = '0123456789abcdef0123456789abcdef';
const OTHERS = ['Example', '+390612345678', 'IT', 'EUR', '1', '123456789012', HEX];

/**
 * A valid value: the document's example, or a made-up one. @returns undefined if none was found
 * @param isWhole of a response: with all properties
 */
export function exampleOf(shape: Shape, given?: unknown, isWhole = false): unknown {
	const { items, properties, required, minimum = 0, minLength = 0 } = shape;
	const kind = kindOf(shape);
	const known = [given, shape.example, ...[shape.examples ?? []].flat(), shape.default];
	if (shape.enum) return known.find((value) => shape.enum!.includes(value)) ?? shape.enum[0];
	if (kind === 'boolean') return true;
	if (kind === 'array') {
		const item = items?.type ? exampleOf(items, [given ?? shape.example].flat()[0], isWhole) : { key: 'value' };
		return item === undefined || ((shape.minItems ?? 0) > 1 && !isWhole) ? undefined : [item];
	}
	if (kind === 'object') {
		const documented = Object(
			known.find((value) => typeof value === 'object' && value !== null),
		) as Shape['properties'];
		const all = Object.keys(properties);
		const names = isWhole ? all : required.length > 0 ? required : all.slice(0, 1);
		const made = names.map((name) => [name, exampleOf(properties[name]!, documented[name], isWhole)] as const);
		const hasOwn = Object.keys(documented).length > 0 && !JSON.stringify(documented).includes('{{');
		if (!isWhole && !shape.isKnown) return hasOwn ? documented : undefined;
		if (!isWhole && made.some(([, value]) => value === undefined)) return undefined;
		return names.length > 0 ? Object.fromEntries(made) : { key: 'value' };
	}
	// ^AC[0-9a-f]{32}$, which many IDs have.
	const [, prefix = ''] = /^\^(\w*)/.exec(shape.pattern ?? '') ?? [];
	const long = ['0', 'Example '].map((text) => text.repeat(minLength).slice(0, minLength)).concat(prefix + HEX);
	const made = [
		TEXTS.get(shape.format ?? ''),
		...known,
		...OTHERS,
		...TEXTS.values(),
		...long,
		12,
		Math.ceil(minimum),
		0,
	];
	const lenient = kind === 'string' ? 'Example' : 0;
	return made.find((value) => fits(shape, value)) ?? (isWhole ? lenient : undefined);
}

/** Whether a text or a number is valid, and can be shown as a placeholder. */
function fits(shape: Shape, value: unknown): boolean {
	const { pattern = '', minLength = 0, maxLength = 80, minimum = -Infinity, maximum = Infinity } = shape;
	const kind = kindOf(shape);
	if (typeof value === 'number')
		return (
			value >= minimum && value <= maximum && (kind === 'number' || (kind === 'integer' && Number.isSafeInteger(value)))
		);
	const isPlain = kind === 'string' && typeof value === 'string' && /^[!-~](?:[ -~]*[!-~])?$/.test(value);
	const hasLength = isPlain && value.length >= minLength && value.length <= maxLength;
	return hasLength && !/\{\{|\}\}/.test(value) && new RegExp(pattern).test(value);
}
