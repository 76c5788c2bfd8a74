import type { IAllExecuteFunctions, IExecutePaginationFunctions, IN8nHttpFullResponse, RequestHelperFunctions } from 'n8n-workflow';

import { CREDENTIAL_TYPE, type VoiceAdminCredential } from './auth/credential';
import { withDeadline } from '../time';
import type { AttemptResult } from './http/classify';
import { readResponse } from './http/response';
import type { HttpRequest } from './apiRequest';

/** The parts of n8n's context that sending needs; a trigger's has no cancel signal. */
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

/** The result of a request that was sent once, and the token that it was sent with. */
export type SendResult = AttemptResult & { token: string };

/**
 * Sends a request once, with an access token, by n8n's helper, and ends it when its time is over or the execution is
 * canceled. @param maxBytes maximum size of the response's body
 */
export async function sendRequest(
	n8n: N8nContext,
	credential: VoiceAdminCredential,
	request: HttpRequest,
	token: string,
	maxBytes: number,
): Promise<SendResult> {
	const outgoing: OutgoingRequest = { credential, token, wasSent: false };
	// Decrypted once and handed over, as n8n would read it for each request; with a token, or else n8n would ask for one.
	const credentialData = { ...credential.data, accessToken: token, outgoing: outgoing as never };
	try {
		const response = await withDeadline(request.timeout, n8n.getExecutionCancelSignal?.(), async (signal) => {
			// The helper takes the signal from the context that it is called on, whatever the options say.
			const contextWithSignal = Object.create(n8n, { getExecutionCancelSignal: { value: () => signal } }) as IAllExecuteFunctions;
			const incoming = (await n8n.helpers.httpRequestWithAuthentication.call(
				contextWithSignal,
				CREDENTIAL_TYPE,
				{ ...request, headers: { ...request.headers } },
				{ credentialsDecrypted: { id: '', name: '', type: CREDENTIAL_TYPE, data: credentialData } },
			)) as IN8nHttpFullResponse;
			return await readResponse(incoming, maxBytes, signal);
		});
		return { response, token };
	} catch (error) {
		return { error, token, wasSent: outgoing.wasSent };
	}
}
