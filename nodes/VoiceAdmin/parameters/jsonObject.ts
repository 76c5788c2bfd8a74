import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../json';
import { InvalidParameterError } from './invalidParameterError';
import { escapeInvisible } from './invisibleCharacters';

const ACCEPTED = 'Enter a JSON object, e.g. { "name": "Example S.p.A." }';

const INEXACT =
	"This number can't be sent exactly. If it is long, enter it in quotation marks; otherwise correct it, or leave the field out";

/**
 * Parses a JSON object, given as text or (by an expression) as an object.
 * @throws InvalidParameterError for invalid JSON, any other value, NaN, and a number that JavaScript can't store exactly
 */
export function jsonObject(parameter: string, given: unknown): IDataObject {
	const value = asJson(parameter, typeof given === 'string' ? parsedText(parameter, given) : given);
	if (!isObject(value)) throw new InvalidParameterError(parameter, given, ACCEPTED);
	return value;
}

/** @throws InvalidParameterError with JavaScript's reason */
function parsedText(parameter: string, json: string): unknown {
	let reason: string;
	try {
		return JSON.parse(json);
	} catch (error) {
		reason = escapeInvisible((error as Error).message);
	}
	throw new InvalidParameterError(parameter, json, `${ACCEPTED}. What is wrong: ${reason}`);
}

/**
 * Converts a value to JSON types: an expression may return dates. @returns undefined if it can't
 * @throws InvalidParameterError for a number that JSON would write as null, or that may already have been rounded
 */
function asJson(parameter: string, given: unknown): unknown {
	const checked = function (this: unknown, key: string, value: unknown): unknown {
		const name = key === '' || Array.isArray(this) ? parameter : `${parameter} → ${key}`;
		if (typeof value === 'number' && !isExact(value)) throw new InvalidParameterError(name, value, INEXACT);
		return value;
	};
	let problem: unknown;
	try {
		return JSON.parse(JSON.stringify(given, checked));
	} catch (error) {
		problem = error;
	}
	if (problem instanceof InvalidParameterError) throw problem;
	// For example, a circular reference.
	return undefined;
}

/** JavaScript stores whole numbers exactly up to 2^53. */
function isExact(value: number): boolean {
	return Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
}
