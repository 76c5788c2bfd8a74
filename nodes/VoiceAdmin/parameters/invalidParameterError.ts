import { escapeInvisible, isBlank } from './invisibleCharacters';

/** Maximum characters of a value. */
const MAX_SHOWN = 100;

export class InvalidParameterError extends Error {
	/**
	 * @param parameter the parameter's name in the editor, e.g. "Trunk ID"
	 * @param given the value, shown as JSON; `undefined` if missing
	 * @param explanation a sentence, without an example, which a model could copy, and without its period: "Enter a whole number"
	 * @param insteadOfValue instead of a value that is too long: "has 301 codes"
	 */
	constructor(parameter: string, given: unknown, explanation: string, insteadOfValue?: string) {
		super(
			`'${parameter}' ${insteadOfValue ?? (isBlank(given) ? 'is required' : `isn't valid: ${shortened(given)}`)}. ${explanation}`,
		);
	}
}

function shortened(given: unknown): string {
	if (typeof given === 'number' || typeof given === 'bigint') return String(given);
	const text = typeof given === 'string' ? given : safeJson(given);
	const cut = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
	return escapeInvisible(typeof given === 'string' ? JSON.stringify(cut) : cut);
}

function safeJson(value: unknown): string {
	try {
		const json = JSON.stringify(value) ?? String(value);
		// A Map, a class without fields, or a promise that was not awaited.
		return json === '{}' ? 'an object without fields' : json;
	} catch {
		return `a value of type ${typeof value} that can't be written as JSON`;
	}
}
