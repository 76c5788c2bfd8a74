import type { IAllExecuteFunctions, IExecutePaginationFunctions, IN8nHttpFullResponse, RequestHelperFunctions } from 'n8n-workflow';

import { CREDENTIAL_TYPE, type VoiceAdminCredential } from './auth/credential';
import type { TokenManager } from './auth/tokenManager';
import { withDeadline } from './flow/time';
import { judgeToken } from './http/classify';
import { type ApiResponse, readResponse } from './http/response';
import type { HttpRequest } from './request';

/** How often one request may get a 401 for the newest token, for one reason, before it is given up. */
const MAX_UNAUTHORIZED = 3;

/** How often one request is sent with tokens that others then find expired, before it is given up. */
const MAX_SENDS = 20;

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
	/** How often the request got a 401, by reason, and how often it was sent. */
	counts: { expired: number; doubtful: number; sends: number };
}

/**
 * Sends a request once, with the newest access token.
 *
 * @returns 'unauthorized' when it is to be sent again with a newer token
 */
export async function sendRequest({ context, credential, tokens, maxBytes, counts }: Sender, request: HttpRequest): Promise<Sent | 'unauthorized'> {
	const token = tokens.current;
	// Another request has found it expired since this one got its permit.
	if (token === '') return 'unauthorized';
	const outgoing: OutgoingRequest = { credential, token, wasSent: false };
	const sent = tokens.requestWith(token);
	counts.sends++;
	try {
		const response = await sendInTime(context, maxBytes, request, outgoing);
		const verdict = judgeToken(response.status);
		if (verdict === 'accepted') tokens.accepted(sent, credential);
		if (verdict !== 'rejected') return { response, token };
		const reason = tokens.invalidate(sent, credential);
		const isLast = reason !== 'replaced' && ++counts[reason] === MAX_UNAUTHORIZED;
		return isLast || counts.sends === MAX_SENDS ? { response, token } : 'unauthorized';
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
