import type { IDataObject } from 'n8n-workflow';

import { isBlank, Refusal } from './invalidParameterError';

/**
 * Reads a JSON object, given as text or, by an expression, as an object; nothing is an empty object.
 *
 * @throws Refusal for text that is not JSON, and for a list, a number or any other value
 */
export function jsonObject(parameter: string, given: unknown): IDataObject {
	const accepted = 'Give a JSON object, e.g. { "name": "Example S.p.A." }';
	if (isBlank(given)) return {};
	const value = parsed(given);
	const number =
		typeof given === 'string' && value !== undefined ? inexactNumber(given) : undefined;
	if (number !== undefined) {
		throw new Refusal(
			`${parameter}: the number`,
			number,
			'It is more than n8n can carry exactly; give it as text, in quotation marks',
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

/** The first number in a JSON text that would arrive as another: JavaScript carries 2^53 exactly, and no 1e400. */
function inexactNumber(json: string): string | undefined {
	const tokens = json.match(/"[^"\\]*(?:\\.[^"\\]*)*"?|-?[0-9][0-9.eE+-]*/gs) ?? [];
	return tokens.find((token) => {
		if (token.startsWith('"')) return false;
		const value = Number(token);
		if (/^-?[0-9]+$/.test(token)) return String(value) !== token && value !== 0;
		return !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value));
	});
}
