import type { IDataObject } from 'n8n-workflow';

/** Whether a JSON value is an object or a list. */
export function isObjectOrArray(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null;
}

/** Whether a JSON value is an object. */
export function isObject(value: unknown): value is IDataObject {
	return isObjectOrArray(value) && !Array.isArray(value);
}

/** The element of a list of one; any other value as it is. */
export function soleElementOf(value: unknown): unknown {
	return Array.isArray(value) && value.length === 1 ? value[0] : value;
}
