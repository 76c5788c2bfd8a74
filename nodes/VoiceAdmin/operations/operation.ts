import type { IDataObject, IHttpRequestMethods, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

/** Validates a value and returns what is sent; see `parameters/`. @throws InvalidParameterError */
export type Parser = (parameter: string, given: unknown) => unknown;

/**
 * A field of the editor: n8n's properties, with `routing.send` for where its value goes, and properties of this package, which n8n
 * doesn't see. An empty optional field is not sent.
 */
export interface Field extends Omit<INodeProperties, 'options' | 'routing'> {
	/** Where the value goes. `property`: the API's name for it. */
	routing?: { send: { type: 'body' | 'query'; property: string } };
	/** The value is the path segment with this field's name in `url`; n8n would need an expression. */
	pathSegment?: true;
	/** Checks the value; n8n sends any. */
	parse?: Parser;
	/** The parser returns a list: a request for each value. n8n sends one per item. */
	fanOut?: true;
	/** The parser returns an object: its properties go into the body. n8n sends a value under one name. */
	spread?: true;
	/** An option's value if it has not been added; by default, `default`. */
	whenAbsent?: unknown;
	options?: Array<
		Field | Choice | { displayName: string; name: string; values: Array<Omit<INodeProperties, 'routing'>> }
	>;
}

/** What n8n doesn't know of a field. */
const PACKAGE_PROPERTIES: string[] = ['pathSegment', 'parse', 'fanOut', 'spread', 'whenAbsent'] satisfies Array<
	keyof Field
>;

/** A field as n8n knows it. */
export function toNodeProperty(field: Field): INodeProperties {
	const property = Object.fromEntries(Object.entries(field).filter(([name]) => !PACKAGE_PROPERTIES.includes(name)));
	const options = field.options?.map((option) => ('type' in option ? toNodeProperty(option) : option));
	return { ...property, ...(options && { options }) } as unknown as INodeProperties;
}

type Choice = Omit<INodePropertyOptions, 'routing'> & { routing?: never };

/** One operation of the API, as data from which the node's description and its requests are derived. */
export interface Operation {
	/**
	 * The entry in n8n's "Operation" list, with its request. `url` is relative to the base URL, and may be a template (RFC 6570):
	 * `{name}`, or `{/name}` for an optional segment.
	 */
	option: Omit<INodePropertyOptions, 'routing'> & {
		routing: { request: { method: IHttpRequestMethods; url: string } };
	};
	/** For an agent's model: what it does, and what is at stake; the fields follow. */
	toolDescription: string;
	/** For people: what is at stake in a workflow, or with an agent, which `noticeFields` adds advice to. */
	notice?: { workflow: string; agent: string };
	/** Whether a response's value is what was asked for; by default, any is. For a response without one, see `outputItems`. */
	isResult?: (value: unknown) => boolean;
	fields: Field[];
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

/** The fields whose values are sent, including those in collections. */
export function sentFields(fields: Field[]): Field[] {
	return fields.flatMap((field) =>
		field.type === 'collection' ? sentFields(field.options as Field[]) : locationOf(field) ? [field] : [],
	);
}

export type RequestLocation = { type: 'body' | 'query' | 'path'; property: string };

/** @returns undefined for a field that is not sent */
export function locationOf({ name, routing, pathSegment, spread }: Field): RequestLocation | undefined {
	if (spread) return { type: 'body', property: name };
	return pathSegment ? { type: 'path', property: name } : routing?.send;
}
