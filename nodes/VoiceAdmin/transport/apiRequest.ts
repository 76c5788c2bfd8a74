import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';

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
	/** Whether a response's value is what was asked for. */
	isResult?: (value: unknown) => boolean;
	/** The response property that holds the list. */
	rootProperty?: string;
	/** Of a list that is read page by page. */
	page?: Page;
}

/** Which page of a list a request is for. */
export interface Page {
	isLater: boolean;
	/** Whether a 404 with the API's own error body means that the page before was the last one, as some services answer. */
	mayNotExist: boolean;
	/** Maximum number of elements of all pages. */
	limit: number;
	/**
	 * The request for the next page.
	 * @param count elements so far @param length elements on this page @param body of this page @returns undefined after the last page
	 */
	next: (count: number, length: number, body: unknown) => ApiRequest | undefined;
}
