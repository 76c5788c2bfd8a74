import type { IDataObject } from 'n8n-workflow';

/**
 * One request, as an operation builds it from an item's parameters. Method and path prefix are in
 * the operation's description.
 */
export interface ApiRequest {
	/** Appended to the path, already percent-encoded, with its leading slash. */
	pathSuffix?: string;
	/** JSON body. */
	body?: IDataObject;
	/** The fields that were given; an empty reply's output repeats them. */
	sent: IDataObject;
	/** Names the request in an error, among several of an item: "Country IT of trunk 1001". */
	label?: string;
	/** What the request creates: "customer with VAT number …"; for an error after which it may exist. */
	creates?: string;
}

/** Reads a parameter of the item at hand, its expression resolved. */
export type ReadParameter = (name: string) => unknown;

/**
 * Checks an item's parameters and makes its requests of them; synchronous, so that whatever is
 * refused is refused before anything is sent.
 *
 * @throws Refusal
 */
export type BuildRequests = (read: ReadParameter) => ApiRequest[];

