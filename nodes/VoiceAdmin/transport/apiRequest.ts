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
	/** Whether a response's value is what was asked for. */
	isResult?: (value: unknown) => boolean;
}
