/** A field of something that a person or a program writes for the sandbox, such as a fault or a gateway. */
export interface Parameter {
	required?: boolean;
	/** What is accepted, as the end of the sentence "accepted is …". */
	accepts: string;
	test(value: unknown): boolean;
}

const MOST = Number.MAX_SAFE_INTEGER;
const LONGEST_SHOWN = 100;

export const integer = (least: number, most = MOST): Parameter => ({
	accepts: most === MOST ? `an integer of at least ${least}` : `an integer from ${least} to ${most}`,
	test: (value) => Number.isInteger(value) && (value as number) >= least && (value as number) <= most,
});
export const number = (least: number, most = Infinity): Parameter => ({
	accepts: most === Infinity ? `a number of at least ${least}` : `a number from ${least} to ${most}`,
	test: (value) => Number.isFinite(value) && (value as number) >= least && (value as number) <= most,
});
export const positive: Parameter = {
	accepts: 'a number above 0',
	test: (value) => Number.isFinite(value) && (value as number) > 0,
};
export const text: Parameter = { accepts: 'a text', test: (value) => typeof value === 'string' };
export const anything: Parameter = { accepts: 'anything', test: () => true };
export const oneOf = (...values: string[]): Parameter => ({
	accepts: values.map((value) => `"${value}"`).join(', '),
	test: (value) => values.some((accepted) => accepted === value),
});
export const required = (parameter: Parameter): Parameter => ({ ...parameter, required: true });

/** What is wrong with the fields of `given`: which field, what was given and what is accepted. Undefined if nothing is. */
export function problemIn(given: object, known: Record<string, Parameter>, { others = 'refused' }: { others?: 'refused' | 'accepted' } = {}): string | undefined {
	for (const [name, value] of Object.entries(given)) {
		const parameter = Object.hasOwn(known, name) ? known[name] : undefined;
		if (!parameter && others === 'refused') return `${shown(name)} is not known; known are ${Object.keys(known).join(', ')}`;
		if (parameter && value !== undefined && !parameter.test(value)) return `"${name}" is ${shown(value)}; accepted is ${parameter.accepts}`;
	}
	for (const [name, { required: isRequired, accepts }] of Object.entries(known)) {
		if (isRequired && (given as Record<string, unknown>)[name] === undefined) return `"${name}" is missing; accepted is ${accepts}`;
	}
	return undefined;
}

export function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value as JSON, cut where it is long. */
export function shown(value: unknown): string {
	const json = JSON.stringify(value) ?? String(value);
	return json.length <= LONGEST_SHOWN ? json : `${json.slice(0, LONGEST_SHOWN)}…`;
}
