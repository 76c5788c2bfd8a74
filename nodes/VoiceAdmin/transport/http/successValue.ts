import { isObjectOrArray } from '../../json';
import { isSuccess } from './classify';
import { type ApiResponse, isApiErrorBody } from './response';

/** A `status` that names a success, in words or as a number. */
const SUCCESS_STATUS = /^(?:2[0-9][0-9](?![0-9]).*|ok|created|accepted|success|successful|succeeded|true)$/is;

/**
 * What a good response holds: a status from 200 to 299, with no body or with one of JSON that is not the API's
 * error body. A service may wrap a success in that too: `errors` holds nothing then, or `status` names a success.
 * @returns `{}` for no body; undefined for a response that is not a good one
 */
export function successValueOf({ status, body }: Pick<ApiResponse, 'status' | 'body'>): { value?: unknown } | undefined {
	if (!isSuccess(status)) return undefined;
	if (body.kind === 'empty') return {};
	if (body.kind !== 'json') return undefined;
	const isError = isApiErrorBody(body) && !isEmpty(body.value.errors) && !SUCCESS_STATUS.test(String(body.value.status).trim());
	return isError ? undefined : { value: body.value };
}

function isEmpty(errors: unknown): boolean {
	return isObjectOrArray(errors) ? Object.keys(errors).length === 0 : String(errors ?? '').trim() === '';
}
