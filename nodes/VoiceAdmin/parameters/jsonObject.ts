import type { IDataObject } from 'n8n-workflow';

import { InvalidParameterError, isBlank } from './invalidParameterError';

/** Beyond some thousand levels JavaScript can't write an object as JSON. */
const MAX_DEPTH = 500;

/**
 * Parses a JSON object, given as text or, by an expression, as an object; nothing is an empty object.
 * @throws InvalidParameterError for text that is not JSON, any other value, a number that JavaScript cannot
 *   store exactly, and an object that is nested too deeply to be sent
 */
export function jsonObject(parameter: string, given: unknown): IDataObject {
	if (isBlank(given)) return {};
	const value = parsed(given);
	const number = typeof given === 'string' && value !== undefined ? inexactNumber(given) : undefined;
	if (number !== undefined) {
		throw new InvalidParameterError(parameter, number, 'This number is too large to store exactly. Enter it in quotation marks');
	}
	if (typeof value !== 'object' || value === null || Array.isArray(value)) {
		throw new InvalidParameterError(parameter, given, 'Enter a JSON object, e.g. { "name": "Example S.p.A." }');
	}
	if (isDeeperThan(MAX_DEPTH, value)) throw new InvalidParameterError(parameter, given, `Enter a JSON object of at most ${MAX_DEPTH} levels`);
	return value as IDataObject;
}

function isDeeperThan(levels: number, value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return false;
	return levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner));
}

/** @returns undefined for what is not JSON */
function parsed(given: unknown): unknown {
	try {
		// An expression may give dates or circular references: it is taken as JSON writes it.
		return JSON.parse(typeof given === 'string' ? given : JSON.stringify(given));
	} catch {
		return undefined;
	}
}

/** The first number of a JSON text that would be sent as another: JavaScript stores 2^53 exactly, and no 1e400. */
function inexactNumber(json: string): string | undefined {
	const tokens = json.match(/"[^"\\]*(?:\\.[^"\\]*)*"?|-?[0-9][0-9.eE+-]*/gs) ?? [];
	return tokens.find((token) => {
		if (token.startsWith('"')) return false;
		const value = Number(token);
		if (/^-?[0-9]+$/.test(token)) return String(value) !== token && value !== 0;
		return !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value));
	});
}
