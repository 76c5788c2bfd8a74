import type { IDataObject, IHttpRequestMethods, IHttpRequestOptions } from 'n8n-workflow';

import type { VoiceAdminCredential } from './auth/credential';
import { RESPONSE_OPTIONS } from './http/response';

/** One request of an operation, as an item's parameters make it. */
export interface ApiRequest {
	method: IHttpRequestMethods;
	/** Below the base URL, with its query; percent-encoded. */
	path: string;
	/** JSON body. */
	body?: IDataObject;
	/** The fields that were given; the output of an empty response repeats them. */
	fields: IDataObject;
	/** Names the request in an error: "trunk 1001, country IT". */
	label?: string;
	/** What the request creates, and a second one would create again: "customer with VAT number …". */
	creates?: string;
	/** Tells apart what requests create: the same for all spellings. */
	deduplicationKey?: string;
	/** What a response without a value means; by default, a success. */
	emptyResponse?: 'success' | 'invalid';
	/** The property of a response that holds its list. */
	rootProperty?: string;
}

/** Connection options that n8n's Request Options set in a node. */
export type ConnectionOptions = Pick<IHttpRequestOptions, 'proxy' | 'timeout' | 'skipSslCertificateValidation'>;

/** Time for a request where n8n gives none, in milliseconds: what its routing executor sets. */
const DEFAULT_TIMEOUT_MS = 300_000;

/** The longest time that a timer can be set to, in milliseconds. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** A request as n8n's request helper takes it, without its token. */
export type HttpRequest = IHttpRequestOptions & { timeout: number };

/** The address of a request. */
export function requestUrl({ path }: ApiRequest, { baseUrl }: VoiceAdminCredential): string {
	return baseUrl + path;
}

/** What a node sets of its own for its way to the service: a proxy, or that certificates are not verified. */
export function connectionKey({ proxy, skipSslCertificateValidation }: ConnectionOptions, { allowUnauthorizedCerts }: VoiceAdminCredential): object {
	return { proxy, ...(skipSslCertificateValidation === true && !allowUnauthorizedCerts && { skipSslCertificateValidation }) };
}

/** Makes the request that n8n's helper is handed. */
export function toHttpRequest(request: ApiRequest, connection: ConnectionOptions, credential: VoiceAdminCredential): HttpRequest {
	const { method, body } = request;
	const { allowedDomains, allowUnauthorizedCerts } = credential;
	return {
		...connection,
		timeout: Math.min(connection.timeout ?? DEFAULT_TIMEOUT_MS, MAX_TIMEOUT_MS),
		...(allowedDomains !== undefined && { allowedDomains }),
		method,
		url: requestUrl(request, credential),
		headers: {
			Accept: 'application/json',
			...(body !== undefined && { 'Content-Type': 'application/json' }),
		},
		// As text, because the HTTP client would copy an object key by key and lose a key like `__proto__`.
		body: body === undefined ? undefined : JSON.stringify(body),
		skipSslCertificateValidation: connection.skipSslCertificateValidation === true || allowUnauthorizedCerts,
		...RESPONSE_OPTIONS,
	};
}
