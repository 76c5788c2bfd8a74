import { validateHeaderValue } from 'node:http';

import { anything, integer, isObject, number, oneOf, positive, problemIn, required, shown, text } from '../parameters';
import type { Parameter } from '../parameters';
import type { FaultName, FaultPlan, FaultScope, RateLimit } from './plan';

/** A plan that cannot be used. The message says which rule and parameter, what was given and what is accepted. */
export class FaultPlanError extends Error {
	constructor(message: string) {
		super(message);
		this.name = 'FaultPlanError';
	}
}

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
const location: Parameter = { accepts: 'a valid header value: no line breaks, only Latin-1 characters', test: isHeaderValue };
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
	processed: { accepts: 'true or false', test: (value: unknown) => typeof value === 'boolean' },
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
	redirect: { location: required(location), status: redirectStatus, ...scope },
	loginWithoutToken: scope,
	loginTokenOfWrongType: { accessToken: anything, ...scope },
	tokenExpires: { afterRequests: required(integer(1)) },
};

const planParameters: Record<keyof FaultPlan, Parameter> = {
	seed: integer(-Number.MAX_SAFE_INTEGER),
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

/**
 * The parameters of one fault from JSON that someone wrote; without any, none are set.
 * @throws {FaultPlanError} if it is no object
 */
export function parseFaultParameters(value: unknown = {}): object {
	if (!isObject(value)) throw new FaultPlanError(`${shown(value)} was given; accepted is an object with the parameters of the fault, such as {"count": 1}`);
	return value;
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
	const problem = problemIn(given, known);
	if (problem !== undefined) throw new FaultPlanError(where + problem);
}

function isHeaderValue(value: unknown): boolean {
	try {
		validateHeaderValue('Location', value as string);
		return typeof value === 'string';
	} catch {
		return false;
	}
}
