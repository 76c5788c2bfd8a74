import { z } from 'zod';

import { validate } from '../apiError';
import { type Fault, FAULTS, type ValuesOf } from './faults';

export type FaultName = keyof typeof FAULTS;
export type FaultRule = {
	[Name in FaultName]: { fault: Name } & ValuesOf<(typeof FAULTS)[Name]['parameters']>;
}[FaultName];

const [first, ...others] = Object.entries<Fault>(FAULTS).map(([fault, { parameters }]) =>
	z.object({ fault: z.literal(fault), ...parameters }).strict(),
);
const rules = z.array(z.discriminatedUnion('fault', [first!, ...others])) as unknown as z.ZodType<FaultRule[]>;

/** The faults to inject. A list of rules is accepted as a plan too. */
const planSchema = z.preprocess(
	(value) => (Array.isArray(value) ? { rules: value } : value),
	z
		.object({
			/** The same seed and sequence of requests result in the same faults. Default 1. */
			seed: z.number().int().optional(),
			/** Applied in order: latencies add up; of the others, the first that is drawn is injected. */
			rules: rules.optional(),
		})
		.strict(),
);
export type FaultPlan = z.infer<typeof planSchema>;

/** Checks a plan from JSON. @throws {ApiError} if it is invalid */
export const parseFaultPlan = (value: unknown): FaultPlan => validate(planSchema, value);

/** The faults for the page. `scoped`: affects requests and not tokens. */
export const FAULT_KINDS = Object.entries<Fault>(FAULTS).map(([fault, { title, does, pageInput, parameters }]) => ({
	fault,
	title,
	does,
	pageInput,
	scoped: 'path' in parameters,
}));
