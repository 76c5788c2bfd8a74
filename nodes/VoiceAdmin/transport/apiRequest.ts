import type { IDataObject, IHttpRequestMethods, IHttpRequestOptions } from 'n8n-workflow';

import type { VoiceAdminCredential } from './auth/credential';
import { RESPONSE_OPTIONS } from './response/readResponse';

/** n8n's routing executor's default, in milliseconds. */
const DEFAULT_TIMEOUT_MS = 300_000;

/** Maximum delay of a timer, in milliseconds. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** A request of an operation, built from an item's parameters. */
export interface ApiRequest {
	method: IHttpRequestMethods;
	/** Below the base URL; percent-encoded. */
	path: string;
	/** Not encoded; a list is sent as a parameter for each value. */
	query?: IDataObject;
	/** JSON body. */
	body?: IDataObject;
	/** The fields that are sent; the output for an empty response repeats them. */
	fields: IDataObject;
	/** Names the request in an error: "trunk 1001, country IT". */
	label?: string;
	/** What it creates, so that it must not be repeated: "customer with VAT number …". */
	creates?: string;
	/** Identifies what is created, whatever its spelling. */
	deduplicationKey?: string;
	/** In a header of this name. */
	headers?: Record<string, string>;
	/** By default, 'success'. */
	emptyResponse?: 'success' | 'invalid' | 'none';
	/** The response property that holds the list. */
	rootProperty?: string;
	/** Whether it is for another page than the first. */
	isLaterPage?: boolean;
	/** Whether a 404 with the API's own error body means that the page before was the last one of the list, as some services answer. */
	mayNotExist?: boolean;
	/** Maximum number of elements of all pages. */
	limit?: number;
	/**
	 * The request for the next page of a list.
	 * @param count of all elements so far @param length of this page, @param body of it @returns undefined after the last page
	 */
	nextPage?: (count: number, length: number, body: unknown) => ApiRequest | undefined;
}

/** A request for n8n's helper, without a token. */
export type HttpRequest = IHttpRequestOptions & { timeout: number };

/** Connection options that n8n's Request Options set in a node. */
export type ConnectionOptions = Pick<IHttpRequestOptions, 'proxy' | 'timeout' | 'skipSslCertificateValidation'>;

/** The connection settings that a node changes: a proxy, or unverified certificates. */
export function connectionKey({ proxy, skipSslCertificateValidation }: ConnectionOptions, { allowUnauthorizedCerts }: VoiceAdminCredential): object {
	return { proxy, ...(skipSslCertificateValidation === true && !allowUnauthorizedCerts && { skipSslCertificateValidation }) };
}

/** The whole URL of a request, with its query. */
export function requestUrl({ path, query = {} }: ApiRequest, { baseUrl }: VoiceAdminCredential): string {
	const parameters = Object.entries(query).flatMap(([name, value]) => [value].flat().map((each): [string, string] => [name, String(each)]));
	return baseUrl + path + (parameters.length === 0 ? '' : `?${new URLSearchParams(parameters).toString()}`);
}

/** The options for n8n's request helper. */
export function toHttpRequest(request: ApiRequest, connection: ConnectionOptions, credential: VoiceAdminCredential): HttpRequest {
	const { method, headers, body } = request;
	const { allowedDomains, allowUnauthorizedCerts } = credential;
	return {
		...connection,
		timeout: Math.min(connection.timeout ?? DEFAULT_TIMEOUT_MS, MAX_TIMEOUT_MS),
		...(allowedDomains !== undefined && { allowedDomains }),
		method,
		url: requestUrl(request, credential),
		headers: {
			...headers,
			Accept: 'application/json',
			...(body !== undefined && { 'Content-Type': 'application/json' }),
		},
		// As text, because the HTTP client would copy an object key by key and lose a key like `__proto__`.
		body: body === undefined ? undefined : JSON.stringify(body),
		skipSslCertificateValidation: connection.skipSslCertificateValidation === true || allowUnauthorizedCerts,
		...RESPONSE_OPTIONS,
	};
}
