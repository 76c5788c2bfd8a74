import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../json';
import { InvalidParameterError } from './invalidParameterError';
import { withEscapes } from './invisible';

const ACCEPTED = 'Enter a JSON object, e.g. { "name": "Example S.p.A." }';

const INEXACT = 'This number is too long to be stored exactly. Enter it in quotation marks';

const NOT_IN_JSON = 'JSON has no such number. Correct the value or the expression that returns it, or leave the field out';

/**
 * Parses a JSON object, given as text or, by an expression, as an object.
 * @throws InvalidParameterError for text that is not JSON, any other value, NaN, and a number that JavaScript can't store exactly
 */
export function jsonObject(parameter: string, given: unknown): IDataObject {
	const value = asJson(parameter, typeof given === 'string' ? parsedText(parameter, given) : given);
	if (!isObject(value)) throw new InvalidParameterError(parameter, given, ACCEPTED);
	return value;
}

/** @throws InvalidParameterError that says where a text is not JSON, in JavaScript's words */
function parsedText(parameter: string, json: string): unknown {
	let reason: string;
	try {
		return JSON.parse(json);
	} catch (error) {
		reason = (error as Error).message.replace(/ in JSON at position ([0-9]+).*/s, (_words, position: string) => {
			const lines = json.slice(0, Number(position)).split('\n');
			return ` at line ${lines.length}, column ${lines.at(-1)!.length + 1}`;
		});
	}
	throw new InvalidParameterError(parameter, json, `${ACCEPTED}. What is wrong: ${withEscapes(reason)}`);
}

/**
 * A value as JSON writes it: an expression may give dates. @returns undefined for what JSON can't hold
 * @throws InvalidParameterError for a number that JSON would write as null, or that may already be another one
 */
function asJson(parameter: string, given: unknown): unknown {
	const lost: Array<{ name: string; value: number }> = [];
	const noteNumber = function (this: unknown, key: string, value: unknown): unknown {
		const isField = key !== '' && !Array.isArray(this);
		if (typeof value === 'number' && !isExact(value)) lost.push({ name: isField ? `${parameter} → ${key}` : parameter, value });
		return value;
	};
	let value: unknown;
	try {
		value = JSON.parse(JSON.stringify(given, noteNumber));
	} catch {
		// Writing it fails for a circular reference, for example.
	}
	const [first] = lost;
	if (first) throw new InvalidParameterError(first.name, first.value, Number.isFinite(first.value) ? INEXACT : NOT_IN_JSON);
	return value;
}

/** JavaScript stores whole numbers exactly up to 2^53. */
function isExact(value: number): boolean {
	return Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
}
