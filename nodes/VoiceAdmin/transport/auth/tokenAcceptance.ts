import { isRedirect, type ApiResponse } from '../response/readResponse';

/** Statuses besides 401 that may mean an expired token; 403 may also mean a missing permission. */
const MAY_MEAN_EXPIRED = [403, 419, 440, 498];

/** A request's use of an access token. */
export type TokenUse = { token: string; sentAt: number };

export interface RefusedTokenUse extends TokenUse {
	refusedAt: number;
	/** Whether the request was sent with this token because it had been accepted for one sent after an earlier 401. */
	wasTriedAgain: boolean;
}

/** What a response shows about the access token; a 429, a 5xx or a page may come from a proxy that didn't check it. */
export function acceptanceOf({
	status,
	headers,
	body,
}: ApiResponse): 'accepted' | 'refused' | 'maybeRefused' | 'unknown' {
	if (status === 401) return 'refused';
	// A redirect may lead to a login page.
	if (MAY_MEAN_EXPIRED.includes(status) || (isRedirect(status) && headers.location !== undefined))
		return 'maybeRefused';
	return status === 429 || status >= 500 || body.kind === 'html' ? 'unknown' : 'accepted';
}
