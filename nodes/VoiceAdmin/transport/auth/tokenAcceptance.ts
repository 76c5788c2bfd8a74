import { isApiErrorBody, isRedirect, type ApiResponse } from '../response/readResponse';

/** Statuses besides 401 that may mean an expired token; 403 may also mean a missing permission. */
const MAY_MEAN_EXPIRED = [403, 419, 440, 498];

/** A request's use of an access token. */
export type TokenUse = { token: string; sentAt: number };

export interface RefusedTokenUse extends TokenUse {
	refusedAt: number;
	/** Whether the request was sent with this token because it had been accepted for one sent after an earlier 401. */
	wasTriedAgain: boolean;
}

/** What a response that is no success shows about the access token; of a proxy that didn't check it, nothing. */
export function acceptanceOf({
	status,
	headers,
	body,
}: ApiResponse): 'accepted' | 'refused' | 'maybeRefused' | 'unknown' {
	if (status === 401) return 'refused';
	// A redirect may lead to a login page.
	if (MAY_MEAN_EXPIRED.includes(status) || (isRedirect(status) && headers.location !== undefined))
		return 'maybeRefused';
	return status < 500 && status !== 429 && isApiErrorBody(body) ? 'accepted' : 'unknown';
}
