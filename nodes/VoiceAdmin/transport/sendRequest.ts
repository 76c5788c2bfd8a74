import type {
	IAllExecuteFunctions,
	IExecuteFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
	RequestHelperFunctions,
} from 'n8n-workflow';

import { withDeadline } from '../time';
import { CREDENTIAL_TYPE, type VoiceAdminCredential } from './auth/credential';
import type { AttemptResult } from './response/classifyFailure';
import { readResponse, RESPONSE_OPTIONS } from './response/readResponse';
import type { ApiRequest } from './apiRequest';

/** n8n's context, as far as sending needs it; a trigger's has no cancel signal. */
export interface N8nContext extends Partial<Pick<IExecuteFunctions, 'getExecutionCancelSignal'>> {
	helpers: RequestHelperFunctions;
}

/** Passed with each request to the credential's `authenticate`, the last step before n8n sends it. */
export interface OutgoingRequest {
	credential: VoiceAdminCredential;
	token: string;
	/** Set by `authenticate`. */
	wasSent: boolean;
}

/** A request for n8n's helper, without a token. */
export type HttpRequest = IHttpRequestOptions & { timeout: number };

/**
 * Sends a request once with n8n's helper; aborts it on time-out or cancel. Never rejects. @param maxBytes maximum
 * response body, in bytes
 */
export async function sendRequest(
	n8n: N8nContext,
	credential: VoiceAdminCredential,
	request: HttpRequest,
	token: string,
	maxBytes: number,
): Promise<AttemptResult> {
	const outgoing: OutgoingRequest = { credential, token, wasSent: false };
	// Passed decrypted, as n8n would read it again for each request; with a token, as n8n would otherwise ask for one.
	const credentialData = { ...credential.data, accessToken: token, outgoing: outgoing as never };
	try {
		const response = await withDeadline(request.timeout, n8n.getExecutionCancelSignal?.(), async (signal) => {
			// The helper takes the signal from its context (`this`), not from the options.
			const contextWithSignal = Object.create(n8n, {
				getExecutionCancelSignal: { value: () => signal },
			}) as IAllExecuteFunctions;
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

/** The whole URL of a request, with its query. */
export function requestUrl({ path, query = {} }: ApiRequest, { baseUrl }: VoiceAdminCredential): string {
	const parameters = Object.entries(query).flatMap(([name, value]) =>
		[value].flat().map((each): [string, string] => [name, String(each)]),
	);
	return baseUrl + path + (parameters.length === 0 ? '' : `?${new URLSearchParams(parameters).toString()}`);
}

/** The options for n8n's request helper. @param timeout in milliseconds */
export function toHttpRequest(request: ApiRequest, credential: VoiceAdminCredential, timeout: number): HttpRequest {
	const { method, body } = request;
	const { allowUnauthorizedCerts } = credential;
	return {
		timeout,
		method,
		url: requestUrl(request, credential),
		headers: {
			Accept: 'application/json',
			...(body !== undefined && { 'Content-Type': 'application/json' }),
		},
		// As text, because the HTTP client would copy an object key by key and lose a key like `__proto__`.
		body: body === undefined ? undefined : JSON.stringify(body),
		skipSslCertificateValidation: allowUnauthorizedCerts,
		...RESPONSE_OPTIONS,
	};
}
