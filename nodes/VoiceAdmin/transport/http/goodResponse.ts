import { isDeeperThan } from '../../json';
import { isSuccess } from './classify';
import { type ApiResponse, MAX_JSON_DEPTH } from './response';
import { isApiErrorBody } from './serviceWords';

/**
 * What a good response holds: a status from 200 to 299, with no body or with one of JSON that n8n can handle and that is not
 * the API's error body. @returns `{}` for no body; undefined for a response that is not a good one
 */
export function goodValueOf({ status, body }: Pick<ApiResponse, 'status' | 'body'>): { value?: unknown } | undefined {
	if (!isSuccess(status)) return undefined;
	if (body.kind === 'empty') return {};
	return body.kind === 'json' && !isDeeperThan(MAX_JSON_DEPTH, body.value) && !isApiErrorBody(body.value) ? { value: body.value } : undefined;
}
