import { isObject, isObjectOrArray, soleElementOf } from '../../json';
import { type ApiResponse, isApiErrorBody, isSuccess } from './readResponse';

const SUCCESS_STATUS = /^(?:2[0-9][0-9](?![0-9]).*|ok|created|accepted|success|successful|succeeded|true)$/is;

const FAILURE_STATUS = /^(?:[45][0-9][0-9]|error|fail|failed|failure|ko)$/i;

/** In the API's error body, also the name of an HTTP status; elsewhere, a record's own status may be "Not Found". */
const HTTP_ERROR =
	/^(?:[45][0-9][0-9](?![0-9]).*|bad[ _]request|forbidden|not[ _]found|internal[ _]server[ _]error|service[ _]unavailable)$/is;

/**
 * The value of a success: a 2xx with no body, or with JSON that doesn't say that the request failed.
 * @returns `{}` for no body; undefined for any other response
 */
export function successValueOf({
	status,
	body,
}: Pick<ApiResponse, 'status' | 'body'>): { value?: unknown } | undefined {
	if (!isSuccess(status)) return undefined;
	if (body.kind === 'empty') return {};
	if (body.kind !== 'json' || isApiError(body) || saysThatItFailed(soleElementOf(body.value))) return undefined;
	return { value: body.value };
}

/** A service may use the API's error body for a success, too: with a `status` that names one, or empty `errors`. */
function isApiError(body: ApiResponse['body']): boolean {
	if (!isApiErrorBody(body)) return false;
	const { status, errors } = body.value;
	return isStatus(status, HTTP_ERROR) || (!isEmpty(errors) && !isStatus(status, SUCCESS_STATUS));
}

/**
 * Whether an object has the status of a failure, or nothing but an error: n8n takes an item of `error`, or of `error` and
 * `message`, for a failed one, which then has no code. With an ID it is a record, whose own status may be "failed".
 */
function saysThatItFailed(value: unknown): boolean {
	if (!isObject(value) || Object.hasOwn(value, 'id')) return false;
	const { status, error, maintenance } = value;
	const isOnlyError = Boolean(error) && Object.keys(value).every((name) => ['error', 'message'].includes(name));
	return isOnlyError || isStatus(status, FAILURE_STATUS) || maintenance === true;
}

/** Whether a body's `status`, text or a number, is one of these. */
function isStatus(status: unknown, pattern: RegExp): boolean {
	return !isObjectOrArray(status) && pattern.test(String(status).trim());
}

function isEmpty(errors: unknown): boolean {
	return isObjectOrArray(errors) ? Object.keys(errors).length === 0 : String(errors ?? '').trim() === '';
}
