import { ApiError } from './apiError';
import type { Gateway } from './records';

/**
 * Reads the body of a control path that names a gateway.
 * @param body parsed JSON
 * @throws {ApiError} with 400 when there is no id to know it by
 */
export function parseGateway(body: unknown): Gateway {
	const { id } = (body ?? {}) as { id?: unknown };
	if (typeof id === 'string' && id.trim() !== '') return body as Gateway;
	throw new ApiError(400, 'The gateway has no id', 'Give an object with "id" as a text, and whatever other fields the gateway is to have, e.g. {"id": "12", "terminationUri": "new.sip.sandbox.example"}');
}
