import type { FaultName, FaultPlan, FaultScope, RateLimit } from './plan';

/** A plan that cannot be used. The message says which rule and parameter, what was given and what is accepted. */
export class FaultPlanError extends Error {
	constructor(message: string) {
		super(message);
		this.name = 'FaultPlanError';
	}
}

interface Parameter {
	required?: boolean;
	/** What is accepted, as the end of the sentence "accepted is …". */
	accepts: string;
	test(value: unknown): boolean;
}

const MOST = Number.MAX_SAFE_INTEGER;
const integer = (least: number, most = MOST): Parameter => ({
	accepts: most === MOST ? `an integer of at least ${least}` : `an integer from ${least} to ${most}`,
	test: (value) => Number.isInteger(value) && (value as number) >= least && (value as number) <= most,
});
const number = (least: number, most = Infinity): Parameter => ({
	accepts: most === Infinity ? `a number of at least ${least}` : `a number from ${least} to ${most}`,
	test: (value) => typeof value === 'number' && value >= least && value <= most,
});
const positive: Parameter = {
	accepts: 'a number above 0',
	test: (value) => typeof value === 'number' && value > 0 && value < Infinity,
};
const text: Parameter = { accepts: 'a text', test: (value) => typeof value === 'string' };
const anything: Parameter = { accepts: 'anything', test: () => true };
const oneOf = (...values: string[]): Parameter => ({
	accepts: values.map((value) => `"${value}"`).join(', '),
	test: (value) => values.some((accepted) => accepted === value),
});
const required = (parameter: Parameter): Parameter => ({ ...parameter, required: true });

const emptyStatus = integer(200, 599);
const status: Parameter = {
	accepts: 'a status that has a body: an integer from 200 to 599, but not 204, 205 or 304',
	test: (value) => emptyStatus.test(value) && ![204, 205, 304].includes(value as number),
};
const redirectStatuses = [301, 302, 303, 307, 308];
const redirectStatus: Parameter = {
	accepts: redirectStatuses.join(', '),
	test: (value) => redirectStatuses.includes(value as number),
};
const scope: Record<keyof FaultScope, Parameter> = {
	rate: number(0, 1),
	path: { accepts: 'a path that begins with /', test: (value) => typeof value === 'string' && value.startsWith('/') },
	method: {
		accepts: 'an HTTP method such as "GET"',
		test: (value) => typeof value === 'string' && /^(get|put|post|patch|delete|head|options)$/i.test(value),
	},
	bodyContains: text,
	count: integer(0),
	after: integer(0),
};
const httpError = {
	message: text,
	errors: {
		accepts: 'a text, a list or an object',
		test: (value: unknown) => typeof value === 'string' || (typeof value === 'object' && value !== null),
	},
	retryAfterSeconds: number(0),
	retryAfterAs: oneOf('seconds', 'date', 'none'),
};

/** The parameters of each fault. */
const parametersOf: Record<FaultName, Record<string, Parameter>> = {
	latency: { ms: required(number(0, 600_000)), jitterMs: number(0, 600_000), ...scope },
	http400: { ...httpError, ...scope },
	http401: { ...httpError, ...scope },
	http403: { ...httpError, ...scope },
	http404: { ...httpError, ...scope },
	http429: { ...httpError, ...scope },
	http500: { ...httpError, ...scope },
	http502: { ...httpError, ...scope },
	http503: { ...httpError, ...scope },
	http504: { ...httpError, ...scope },
	resetBefore: scope,
	resetAfter: scope,
	htmlPage: { status, ...scope },
	truncatedJson: { status, ...scope },
	wrongJson: { status, body: anything, ...scope },
	emptyBody: { status: emptyStatus, ...scope },
	hugeBody: { status, megabytes: integer(1, 200), ...scope },
	neverEnds: { status, everyMs: integer(1, 600_000), ...scope },
	redirect: { location: required(text), status: redirectStatus, ...scope },
	loginWithoutToken: scope,
	loginTokenOfWrongType: { accessToken: anything, ...scope },
	tokenExpires: { afterRequests: required(integer(1)) },
};

const planParameters: Record<keyof FaultPlan, Parameter> = {
	seed: integer(-MOST),
	rules: { accepts: 'a list of rules', test: Array.isArray },
	rateLimit: { accepts: 'an object such as {"perSecond": 50}', test: isObject },
};
const rateLimitParameters: Record<keyof RateLimit, Parameter> = { perSecond: required(positive), burst: integer(1) };

/** The names of all faults, and of each one's own parameters, those that every fault shares left out. */
export function describeFaults(): Array<{ name: string; parameters: string[] }> {
	return Object.entries(parametersOf).map(([name, parameters]) => ({
		name,
		parameters: Object.keys(parameters).filter((parameter) => !(parameter in scope)),
	}));
}

/** The names of the parameters that every fault but `tokenExpires` takes. */
export const scopeParameters = Object.keys(scope);

/**
 * A plan from JSON that someone wrote: a plan, or just its list of rules.
 * @throws {FaultPlanError} if it is not one
 */
export function parseFaultPlan(value: unknown): FaultPlan {
	const plan = Array.isArray(value) ? { rules: value } : value;
	if (!isObject(plan)) throw new FaultPlanError(`${shown(value)} was given; accepted is a list of rules or an object with "rules"`);
	check(plan, planParameters, '');
	if (plan.rateLimit !== undefined) check(plan.rateLimit as object, rateLimitParameters, 'rateLimit: ');
	((plan.rules as unknown[] | undefined) ?? []).forEach((rule, index) => checkRule(rule, `rule ${index + 1}`));
	// every part of it was checked above
	return plan as FaultPlan;
}

/** @throws {FaultPlanError} if no fault has this name */
export function requireFaultName(name: unknown): asserts name is FaultName {
	if (typeof name !== 'string' || !Object.hasOwn(parametersOf, name)) {
		throw new FaultPlanError(`there is no fault ${shown(name)}; there are ${Object.keys(parametersOf).join(', ')}, rateLimit`);
	}
}

function checkRule(rule: unknown, where: string): void {
	const example = '{"fault": "http503", "rate": 0.05}';
	if (!isObject(rule)) throw new FaultPlanError(`${where}: ${shown(rule)} was given; accepted is an object such as ${example}`);
	const { fault, ...parameters } = rule;
	const known = typeof fault === 'string' && Object.hasOwn(parametersOf, fault) ? parametersOf[fault as FaultName] : undefined;
	if (!known) {
		const given = fault === undefined ? '"fault" is missing' : `"fault" is ${shown(fault)}`;
		throw new FaultPlanError(`${where}: ${given}; accepted are ${Object.keys(parametersOf).join(', ')}`);
	}
	check(parameters, known, `${where} (${String(fault)}): `);
}

function check(given: object, known: Record<string, Parameter>, where: string): void {
	for (const [name, value] of Object.entries(given)) {
		const parameter = Object.hasOwn(known, name) ? known[name] : undefined;
		if (!parameter) throw new FaultPlanError(`${where}"${name}" is not known; known are ${Object.keys(known).join(', ')}`);
		if (value !== undefined && !parameter.test(value)) {
			throw new FaultPlanError(`${where}"${name}" is ${shown(value)}; accepted is ${parameter.accepts}`);
		}
	}
	for (const [name, parameter] of Object.entries(known)) {
		if (parameter.required && (given as Record<string, unknown>)[name] === undefined) {
			throw new FaultPlanError(`${where}"${name}" is missing; accepted is ${parameter.accepts}`);
		}
	}
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shown(value: unknown): string {
	return JSON.stringify(value) ?? String(value);
}
