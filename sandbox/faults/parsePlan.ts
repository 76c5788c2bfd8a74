import { z } from 'zod';

import { isObject, problemIn, shown } from './describe';
import { FAULTS, planSchema, rateLimitSchema } from './schema';
import type { FaultName, FaultPlan } from './schema';

/** A plan that cannot be used. The message says which rule and parameter, what was given and what is accepted. */
export class FaultPlanError extends Error {}

/**
 * A plan from JSON that someone wrote: a plan, or just its list of rules.
 * @throws {FaultPlanError} if it is not one
 */
export function parseFaultPlan(value: unknown): FaultPlan {
	const plan = Array.isArray(value) ? { rules: value } : value;
	if (!isObject(plan)) throw new FaultPlanError(`${shown(value)} was given; expected a list of rules or an object with "rules"`);
	check(plan, planSchema, '');
	const { rules = [], rateLimit } = plan as { rules?: unknown[]; rateLimit?: Record<string, unknown> };
	if (rateLimit) check(rateLimit, rateLimitSchema, 'rateLimit: ');
	rules.forEach((rule, index) => checkRule(rule, `rule ${index + 1}`));
	// every part of it was checked
	return plan as FaultPlan;
}

/**
 * The parameters of one fault from JSON that someone wrote; without any, none are set.
 * @throws {FaultPlanError} if it is no object
 */
export function parseFaultParameters(value: unknown = {}): object {
	if (!isObject(value)) throw new FaultPlanError(`${shown(value)} was given; expected an object with the parameters of the fault, such as {"count": 1}`);
	return value;
}

/** @throws {FaultPlanError} if no fault has this name */
export function requireFaultName(name: unknown): asserts name is FaultName {
	if (!isFaultName(name)) throw new FaultPlanError(`there is no fault ${shown(name)}; there are ${Object.keys(FAULTS).join(', ')}, rateLimit`);
}

function isFaultName(name: unknown): name is FaultName {
	return typeof name === 'string' && Object.hasOwn(FAULTS, name);
}

function checkRule(rule: unknown, where: string): void {
	const example = '{"fault": "http503", "rate": 0.05}';
	if (!isObject(rule)) throw new FaultPlanError(`${where}: ${shown(rule)} was given; expected an object such as ${example}`);
	const { fault, ...parameters } = rule;
	if (!isFaultName(fault)) {
		const given = fault === undefined ? '"fault" is missing' : `"fault" is ${shown(fault)}`;
		throw new FaultPlanError(`${where}: ${given}; expected one of ${Object.keys(FAULTS).join(', ')}`);
	}
	check(parameters, z.object(FAULTS[fault].parameters as z.ZodRawShape).strict(), `${where} (${fault}): `);
}

function check(given: Record<string, unknown>, schema: z.AnyZodObject, where: string): void {
	const problem = problemIn(given, schema);
	if (problem !== undefined) throw new FaultPlanError(where + problem);
}
