import { isObjectOrArray } from '../../json';
import { type ApiResponse, isApiErrorBody, isSuccess } from './readResponse';

const SUCCESS_STATUS = /^(?:2[0-9][0-9](?![0-9]).*|ok|created|accepted|success|successful|succeeded|true)$/is;

/**
 * The value of a success: a 2xx with no body, or with JSON that is not the API's error body. A service may use that for a success, too:
 * with empty `errors`, or a `status` that names a success.
 * @returns `{}` for no body; undefined for any other response
 */
export function successValueOf({
	status,
	body,
}: Pick<ApiResponse, 'status' | 'body'>): { value?: unknown } | undefined {
	if (!isSuccess(status)) return undefined;
	if (body.kind === 'empty') return {};
	if (body.kind !== 'json') return undefined;
	const isError =
		isApiErrorBody(body) && !isEmpty(body.value.errors) && !SUCCESS_STATUS.test(String(body.value.status).trim());
	return isError ? undefined : { value: body.value };
}

function isEmpty(errors: unknown): boolean {
	return isObjectOrArray(errors) ? Object.keys(errors).length === 0 : String(errors ?? '').trim() === '';
}
