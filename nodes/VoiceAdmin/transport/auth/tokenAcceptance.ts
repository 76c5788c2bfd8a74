import { time } from '../../time';
import { isRedirect, type ApiResponse } from '../response/readResponse';

const MAX_SINGLED_OUT = 1_000;

/** Statuses besides 401 that may mean an expired token; 403 may also mean a missing permission. */
const MAY_MEAN_EXPIRED = [403, 419, 440, 498];

/** What a response shows about the access token; a 429 or 5xx may come from a proxy that didn't check it. */
export function acceptanceOf({
	status,
	headers,
}: Pick<ApiResponse, 'status' | 'headers'>): 'accepted' | 'refused' | 'maybeRefused' | 'unknown' {
	if (status === 401) return 'refused';
	// A redirect may lead to a login page.
	if (MAY_MEAN_EXPIRED.includes(status) || (isRedirect(status) && headers.location !== undefined))
		return 'maybeRefused';
	return status === 429 || status >= 500 ? 'unknown' : 'accepted';
}

export interface TokenUse {
	/** The same for all attempts; a GET's URL, so that it is recognized in another run. */
	requestId: string | symbol;
	token: string;
	sentAt: number;
}

export interface RefusedTokenUse extends TokenUse {
	refusedAt: number;
	/** Whether the request was retried with the same token after another one had been accepted with it, or in its turn. */
	wasTriedAgain: boolean;
}

/** For which requests the newest token was accepted or refused: whether a 401 is about the token or about a single request. */
export class TokenAcceptance {
	/** When the first and last accepted requests were sent. */
	private firstAcceptedAt = Infinity;

	private lastAcceptedAt = -Infinity;

	/** When the last refused request was sent, apart from those singled out. */
	private lastRefusedAt = -Infinity;

	/** When the newest token was issued. */
	issuedAt = 0;

	/**
	 * Requests refused while others, sent before and after them, were accepted; with the issue time of their token,
	 * unless that is certain.
	 */
	private readonly singledOut = new Map<TokenUse['requestId'], number | 'certain'>();

	/** Whether the service certainly refuses single requests, accepting the same token before and after them. */
	refusesSingleRequests = false;

	get isAccepted(): boolean {
		return this.lastAcceptedAt > -Infinity;
	}

	/** Apart from requests that were singled out. */
	get isRefused(): boolean {
		return this.lastRefusedAt > -Infinity;
	}

	resetForNewToken(): void {
		this.issuedAt = time.now();
		this.firstAcceptedAt = Infinity;
		this.lastAcceptedAt = this.lastRefusedAt = -Infinity;
	}

	recordAccepted({ requestId, sentAt }: TokenUse): void {
		// It had merely been sent too soon after the login.
		if (this.singledOut.delete(requestId)) this.refusesSingleRequests = false;
		this.firstAcceptedAt = Math.min(this.firstAcceptedAt, sentAt);
		this.lastAcceptedAt = Math.max(this.lastAcceptedAt, sentAt);
	}

	recordRefused({ requestId, sentAt }: TokenUse): void {
		if (!this.singledOut.has(requestId)) this.lastRefusedAt = Math.max(this.lastRefusedAt, sentAt);
	}

	/** Whether the token was accepted for a request sent after this 401 arrived. */
	isAcceptedSince({ refusedAt }: RefusedTokenUse): boolean {
		return this.lastAcceptedAt > refusedAt;
	}

	/**
	 * Singles out a refused request if others, sent before and after it, were accepted. The first ones may only have come
	 * too soon after the login.
	 */
	singleOutIfOthersAccepted(refused: RefusedTokenUse): void {
		const { requestId, sentAt } = refused;
		if (this.firstAcceptedAt > sentAt || this.lastAcceptedAt < sentAt) return;
		this.refusesSingleRequests ||= this.isAcceptedSince(refused);
		if (!this.singledOut.has(requestId)) this.singleOut(requestId, this.issuedAt);
	}

	/** @param shownBy when the token that shows it was issued */
	singleOut(requestId: TokenUse['requestId'], shownBy: number | 'certain'): void {
		if (this.singledOut.size >= MAX_SINGLED_OUT) this.singledOut.clear();
		this.singledOut.set(requestId, shownBy);
	}

	/**
	 * Whether the service refuses this request whatever its token: certainly, or as it was singled out with an earlier token and the
	 * newest is not accepted for anything; and no other request has been refused since the last acceptance.
	 */
	isRefusedForItself({ requestId }: RefusedTokenUse): boolean {
		const shownBy = this.singledOut.get(requestId) ?? Infinity;
		const isShown = shownBy === 'certain' || (shownBy < this.issuedAt && !this.isAccepted);
		return isShown && this.lastRefusedAt <= this.lastAcceptedAt;
	}
}
