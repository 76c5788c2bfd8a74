import { STATUS_CODES } from 'node:http';

/** One entry of the list form of `errors`. */
export interface ValidationError {
	field: string;
	message: string;
}

/** The three forms that `errors` may have: a text, a list of validation errors, an object. */
export type ErrorDetails = string | ValidationError[] | Record<string, unknown>;

/** The body of every error of the API. */
export interface ErrorBody {
	/** Name of the HTTP status, such as "Not Found". */
	status: string;
	message: string;
	errors: ErrorDetails;
}

/** A refusal on its way to the client. Thrown by the operations, turned into a reply in one place. */
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
}

/** The error body of the API for a status code, such as 404. */
export function errorBody(statusCode: number, message: string, errors: ErrorDetails): ErrorBody {
	return { status: STATUS_CODES[statusCode] ?? String(statusCode), message, errors };
}

/** A 400 in the list form: one entry for each field that is not valid. */
export function invalidRequest(errors: ValidationError[]): ApiError {
	return new ApiError(400, 'The request is not valid', errors);
}
