import type { IAllExecuteFunctions, IExecutePaginationFunctions, IN8nHttpFullResponse, RequestHelperFunctions } from 'n8n-workflow';

import { CREDENTIAL_TYPE, type VoiceAdminCredential } from './auth/credential';
import type { TokenManager } from './auth/tokenManager';
import { time, withDeadline } from './flow/time';
import { classify, judgeToken } from './http/classify';
import { type ApiResponse, readResponse } from './http/response';
import type { HttpRequest } from './request';

/** How many logins one request may cause, before its response is taken for final. */
const MAX_LOGINS = 3;

/** How often one request is sent again whose token was accepted for others, before that. */
const MAX_SAME_TOKEN = 3;

/** How often one request is sent with tokens that are not accepted, before that. */
const MAX_REFUSED = 30;

/** Longest wait before a request is sent again with a young token, in milliseconds: the first, which doubles; the last. */
const FIRST_WAIT_MS = 400;
const LAST_WAIT_MS = 1_600;

/** What n8n lends a node to send requests with: an action for each item, a trigger for each poll (which has no signal). */
export interface N8nContext extends Partial<Pick<IExecutePaginationFunctions, 'getExecutionCancelSignal'>> {
	helpers: RequestHelperFunctions;
}

/** Handed to the credential's `authenticate`, the last step before the wire, with each request of this package. */
export interface OutgoingRequest {
	credential: VoiceAdminCredential;
	token: string;
	/** Set by `authenticate`. */
	wasSent: boolean;
}

/** The result of a request: a response of whatever status, or why there is none; and the token that it was sent with. */
export type Sent = { response: ApiResponse; token: string } | { error: unknown; token: string; wasSent: boolean };

/** Who sends a request, and with which key. */
export interface Sender {
	context: N8nContext;
	credential: VoiceAdminCredential;
	tokens: TokenManager;
	/** Maximum size of a response's body, in bytes. */
	maxBytes: number;
	/** How often the request was sent, how often its token was not accepted, and two reasons for that. */
	counts: { sends: number; refused: number; logInAgain: number; retryWithSameToken: number };
}

/** A request whose token was not accepted, and which is to be sent again with the newest one. */
export interface Refused {
	/** To be waited for, in milliseconds, unless there is another token before. */
	waitMs: number;
	token: string;
}

/** Sends a request once, with the newest access token. */
export async function sendRequest({ context, credential, tokens, maxBytes, counts }: Sender, request: HttpRequest): Promise<Sent | Refused> {
	const token = tokens.current;
	// Another request has found it expired since this one got its permit.
	if (token === '') return { waitMs: 0, token };
	const outgoing: OutgoingRequest = { credential, token, wasSent: false };
	const sent = tokens.requestWith(token);
	counts.sends++;
	try {
		const response = await sendInTime(context, maxBytes, request, outgoing);
		const verdict = judgeToken(response);
		if (verdict === 'accepted') tokens.accepted(sent, credential);
		// A redirect may follow a create that was done.
		const mayRepeat = verdict === 'refused' || (verdict === 'suspected' && classify(request.method!, { response }).outcome === 'not_done');
		const next = mayRepeat ? tokens.refused(sent, credential, verdict === 'refused') : 'giveUp';
		if (next === 'giveUp') return { response, token };
		counts.refused++;
		if (next === 'logInAgain' || next === 'retryWithSameToken') counts[next]++;
		if (counts.logInAgain > MAX_LOGINS || counts.retryWithSameToken > MAX_SAME_TOKEN || counts.refused > MAX_REFUSED) return { response, token };
		const longest = Math.min(FIRST_WAIT_MS * 2 ** (counts.refused - 1), LAST_WAIT_MS);
		return { waitMs: next === 'retryLater' ? (longest * (1 + time.random())) / 2 : 0, token };
	} catch (error) {
		return { error, token, wasSent: outgoing.wasSent };
	}
}

/** Sends a request by n8n's helper, and ends it when its time is over or the execution is cancelled. */
async function sendInTime(context: N8nContext, maxBytes: number, request: HttpRequest, outgoing: OutgoingRequest): Promise<ApiResponse> {
	return await withDeadline(request.timeout, context.getExecutionCancelSignal?.(), async (signal) => {
		// Decrypted once and handed over, as n8n would read it for each request; with a token, or else n8n would ask for one.
		const data = { ...outgoing.credential.data, accessToken: outgoing.token, outgoing: outgoing as never };
		// The helper takes the signal from the context that it is called on, whatever the options say.
		const timed = Object.create(context, { getExecutionCancelSignal: { value: () => signal } }) as IAllExecuteFunctions;
		const response = (await context.helpers.httpRequestWithAuthentication.call(
			timed,
			CREDENTIAL_TYPE,
			{ ...request, headers: { ...request.headers } },
			{ credentialsDecrypted: { id: '', name: '', type: CREDENTIAL_TYPE, data } },
		)) as IN8nHttpFullResponse;
		return await readResponse(response, maxBytes, signal);
	});
}
