import { STATUS_CODES } from 'node:http';
import type { Readable } from 'node:stream';

/** The three forms that `errors` may have: a text, a list of validation errors, an object. */
export type ErrorDetails = string | Array<{ field: string; message: string }> | Record<string, unknown>;

/** What is to be sent back. Without a body the reply is empty. */
export interface Reply {
	status: number;
	headers?: Record<string, string>;
	/** Sent as JSON. */
	body?: unknown;
	/** Sent as it is, in place of `body`. */
	raw?: string | Buffer | Readable;
}

/** An error on its way to the client. Thrown anywhere, turned into a reply in one place. */
export class ApiError extends Error {
	constructor(
		readonly statusCode: number,
		message: string,
		readonly details: ErrorDetails,
		readonly headers: Record<string, string> = {},
	) {
		super(message);
		this.name = 'ApiError';
	}

	get reply(): Reply {
		return { status: this.statusCode, headers: this.headers, body: errorBody(this.statusCode, this.message, this.details) };
	}
}

/** The body of every error of the API; `status` is the name of the HTTP status, such as "Not Found". */
export function errorBody(statusCode: number, message: string, errors: ErrorDetails) {
	return { status: STATUS_CODES[statusCode] ?? String(statusCode), message, errors };
}

/** A 400 for one field that is not valid. */
export function invalidField(field: string, message: string): ApiError {
	return new ApiError(400, 'The request is not valid', [{ field, message }]);
}
