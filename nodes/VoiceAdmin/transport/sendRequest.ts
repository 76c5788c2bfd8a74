import type { IAllExecuteFunctions, IExecutePaginationFunctions, IN8nHttpFullResponse, RequestHelperFunctions } from 'n8n-workflow';

import { CREDENTIAL_TYPE, type VoiceAdminCredential } from './auth/credential';
import type { RunLimit } from './flow/runLimit';
import { withDeadline } from './flow/time';
import { type ApiResponse, readResponse } from './http/response';
import type { ConnectionOptions, HttpRequest } from './request';

/** What n8n lends a node to send requests with: an action for each item, a trigger for each poll (which has no signal). */
export interface N8nContext extends Partial<Pick<IExecutePaginationFunctions, 'getExecutionCancelSignal'>> {
	helpers: RequestHelperFunctions;
}

/** What the requests of an item, or of a poll, are sent with. */
export interface RequestContext {
	n8n: N8nContext;
	credential: VoiceAdminCredential;
	connection: ConnectionOptions;
	/** Closed when the run is stopped or canceled. */
	run: RunLimit;
	/** How often a request is sent again at the most for a fault of its own. */
	maxRetries: number;
	/** Whether the first failure stops the run. */
	stopsOnFailure: boolean;
	/** Maximum size of a response's body, in bytes; by default, that of an operation's. */
	maxBytes?: number;
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

/**
 * Sends a request once, with an access token, by n8n's helper, and ends it when its time is over or the execution is
 * canceled. @param maxBytes maximum size of the response's body
 */
export async function sendRequest(n8n: N8nContext, credential: VoiceAdminCredential, request: HttpRequest, token: string, maxBytes: number): Promise<Sent> {
	const outgoing: OutgoingRequest = { credential, token, wasSent: false };
	// Decrypted once and handed over, as n8n would read it for each request; with a token, or else n8n would ask for one.
	const data = { ...credential.data, accessToken: token, outgoing: outgoing as never };
	try {
		const response = await withDeadline(request.timeout, n8n.getExecutionCancelSignal?.(), async (signal) => {
			// The helper takes the signal from the context that it is called on, whatever the options say.
			const timed = Object.create(n8n, { getExecutionCancelSignal: { value: () => signal } }) as IAllExecuteFunctions;
			const started = (await n8n.helpers.httpRequestWithAuthentication.call(
				timed,
				CREDENTIAL_TYPE,
				{ ...request, headers: { ...request.headers } },
				{ credentialsDecrypted: { id: '', name: '', type: CREDENTIAL_TYPE, data } },
			)) as IN8nHttpFullResponse;
			return await readResponse(started, maxBytes, signal);
		});
		return { response, token };
	} catch (error) {
		return { error, token, wasSent: outgoing.wasSent };
	}
}
