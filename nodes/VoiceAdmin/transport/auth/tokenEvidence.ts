import { time } from '../../time';
import { isRedirect } from '../http/classify';
import type { ApiResponse } from '../http/response';

/** How many requests are remembered that are refused though others are not. */
const MAX_SINGLED_OUT = 1_000;

/** Statuses beside 401 by which services say that a token has expired; 403 says as well that the key lacks a permission. */
const MAY_MEAN_EXPIRED = [403, 419, 440, 498];

/** What a response says of the request's access token; a proxy answers 429 or 5xx without having looked at it. */
export function judgeToken({ status, headers }: Pick<ApiResponse, 'status' | 'headers'>): 'accepted' | 'refused' | 'suspected' | 'unknown' {
	if (status === 401) return 'refused';
	// A redirect may lead to a page where people log in.
	if (MAY_MEAN_EXPIRED.includes(status) || (isRedirect(status) && headers.location !== undefined)) return 'suspected';
	return status === 429 || status >= 500 ? 'unknown' : 'accepted';
}

/** A request that was sent, and its token; '' for none. */
export interface TokenUse {
	/** The same for all its attempts; of a GET its path, so that it is known when it is sent again in another run. */
	requestId: string | symbol;
	token: string;
	sentAt: number;
}

/** That a request's token was refused. */
export interface RefusedTokenUse extends TokenUse {
	/** When that became known. */
	refusedAt: number;
	/** Whether the request was sent again with it, though the token was no longer young. */
	wasTriedAgain: boolean;
}

/** What requests have shown of the newest token, and of themselves: whether a 401 is for the token, or for the request. */
export class TokenEvidence {
	/** When the first and the last request were sent for which the token was accepted; Infinity and 0 for none. */
	private firstAcceptedAt = Infinity;

	private lastAcceptedAt = 0;

	/** When the last one was sent that was refused, without those that were singled out before; 0 for none. */
	private lastRefusedAt = 0;

	private issuedAt = 0;

	/** Requests that were refused while others, sent before and after or with them, were accepted; and when their token was issued, or 0 for certain. */
	private readonly singledOut = new Map<TokenUse['requestId'], number>();

	/** Whether the service has refused single requests for certain, while their token was accepted before and after them. */
	refusesSingleRequests = false;

	/** Whether the token has been accepted for any request. */
	get isAccepted(): boolean {
		return this.lastAcceptedAt > 0;
	}

	/** Whether it has been refused to any that was not singled out. */
	get isRefused(): boolean {
		return this.lastRefusedAt > 0;
	}

	/** There is a new token, of which nothing is known. */
	resetForNewToken(): void {
		this.issuedAt = time.now();
		this.firstAcceptedAt = Infinity;
		this.lastAcceptedAt = this.lastRefusedAt = 0;
	}

	recordAccepted({ requestId, sentAt }: TokenUse): void {
		// It came too soon after the login, and was not refused for itself.
		if (this.singledOut.delete(requestId)) this.refusesSingleRequests = false;
		this.firstAcceptedAt = Math.min(this.firstAcceptedAt, sentAt);
		this.lastAcceptedAt = Math.max(this.lastAcceptedAt, sentAt);
	}

	recordRefused({ requestId, sentAt }: TokenUse): void {
		if (!this.singledOut.has(requestId)) this.lastRefusedAt = Math.max(this.lastRefusedAt, sentAt);
	}

	/** Whether the token has been accepted for a request that was sent after this 401 was known. */
	isAcceptedSince({ refusedAt }: RefusedTokenUse): boolean {
		return this.lastAcceptedAt > refusedAt;
	}

	/** Notes whether a refused request is singled out. One that was sent before all that were accepted may have come too soon after the login. */
	singleOutIfOthersAccepted(refused: RefusedTokenUse): void {
		const { requestId, sentAt } = refused;
		if (this.firstAcceptedAt > sentAt || this.lastAcceptedAt < sentAt) return;
		this.refusesSingleRequests ||= this.isAcceptedSince(refused);
		if (!this.singledOut.has(requestId)) this.singleOut(requestId, this.issuedAt);
	}

	/** Notes that a request is refused for itself. @param issuedAt of the token that shows it; without it, that is certain */
	singleOut(requestId: TokenUse['requestId'], issuedAt = 0): void {
		if (this.singledOut.size >= MAX_SINGLED_OUT) this.singledOut.clear();
		this.singledOut.set(requestId, issuedAt);
	}

	/**
	 * Whether a request is refused for itself: for certain, or as it was singled out with a token before this one, which is accepted
	 * for nobody; and this one has been refused to no other since it was last accepted.
	 */
	isRefusedForItself({ requestId }: RefusedTokenUse): boolean {
		const issuedAt = this.singledOut.get(requestId) ?? Infinity;
		const isShown = issuedAt === 0 || (issuedAt < this.issuedAt && !this.isAccepted);
		return isShown && this.lastRefusedAt <= this.lastAcceptedAt;
	}
}
