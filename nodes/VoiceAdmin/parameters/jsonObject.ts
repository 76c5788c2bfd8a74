import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../json';
import { InvalidParameterError } from './invalidParameterError';
import { escapeInvisible } from './invisibleCharacters';

const ACCEPTED = 'Enter a JSON object';

const INEXACT =
	"This number can't be sent exactly. If it's long, enter it in quotation marks; otherwise correct it, or leave the field out";

const INVISIBLE = [
	'Enter the name without it. It may be an unusual space',
	'has an invisible character in its name',
] as const;

const REPEATED = ['Enter each name once', 'is there more than once'] as const;

/**
 * Parses a JSON object, given as text or (by an expression) as an object.
 * @throws InvalidParameterError for invalid JSON, any other value, a name that is repeated (seen in a text only) or has an invisible
 * character, NaN, and a number that JavaScript can't store exactly
 */
export function jsonObject(parameter: string, given: unknown): IDataObject {
	const value = asJson(parameter, typeof given === 'string' ? parsedText(parameter, given) : given);
	if (!isObject(value)) throw new InvalidParameterError(parameter, given, ACCEPTED);
	const repeated = typeof given === 'string' ? repeatedName(given) : undefined;
	if (repeated !== undefined) throw new InvalidParameterError(`${parameter} → ${repeated}`, undefined, ...REPEATED);
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
	throw new InvalidParameterError(parameter, json, `${ACCEPTED}. What's wrong: ${reason}`);
}

/** A name that an object of a JSON text has twice: JavaScript keeps the last value only. */
function repeatedName(json: string): string | undefined {
	const objects: Array<Set<string>> = [];
	let [isInText, start, text] = [false, 0, ''];
	for (const { 0: token, index } of json.matchAll(/\\.|["{}:]/g)) {
		if (token === '"') {
			if (isInText) text = json.slice(start, index + 1);
			else start = index;
			isInText = !isInText;
		}
		if (isInText) continue;
		if (token === '{') objects.push(new Set());
		if (token === '}') objects.pop();
		if (token !== ':') continue;
		const [names, name] = [objects.at(-1)!, JSON.parse(text) as string];
		if (names.has(name)) return name;
		names.add(name);
	}
	return undefined;
}

/**
 * Converts a value to JSON types: an expression may return dates. @returns undefined if it can't
 * @throws InvalidParameterError for an invisible character in a name, a number that JSON would write as null, or that may already have
 * been rounded
 */
function asJson(parameter: string, given: unknown): unknown {
	const checked = function (this: unknown, key: string, value: unknown): unknown {
		const shown = escapeInvisible(key);
		const name = key === '' || Array.isArray(this) ? parameter : `${parameter} → ${shown}`;
		if (shown !== key) throw new InvalidParameterError(name, undefined, ...INVISIBLE);
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
