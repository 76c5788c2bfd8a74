import type { IDataObject, IHttpRequestMethods, IHttpRequestOptions } from 'n8n-workflow';

import type { VoiceAdminCredential } from './auth/credential';

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

/** Connection options that n8n's Request Options set in a node. */
export type ConnectionOptions = Pick<IHttpRequestOptions, 'proxy' | 'timeout' | 'skipSslCertificateValidation'>;

/** The connection settings that a node changes: a proxy, or unverified certificates. */
export function connectionKey({ proxy, skipSslCertificateValidation }: ConnectionOptions, { allowUnauthorizedCerts }: VoiceAdminCredential): object {
	return { proxy, ...(skipSslCertificateValidation === true && !allowUnauthorizedCerts && { skipSslCertificateValidation }) };
}
