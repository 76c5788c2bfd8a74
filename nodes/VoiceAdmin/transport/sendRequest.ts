import type { IAllExecuteFunctions, IExecutePaginationFunctions, IHttpRequestOptions, IN8nHttpFullResponse, RequestHelperFunctions } from 'n8n-workflow';

import { CREDENTIAL_TYPE, type VoiceAdminCredential } from './auth/credential';
import { LoginError } from './auth/login';
import type { TokenManager } from './auth/tokenManager';
import type { RunQueue } from './flow/runQueue';
import { withDeadline } from './flow/time';
import { judgeToken } from './http/classify';
import { type ApiResponse, readResponse } from './http/response';

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

/** Who sends, and with which key. */
export interface Sender {
	context: N8nContext;
	credential: VoiceAdminCredential;
	tokens: TokenManager;
	/** The run, which may be stopped while the request waits for a token. */
	queue: RunQueue;
	/** Maximum size of a response's body, in bytes. */
	maxBytes: number;
}

/**
 * Sends a request with the newest access token, and again with a newer one when the service answers 401.
 *
 * @returns undefined when the run was stopped while the request waited for a token
 */
export async function sendRequest(sender: Sender, request: IHttpRequestOptions & { timeout: number }): Promise<Sent | undefined> {
	const { context, credential, tokens, queue } = sender;
	const unauthorized = { expired: 0, doubtful: 0 };
	let outgoing: OutgoingRequest = { credential, token: '', wasSent: false };
	try {
		for (let sends = 1; ; sends++) {
			const token = tokens.current || (await queue.unlessClosed(tokens.get({ helpers: context.helpers }, credential, request)));
			if (token === undefined || queue.isClosed) return undefined;
			outgoing = { credential, token, wasSent: false };
			const sent = tokens.requestWith(token);
			const response = await sendInTime(sender, request, outgoing);
			const verdict = judgeToken(response.status);
			if (verdict === 'accepted') tokens.accepted(sent, credential);
			if (verdict !== 'rejected') return { response, token };
			const reason = tokens.invalidate(sent, credential);
			const isLast = reason !== 'replaced' && ++unauthorized[reason] === MAX_UNAUTHORIZED;
			if (isLast || sends === MAX_SENDS) return { response, token };
		}
	} catch (error) {
		// A login that fails after a 401 fails before the request is sent again.
		return { error, token: outgoing.token, wasSent: outgoing.wasSent && !(error instanceof LoginError) };
	}
}

/** Sends a request by n8n's helper, and ends it when its time is over or the execution is cancelled. */
async function sendInTime({ context, maxBytes }: Sender, request: IHttpRequestOptions & { timeout: number }, outgoing: OutgoingRequest): Promise<ApiResponse> {
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
