import type { IDataObject } from 'n8n-workflow';

/** Whether a JSON value is an object or a list. */
export function isObjectOrArray(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null;
}

/** Whether a JSON value is an object. */
export function isObject(value: unknown): value is IDataObject {
	return isObjectOrArray(value) && !Array.isArray(value);
}
