import { STATUS_CODES } from 'node:http';

import type { z } from 'zod';

/** The three forms that `errors` may have: a text, a list of validation errors, an object. */
type ErrorDetails = string | Array<{ field: string; message: string }> | Record<string, unknown>;

/** A response to send: an object as JSON, text as it is. */
export interface Reply {
	status: number;
	headers?: Record<string, string>;
	body?: object | string;
}

/** The body as text, as the client reads it. */
export const serializeBody = ({ body = '' }: Reply): string => (typeof body === 'string' ? body : JSON.stringify(body));

/** The name of a status, such as "Not Found"; some that proxies use have none. */
export const nameOf = (status: number): string => STATUS_CODES[status] ?? 'Unknown';

/** Thrown anywhere; server.ts turns it into a response. */
export class ApiError extends Error {
	constructor(
		readonly statusCode: number,
		message: string,
		readonly details: ErrorDetails,
		readonly headers: Record<string, string> = {},
	) {
		super(message);
	}

	/** `status` in its body is the name of the HTTP status. */
	get reply(): Reply {
		const { statusCode, headers, message, details: errors } = this;
		return { status: statusCode, headers, body: { status: nameOf(statusCode), message, errors } };
	}
}

/** A 400 for fields that are not valid. */
export const createValidationError = (...fields: Array<{ field: string; message: string }>) =>
	new ApiError(400, 'The request is not valid', fields);

/** Checks a value that a client sent to a control path, such as faults. @throws {ApiError} 400, in which it has this name */
export function validate<Type>(schema: z.ZodType<Type, z.ZodTypeDef, unknown>, value: unknown, name?: string): Type {
	const { data, error } = schema.safeParse(value, { path: name === undefined ? [] : [name] });
	if (!error) return data as Type;
	const fields = error.issues.map(({ path, message }) => ({ field: path.join('.') || 'body', message }));
	throw createValidationError(...fields);
}
