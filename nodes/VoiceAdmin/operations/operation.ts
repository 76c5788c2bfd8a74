import type { IDataObject, IHttpRequestMethods, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

/** Checks one value and gives what is sent of it; a parser of `parameters/`. @throws InvalidParameterError */
export type Parser = (parameter: string, given: unknown) => unknown;

/**
 * A field of the editor, in n8n's words: its properties, and `routing.send` for where in the request its value goes. What
 * n8n has no word for stands beside them, and n8n does not get to see it. An optional field that is empty is not sent.
 */
export interface Field extends Omit<INodeProperties, 'options' | 'routing'> {
	/** Where in the request the value goes. `property`: the API's name for it; in a body, a dot stands for a level. */
	routing?: { send: { type: 'body' | 'query'; property: string } };
	/** The value is a segment of the path: the one of this field's name in the operation's `url`. n8n would want an expression. */
	pathSegment?: true;
	/** Checks the value; n8n sends any. */
	parse?: Parser;
	/** The parser gives a list: a request for each of its values. n8n sends one for an item. */
	fanOut?: true;
	/** The parser gives an object: its properties go into the body. n8n sends a value under one name. */
	spread?: true;
	/** Of an option: what it means where it has not been added. By default, what n8n gives it when a person adds it. */
	whenAbsent?: unknown;
	options?: Array<Field | Choice | { displayName: string; name: string; values: Array<Omit<INodeProperties, 'routing'>> }>;
}

/** A choice of a list; the field is sent, whatever was chosen. */
type Choice = Omit<INodePropertyOptions, 'routing'> & { routing?: never };

/** One operation of the API, as data. The node's description and its requests are derived from it. */
export interface Operation {
	/**
	 * The entry of n8n's "Operation": how the editor lists it, and its request. `url` is below the base URL, and may be a
	 * template of RFC 6570: `{name}`, or `{/name}` for a segment that may be missing.
	 */
	option: Omit<INodePropertyOptions, 'routing'> & { routing: { request: { method: IHttpRequestMethods; url: string } } };
	/** What an agent's model is told of the operation, before its fields: what it does, and what is at stake. */
	toolDescription: string;
	/** What is at stake, for the person who builds a workflow or an agent. */
	notice?: { workflow: string; agent: string };
	/** What a response without a value (no body, `[]`, `{}`, `null`) means: a success, or that it is not a good one. */
	emptyResponse: 'success' | 'invalid';
	/** The property of a response that holds its list: an item for each element. n8n has the word for `postReceive`. */
	rootProperty?: string;
	/** In the order of the editor. */
	fields: Field[];
	/** Further entries of the collection "Options". */
	additionalOptions?: Field[];
	/** Names a request in an error, by the fields that it sends: "trunk 1001, country IT". */
	label?: (fields: IDataObject) => string;
	/** Names what a request creates, where a second one would create it again: "customer with VAT number …". */
	creates?: (fields: IDataObject) => string;
	/** Tells apart what requests create: the same for all spellings. Two with one key in a run are refused, unless `allowDuplicates` is on. */
	deduplicationKey?: (fields: IDataObject) => string;
	/** Rules across fields. @returns the body; by default, `body` with `spread` added @throws InvalidParameterError */
	finalize?: (given: { body: IDataObject; spread: IDataObject; options: IDataObject }) => IDataObject;
}

export interface Resource {
	name: string;
	value: string;
	/** Value of the operation that is chosen at first. */
	default: string;
	/** In alphabetical order of their names. */
	operations: Operation[];
}

/** The fields whose values are sent, those of collections included. */
export function sentFields(fields: Field[]): Field[] {
	return fields.flatMap((field) => (field.type === 'collection' ? sentFields(field.options as Field[]) : locationOf(field) ? [field] : []));
}

/** Where in the request a value goes, and under which name. */
export type RequestLocation = { type: 'body' | 'query' | 'path'; property: string };

/** @returns undefined for a field that is not sent */
export function locationOf({ name, routing, pathSegment, spread }: Field): RequestLocation | undefined {
	if (spread) return { type: 'body', property: name };
	return pathSegment ? { type: 'path', property: name } : routing?.send;
}
