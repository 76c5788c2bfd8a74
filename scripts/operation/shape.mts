import type { OpenAPIV3_1 } from 'openapi-types';
import { Failure } from '../bootstrap/failure.mjs';
import { descriptionOf } from './text.mts';

type Schema = OpenAPIV3_1.SchemaObject & { items?: object };
/** What a shape keeps of a schema, beside what it merges. */
const KEPT = /^(?:format|pattern|minimum|maximum|minLength|maxLength|minItems|default|examples?)$/;
/** Of a body, a response or a parameter: layers of allOf that each name the next one twice would take for ever. */
const MAX_SCHEMAS = 10_000;

/** A JSON Schema without allOf, oneOf and anyOf, in the form of OpenAPI 3.1. */
export interface Shape extends Omit<Schema, 'type' | 'properties' | 'items'> {
	/** Missing if it is ambiguous: such a value isn't supported. */
	type?: string | undefined;
	properties: Record<string, Shape>;
	required: string[];
	items?: Shape | undefined;
	/** Whether its properties are all that is known: not of several forms, of what is within itself, and of other properties. */
	isKnown: boolean;
}

export const isScalar = (shape?: Pick<Shape, 'type'>) => /^(?:string|integer|number|boolean)$/.test(shape?.type ?? '');

/**
 * Simplifies a schema. @param hidden what isn't sent @param levels of objects and lists that are described
 * @param above the schemas that it is within @param count of those seen so far
 * @throws Failure if there are too many
 */
export function shapeOf(
	given?: object,
	hidden = 'readOnly',
	levels = 4,
	above: object[] = [],
	count = { schemas: 0 },
): Shape {
	count.schemas += 1;
	if (count.schemas > MAX_SCHEMAS) throw new Failure(`its body or response has over ${MAX_SCHEMAS} schemas`);
	// In OpenAPI 3.1, true and false are schemas.
	const schema = Object(given) as Schema & Record<string, unknown>;
	const { allOf = [], oneOf = [], anyOf = [], properties = {}, items, description } = schema;
	const either = [...oneOf, ...anyOf];
	const isCut = levels < 0 || above.includes(schema);
	const inside = (left: number) => (each: object) =>
		shapeOf(each, hidden, isCut ? -1 : left, [...above, schema], count);
	const forms = either.filter((each) => (each as Schema).type !== 'null').map(inside(levels));
	const parts = [...allOf.map(inside(levels)), ...(forms.length === 1 ? forms : [])];
	const seen = Object.entries(properties).filter(
		([name, each]) => name !== '__proto__' && Object(each)[hidden] !== true,
	);
	const own = isCut ? [] : seen.map(([name, each]) => [name, inside(levels - 1)(each)]);
	const all = Object.assign({}, ...parts.map((each) => each.properties), Object.fromEntries(own)) as typeof properties;
	const choices = (schema.enum ?? ('const' in schema ? [schema.const] : undefined))?.filter((each) => each !== null);
	const implied = seen.length > 0 || 'additionalProperties' in schema ? ['object'] : items ? ['array'] : [];
	const named = [schema.type].flat().filter((each) => each !== undefined && each !== 'null');
	const types = [named, (choices ?? []).map((each) => typeof each), implied].find((each) => each.length > 0);
	const [type, ...otherTypes] = new Set(
		types ?? [...parts.filter((each) => each.type), ...forms].map((each) => each.type),
	);
	const valueType = type === 'integer' ? 'number' : type;
	const isClear = otherTypes.length === 0 && (choices ?? []).every((each) => typeof each === valueType);
	const isOpen = !/^(?:string|undefined)$/.test(String(Object(schema.additionalProperties).type));
	const kept = Object.entries(schema).filter(([name]) => KEPT.test(name));
	const required = [...parts.flatMap((each) => each.required), ...[schema.required ?? []].flat()];
	return {
		...Object.assign({}, ...parts, Object.fromEntries(kept)),
		...(description && { description: descriptionOf(description) }),
		type: isClear ? type : undefined,
		...(choices && { enum: choices }),
		properties: type === 'object' ? all : {},
		required: [...new Set(required)].filter((name) => type === 'object' && name in all),
		...(items && !isCut && { items: inside(levels - 1)(items) }),
		isKnown: forms.length < 2 && !(isCut && seen.length > 0) && !isOpen && parts.every((each) => each.isKnown),
	};
}

const TEXTS = new Map([
	['date', '2026-01-31'],
	['date-time', '2026-01-31T09:30:00Z'],
	['uuid', '0b9c2625-dc21-4c2e-a3d0-b7b4a1d4a9f5'],
]);

/**
 * A valid value: the document's example, or a made-up one. @returns undefined if none was found
 * @param isWhole of a response: with all properties
 */
export function exampleOf(shape: Shape, given?: unknown, isWhole = false): unknown {
	const { items, properties, required, minimum = 0, minLength = 0 } = shape;
	const kind = shape.type;
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
	const text = TEXTS.get(shape.format ?? '');
	const made = shape.pattern ? [] : ['Example'.padEnd(Math.min(minLength, 80), 'e'), 12, Math.ceil(minimum)];
	const lenient = kind === 'string' ? 'Example' : 0;
	return [text, ...known, ...made].find((value) => fits(shape, value)) ?? (isWhole ? lenient : undefined);
}

/** Whether a text or a number is valid, as far as its type and range say, and can be shown as a placeholder. */
function fits(shape: Shape, value: unknown): boolean {
	const { minLength = 0, maxLength = 80, minimum = -Infinity, maximum = Infinity } = shape;
	const kind = shape.type;
	if (kind === 'integer' && !Number.isSafeInteger(value)) return false;
	if (typeof value === 'number') return kind !== 'string' && value >= minimum && value <= maximum;
	if (kind !== 'string' || typeof value !== 'string' || /\{\{|\}\}/.test(value)) return false;
	return value.length >= minLength && value.length <= maxLength && /^[!-~](?:[ -~]{0,78}[!-~])?$/.test(value);
}
