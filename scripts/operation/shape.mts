import type { OpenAPIV3_1 } from 'openapi-types';
import { Failure } from '../bootstrap/failure.mjs';
import { descriptionOf } from './text.mts';

type Schema = OpenAPIV3_1.SchemaObject & { items?: object };
/** What a shape keeps of a schema, beside what it merges. */
const COPIED_KEYWORDS = /^(?:format|pattern|minimum|maximum|minLength|maxLength|minItems|default|examples?)$/;
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
 * Simplifies a schema. @param hiddenKeyword what isn't sent @param levels of objects and lists that are described
 * @param parents the schemas that it is within @param count of those seen so far
 * @throws Failure if there are too many
 */
export function shapeOf(
	source?: object,
	hiddenKeyword = 'readOnly',
	levels = 4,
	parents: object[] = [],
	count = { schemas: 0 },
): Shape {
	count.schemas += 1;
	if (count.schemas > MAX_SCHEMAS) throw new Failure(`its body or response has over ${MAX_SCHEMAS} schemas`);
	// In OpenAPI 3.1, true and false are schemas.
	const schema = Object(source) as Schema & Record<string, unknown>;
	const { allOf = [], oneOf = [], anyOf = [], properties = {}, items, description } = schema;
	const isCut = levels < 0 || parents.includes(schema);
	const toShape = (remainingLevels: number) => (each: object) =>
		shapeOf(each, hiddenKeyword, isCut ? -1 : remainingLevels, [...parents, schema], count);
	const forms = [...oneOf, ...anyOf].filter((each) => (each as Schema).type !== 'null').map(toShape(levels));
	const parts = [...allOf.map(toShape(levels)), ...(forms.length === 1 ? forms : [])];
	const entries = Object.entries(properties).filter(
		([name, each]) => name !== '__proto__' && Object(each)[hiddenKeyword] !== true,
	);
	const own = Object.fromEntries(isCut ? [] : entries.map(([name, each]) => [name, toShape(levels - 1)(each)]));
	const allProperties = Object.assign({}, ...parts.map((each) => each.properties), own) as typeof properties;
	const enumValues = (schema.enum ?? ('const' in schema ? [schema.const] : undefined))?.filter((each) => each !== null);
	const impliedTypes = entries.length > 0 || 'additionalProperties' in schema ? ['object'] : items ? ['array'] : [];
	const ownTypes = [schema.type].flat().filter((each) => each !== undefined && each !== 'null');
	const types = [ownTypes, (enumValues ?? []).map((each) => typeof each), impliedTypes].find((each) => each.length > 0);
	const [type, ...otherTypes] = new Set(
		types ?? [...parts.filter((each) => each.type), ...forms].map((each) => each.type),
	);
	const valueType = type === 'integer' ? 'number' : type;
	const isClear = otherTypes.length === 0 && (enumValues ?? []).every((each) => typeof each === valueType);
	const isOpen = !/^(?:string|undefined)$/.test(String(Object(schema.additionalProperties).type));
	const copiedKeywords = Object.entries(schema).filter(([name]) => COPIED_KEYWORDS.test(name));
	const required = [...parts.flatMap((each) => each.required), ...[schema.required ?? []].flat()];
	return {
		...Object.assign({}, ...parts, Object.fromEntries(copiedKeywords)),
		...(description && { description: descriptionOf(description) }),
		type: isClear ? type : undefined,
		...(enumValues && { enum: enumValues }),
		properties: type === 'object' ? allProperties : {},
		required: [...new Set(required)].filter((name) => type === 'object' && name in allProperties),
		...(items && !isCut && { items: toShape(levels - 1)(items) }),
		isKnown: forms.length < 2 && !(isCut && entries.length > 0) && !isOpen && parts.every((each) => each.isKnown),
	};
}

const FORMAT_EXAMPLES = new Map([
	['date', '2026-01-31'],
	['date-time', '2026-01-31T09:30:00Z'],
	['uuid', '0b9c2625-dc21-4c2e-a3d0-b7b4a1d4a9f5'],
]);

/**
 * A valid value: the document's example, or a made-up one. @returns undefined if none was found
 * @param isWhole of a response: with all properties
 */
export function exampleOf(shape: Shape, example?: unknown, isWhole = false): unknown {
	const { items, properties, required, minimum = 0, minLength = 0 } = shape;
	const schemaType = shape.type;
	const candidates = [example, shape.example, ...[shape.examples ?? []].flat(), shape.default];
	if (shape.enum) return candidates.find((value) => shape.enum!.includes(value)) ?? shape.enum[0];
	if (schemaType === 'boolean') return true;
	if (schemaType === 'array') {
		const item = items?.type ? exampleOf(items, [example ?? shape.example].flat()[0], isWhole) : { key: 'value' };
		return item === undefined || ((shape.minItems ?? 0) > 1 && !isWhole) ? undefined : [item];
	}
	if (schemaType === 'object') {
		const object = candidates.find((value) => typeof value === 'object' && value !== null);
		const values = Object(object) as Record<string, unknown>;
		const propertyNames = Object.keys(properties);
		const names = isWhole ? propertyNames : required.length > 0 ? required : propertyNames.slice(0, 1);
		const entries = names.map((name) => [name, exampleOf(properties[name]!, values[name], isWhole)] as const);
		const hasValues = Object.keys(values).length > 0 && !JSON.stringify(values).includes('{{');
		if (!isWhole && !shape.isKnown) return hasValues ? values : undefined;
		if (!isWhole && entries.some(([, value]) => value === undefined)) return undefined;
		return names.length > 0 ? Object.fromEntries(entries) : { key: 'value' };
	}
	const text = FORMAT_EXAMPLES.get(shape.format ?? '');
	const defaults = shape.pattern ? [] : ['Example'.padEnd(Math.min(minLength, 80), 'e'), 12, Math.ceil(minimum)];
	const fallback = schemaType === 'string' ? 'Example' : 0;
	return [text, ...candidates, ...defaults].find((value) => isValid(shape, value)) ?? (isWhole ? fallback : undefined);
}

/** Whether a text or a number is valid, as far as its type and range say, and can be shown as a placeholder. */
function isValid(shape: Shape, value: unknown): boolean {
	const { minLength = 0, maxLength = 80, minimum = -Infinity, maximum = Infinity } = shape;
	const schemaType = shape.type;
	if (schemaType === 'integer' && !Number.isSafeInteger(value)) return false;
	if (typeof value === 'number') return schemaType !== 'string' && value >= minimum && value <= maximum;
	if (schemaType !== 'string' || typeof value !== 'string' || /\{\{|\}\}/.test(value)) return false;
	return value.length >= minLength && value.length <= maxLength && /^[!-~](?:[ -~]{0,78}[!-~])?$/.test(value);
}
