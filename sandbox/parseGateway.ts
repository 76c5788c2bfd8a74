import { z } from 'zod';

import { ApiError } from './apiError';
import { integer, isObject, oneOf, problemIn, shown, text } from './schema';
import type { Gateway } from './records';

const idSchema = z.object({ id: z.string().regex(/\S/).describe('a text that is not blank') });

/** The fields of a gateway that the API describes; it may have others. */
const gatewaySchema = idSchema.extend({
	name: text,
	type: oneOf('elastic-sip-trunk', 'pbx', 'carrier'),
	organizationId: integer(0),
	terminationUri: z.string().nullable().describe('a text or null').optional(),
});

/**
 * A gateway from JSON that someone wrote, which may have any further fields.
 * @throws {ApiError} 400 if it is none
 */
export function parseGateway(value: unknown): Gateway {
	return checked(value, gatewaySchema) as Gateway;
}

/**
 * The id in JSON that names a gateway.
 * @throws {ApiError} 400 if there is none
 */
export function parseGatewayId(value: unknown): string {
	return (checked(value, idSchema) as Pick<Gateway, 'id'>).id;
}

function checked(value: unknown, schema: z.AnyZodObject): unknown {
	const problem = isObject(value) ? problemIn(value, schema) : `${shown(value)} was given; accepted is an object with ${Object.keys(schema.shape).join(', ')}`;
	if (problem !== undefined) throw new ApiError(400, 'The gateway is not valid', problem);
	return value;
}
