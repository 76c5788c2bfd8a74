import { z } from 'zod';

import { validate } from '../apiError';
import { type Fault, FAULTS, type ValuesOf } from './faults';

export type FaultName = keyof typeof FAULTS;
export type FaultRule = {
	[Name in FaultName]: { fault: Name } & ValuesOf<(typeof FAULTS)[Name]['parameters']>;
}[FaultName];

const [firstSchema, ...otherSchemas] = Object.entries<Fault>(FAULTS).map(([fault, { parameters }]) =>
	z.object({ fault: z.literal(fault), ...parameters }).strict(),
);
/** Applied in order: latencies add up; of the others, the first that is drawn is injected. */
const rulesSchema = z.array(z.discriminatedUnion('fault', [firstSchema!, ...otherSchemas]));

/** Checks rules from JSON. @throws {ApiError} if they are invalid */
export const parseFaultRules = (value: unknown): FaultRule[] => validate(rulesSchema, value, 'rules') as FaultRule[];

/** The faults for the page. `hasScope`: affects requests and not tokens. */
export const FAULT_KINDS = Object.entries<Fault>(FAULTS).map(
	([fault, { title, description, pageInput, parameters }]) => ({
		fault,
		title,
		description,
		pageInput,
		hasScope: 'path' in parameters,
	}),
);
