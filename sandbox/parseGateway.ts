import { ApiError } from './apiError';
import { integer, isObject, oneOf, problemIn, required, shown, text } from './parameters';
import type { Parameter } from './parameters';
import type { Gateway } from './records';

const id = required({ accepts: 'a text that is not blank', test: (value) => typeof value === 'string' && value.trim() !== '' });

/** The fields of a gateway that the API describes. */
const gatewayParameters: Record<keyof Gateway, Parameter> = {
	id,
	name: required(text),
	type: required(oneOf('elastic-sip-trunk', 'pbx', 'carrier')),
	organizationId: required(integer(0)),
	terminationUri: { accepts: 'a text or null', test: (value) => value === null || typeof value === 'string' },
};

/**
 * A gateway from JSON that someone wrote, which may have any further fields.
 * @throws {ApiError} 400 if it is none
 */
export function parseGateway(value: unknown): Gateway {
	return checked(value, gatewayParameters) as Gateway;
}

/**
 * The id in JSON that names a gateway.
 * @throws {ApiError} 400 if there is none
 */
export function parseGatewayId(value: unknown): string {
	return (checked(value, { id }) as Pick<Gateway, 'id'>).id;
}

function checked(value: unknown, known: Record<string, Parameter>): unknown {
	const problem = isObject(value)
		? problemIn(value, known, { others: 'accepted' })
		: `${shown(value)} was given; accepted is an object with ${Object.keys(known).join(', ')}`;
	if (problem !== undefined) throw new ApiError(400, 'The gateway is not valid', problem);
	return value;
}
