import { z } from 'zod';

import { checked } from '../apiError';
import { type Fault, FAULTS, type ValuesOf } from './faults';

export type FaultName = keyof typeof FAULTS;
export type FaultRule = { [Name in FaultName]: { fault: Name } & ValuesOf<(typeof FAULTS)[Name]['parameters']> }[FaultName];

const [first, ...others] = Object.entries<Fault>(FAULTS).map(([fault, { parameters }]) => z.object({ fault: z.literal(fault), ...parameters }).strict());
const rules = z.array(z.discriminatedUnion('fault', [first!, ...others])) as unknown as z.ZodType<FaultRule[]>;

/** What is to go wrong; just the list of its rules is a plan too. */
const planSchema = z.preprocess(
	(value) => (Array.isArray(value) ? { rules: value } : value),
	z.object({
		/** The same seed and the same sequence of requests give the same faults. Default 1. */
		seed: z.number().int().optional(),
		/** Asked in order: latencies add up, and of the rest the first that is drawn wins. */
		rules: rules.optional(),
	}).strict(),
);
export type FaultPlan = z.infer<typeof planSchema>;

/** A plan from JSON that someone wrote. @throws {ApiError} if it is not one */
export const parseFaultPlan = (value: unknown): FaultPlan => checked(planSchema, value);

/** Every fault, as the page shows it. `scoped`: it is for requests, and not for tokens. */
export const FAULT_SWITCHES = Object.entries<Fault>(FAULTS).map(
	([fault, { group, title, does, needs, parameters }]) => ({ fault, group, title, does, needs, scoped: 'path' in parameters }),
);
