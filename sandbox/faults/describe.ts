import { z } from 'zod';

// Each schema is described by the end of the sentence "expected …".

const MAX = Number.MAX_SAFE_INTEGER;
const MAX_SHOWN = 100;

export const integer = (least: number, most = MAX) =>
	z.number().int().min(least).max(most).describe(most === MAX ? `an integer of at least ${least}` : `an integer from ${least} to ${most}`);

export const number = (least: number, most = Infinity) =>
	z.number().finite().min(least).max(most).describe(most === Infinity ? `a number of at least ${least}` : `a number from ${least} to ${most}`);

export const text = z.string().describe('a string');

export const oneOf = <Value extends string>(...values: [Value, ...Value[]]) => z.enum(values).describe(values.map((value) => `"${value}"`).join(', '));

/** What is wrong with an object that a person or a program wrote for the sandbox, such as a fault; undefined if nothing is. */
export function problemIn(given: Record<string, unknown>, schema: z.AnyZodObject): string | undefined {
	const [issue] = schema.safeParse(given).error?.issues ?? [];
	if (!issue) return undefined;
	if (issue.code === 'unrecognized_keys') return `${shown(issue.keys[0])} is not known; the known ones are ${Object.keys(schema.shape).join(', ')}`;
	const name = String(issue.path[0]);
	const { description } = schema.shape[name] as z.ZodTypeAny;
	return `"${name}" is ${given[name] === undefined ? 'missing' : shown(given[name])}; expected ${description}`;
}

export function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value as JSON, cut where it is long. */
export function shown(value: unknown): string {
	const json = JSON.stringify(value) ?? String(value);
	return json.length <= MAX_SHOWN ? json : `${json.slice(0, MAX_SHOWN)}…`;
}
