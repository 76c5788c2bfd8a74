/** A parameter that cannot be used: says which, what was given and what is accepted. */
export class Refusal extends Error {
	/**
	 * @param parameter the parameter's name in the editor, e.g. "Trunk ID"
	 * @param given the value, shown as JSON and cut to 100 characters; `undefined` where nothing was given
	 * @param accepted a sentence: "Give a whole number, e.g. 1001"
	 */
	constructor(parameter: string, given: unknown, accepted: string) {
		super(`${parameter}: ${describe(given)}. ${accepted}`);
	}
}

/** Whether a value counts as "nothing given": what an empty field or an empty spreadsheet cell becomes. */
export function isBlank(value: unknown): value is undefined | null | '' {
	return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

function describe(given: unknown): string {
	if (given === undefined || given === null) return 'nothing was given';
	if (typeof given === 'number' || typeof given === 'bigint') return `${given} is not accepted`;
	const text = typeof given === 'string' ? given : safeJson(given);
	if (text.trim() === '') return 'nothing was given';
	const cut = text.length > 100 ? `${text.slice(0, 100)}…` : text;
	return `${typeof given === 'string' ? JSON.stringify(cut) : cut} is not accepted`;
}

function safeJson(value: unknown): string {
	try {
		return JSON.stringify(value) ?? String(value);
	} catch {
		return `a ${typeof value} that is not JSON`;
	}
}
