import type { IDataObject, IHttpRequestMethods, INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

/** Checks one value and gives what is sent of it; a parser of `parameters/`. @throws InvalidParameterError */
export type Parser = (parameter: string, given: unknown) => unknown;

/** Where in the request a field's value goes. */
export interface Send {
	type: 'body' | 'path' | 'query';
	/** The API's name for it, where that is not the field's. */
	property?: string;
	/** The parser gives a list: a request for each of its values. */
	fanOut?: true;
	/** The parser gives an object: its properties go into the body. */
	spread?: true;
}

/** A field of the editor, with what becomes of its value. An optional one that is empty is not sent. */
export interface Field extends Omit<INodeProperties, 'options'> {
	send?: Send;
	parse?: Parser;
	options?: Array<Field | INodePropertyOptions | INodePropertyCollection>;
}

/** One operation of the API, as data: the node's description and its requests are made of it. */
export interface Operation {
	/** Name, value, action and description, as the editor lists it. */
	option: Omit<INodePropertyOptions, 'routing'>;
	method: IHttpRequestMethods;
	/** Template of RFC 6570, below the base URL: `{name}`, or `{/name}` for a segment that may be missing. */
	path: string;
	/** What an agent's model is told of the operation, before its fields: what it does, and what is at stake. */
	toolDescription: string;
	/** What is at stake, for who builds a workflow, and for who gives the operation to an agent. */
	notice?: { workflow: string; agent: string };
	/** In the order of the editor. */
	fields: Field[];
	/** Further entries of the collection "Options". */
	options?: Field[];
	/** Names a request in an error, by the fields that were sent: "trunk 1001, country IT". */
	label?: (sent: IDataObject) => string;
	/** Names what a request creates, where a second one would create it again: "customer with VAT number …". */
	creates?: (sent: IDataObject) => string;
	/** Rules across fields. @returns the body; by default, `body` with `spread` added @throws InvalidParameterError */
	finalize?: (given: { body: IDataObject; spread: IDataObject; options: IDataObject }) => IDataObject;
}

export interface Resource {
	name: string;
	value: string;
	/** Value of the operation that saved workflows without a choice of one mean. */
	default: string;
	/** By name. */
	operations: Operation[];
}

/** The fields whose values are sent, those of collections included. */
export function sentFields(fields: Field[]): Field[] {
	return fields.flatMap((field) => (field.type === 'collection' ? sentFields(field.options as Field[]) : field.send ? [field] : []));
}
