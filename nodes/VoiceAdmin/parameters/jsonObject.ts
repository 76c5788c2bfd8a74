import type { IDataObject } from 'n8n-workflow';

import { isBlank, Refusal } from './refusal';

/**
 * Reads a JSON object, given as text or, by an expression, as an object; nothing is an empty object.
 *
 * @throws Refusal for text that is not JSON, and for a list, a number or any other value
 */
export function jsonObject(parameter: string, given: unknown): IDataObject {
	const accepted = 'Give a JSON object, e.g. { "name": "Example S.p.A." }';
	if (isBlank(given)) return {};
	const value = parsed(given);
	const number = typeof given === 'string' ? inexactNumber(given) : undefined;
	if (number !== undefined) {
		throw new Refusal(
			`${parameter}: the number`,
			number,
			'It has more digits than n8n can carry; give it as text, in quotation marks',
		);
	}
	if (typeof value !== 'object' || value === null || Array.isArray(value)) {
		throw new Refusal(parameter, given, accepted);
	}
	return value as IDataObject;
}

/** @returns undefined for what is not JSON */
function parsed(given: unknown): unknown {
	try {
		// What an expression gives may hold dates or circular references: it is taken as JSON carries it.
		return JSON.parse(typeof given === 'string' ? given : JSON.stringify(given));
	} catch {
		return undefined;
	}
}

/** The first whole number in a JSON text that JavaScript would change: one beyond 2^53 - 1. */
function inexactNumber(json: string): number | undefined {
	const tokens = json.match(/"(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*/gs) ?? [];
	const whole = tokens.filter((token) => /^-?[0-9]+$/.test(token)).map(Number);
	return whole.find((number) => !Number.isSafeInteger(number));
}
