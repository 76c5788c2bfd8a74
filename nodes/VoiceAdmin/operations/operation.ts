import type { IDataObject, IHttpRequestMethods, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

/** A field of the editor, with n8n's properties and those of this package. An empty optional field is not sent. */
export interface Field extends Omit<INodeProperties, 'options' | 'routing'> {
	/** Where the value goes; `property` is the API's name for it. Unnecessary for a path segment, which `url` names. */
	routing?: { send: { type: 'body' | 'query'; property: string } };
	/** Validates the value and returns what is sent; see `parameters/`. @throws InvalidParameterError */
	parse?: (parameter: string, given: unknown) => unknown;
	/** The parser returns a list: a request for each value. n8n sends one per item. */
	fanOut?: true;
	/** The parser returns an object: its properties go into the body. n8n sends a value under one name. */
	spread?: true;
	/** An option's value if it has not been added; by default, `default`. */
	whenAbsent?: unknown;
	options?: Array<Choice | { displayName: string; name: string; values: Array<Omit<INodeProperties, 'routing'>> }>;
}

type Choice = Omit<INodePropertyOptions, 'routing'>;

/** One operation of the API, as data from which the node's description and its requests are derived. */
export interface Operation {
	/** The entry in n8n's "Operation" list, with its request. `url`: below the base URL, with `{field}` or, if optional, `{/field}`. */
	option: Choice & { routing: { request: { method: IHttpRequestMethods; url: string } } };
	/** For an agent's model: what it does, and what is at stake; the fields follow. */
	toolDescription: string;
	/** For people: what is at stake in a workflow, or with an agent, which `noticeFields` adds advice to. */
	notice?: { workflow: string; agent: string };
	/** Whether a response's value is what was asked for; by default, any is. For a response without one, see `outputItems`. */
	isResult?: (value: unknown) => boolean;
	fields: Field[];
	/** Optional fields, below "Additional Fields". In alphabetical order of their labels, as are `additionalOptions`. */
	additionalFields?: Field[];
	additionalOptions?: Field[];
	/** Names a request in errors: "trunk 1001, country IT". */
	label?: (fields: IDataObject) => string;
	/** Names what a request creates, if a second one would create it again: "customer with VAT number …". */
	creates?: (fields: IDataObject) => string;
	/** Identifies what a request creates, whatever its spelling. Duplicates in a run are rejected, unless `allowDuplicates` is on. */
	deduplicationKey?: (fields: IDataObject) => string;
	/** Rules across fields. @returns the body; by default, `body` with `spread` added @throws InvalidParameterError */
	buildBody?: (given: { body: IDataObject; spread: IDataObject; options: IDataObject }) => IDataObject;
}

/** Operations on one kind of thing, in the editor's first list. */
export interface Resource {
	name: string;
	value: string;
	default: string;
	/** In alphabetical order of their names. */
	operations: Operation[];
}

/** A field whose value is sent: where, and under which name. */
export type SentField = { field: Field; type: 'path' | 'query' | 'body'; property: string };

export function sentFields({ option, fields, additionalFields = [] }: Operation): SentField[] {
	const { url } = option.routing.request;
	return [...fields, ...additionalFields].flatMap((field): SentField | [] => {
		const { name: property, routing, spread } = field;
		if (url.includes(`{${property}}`) || url.includes(`{/${property}}`)) return { field, type: 'path', property };
		if (spread) return { field, type: 'body', property };
		return routing ? { field, ...routing.send } : [];
	});
}
