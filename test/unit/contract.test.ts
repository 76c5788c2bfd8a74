import type { INodePropertyOptions } from 'n8n-workflow';

import { RESOURCES } from '../../nodes/VoiceAdmin/operations';
import { buildRequests } from '../../nodes/VoiceAdmin/operations/buildRequests';
import type { Field, Operation, Parser } from '../../nodes/VoiceAdmin/operations/operation';
import { placeOf, sentFields } from '../../nodes/VoiceAdmin/operations/operation';
import { boolean, integer, text } from '../../nodes/VoiceAdmin/parameters/scalars';
import { countryCodes } from '../../nodes/VoiceAdmin/parameters/countryCodes';
import { identifier } from '../../nodes/VoiceAdmin/parameters/identifier';
import { jsonObject } from '../../nodes/VoiceAdmin/parameters/jsonObject';
import { vatNumber } from '../../nodes/VoiceAdmin/parameters/vatNumber/vatNumber';
import { loadOpenApi } from '../../sandbox/openApi';

// The node's operations and sandbox/openapi.yaml describe one API, each in its own form. Here both are brought into a
// third one, line by line, and compared.

/** What the document has and the node's operations have not, with the reason. */
const NOT_IN_NODE: Record<string, string> = {
	'POST /auth/api-key/login': 'the credential logs in',
	'POST /auth/api-key/login: body clientId': 'a field of the credential',
	'POST /auth/api-key/login: body clientSecret': 'a field of the credential',
	'POST /v1/customers/add: body pIva': 'a legacy alias: Other Fields takes it, and vatNumber is sent',
	'POST /v1/customers/add: body piva': 'the same',
};

/**
 * Required by a rule across fields, the operation's `finalize`: neither the field nor the document says so. The node is
 * stricter here than the document, as a customer without a VAT number could not be deleted again.
 */
const REQUIRED_BY_RULE = ['POST /v1/customers/add: body vatNumber'];

/** What is said of an operation and of each of its parameters, by name: `PUT /path: body iso` is `string, required`. */
type Contract = Map<string, string>;

const line = (name: string, type: string, required: boolean): [string, string] => [
	name,
	`${type}, ${REQUIRED_BY_RULE.includes(name) ? 'required by a rule' : required ? 'required' : 'optional'}`,
];

/** JSON type of what a parser gives; of a list that is sent one by one, of each value. */
const TYPE_BY_PARSER = new Map<Parser | undefined, string>([
	[boolean, 'boolean'],
	[countryCodes, 'string'],
	[identifier, 'string'],
	[integer, 'integer'],
	[jsonObject, 'object'],
	[text, 'string'],
	[vatNumber, 'string'],
]);

function typeOfField({ parse, type, typeOptions, options }: Field): string {
	if (type === 'options') return `string of ${(options as INodePropertyOptions[]).map(({ value }) => value).join(', ')}`;
	return TYPE_BY_PARSER.get(parse) ?? (type === 'number' && typeOptions?.numberPrecision === 0 ? 'integer' : type);
}

function contractOfOperation({ option, fields }: Operation): Contract {
	const { method, url } = option.routing.request;
	const sent = sentFields(fields).map((field) => ({ field, ...placeOf(field)! }));
	const hasBody = sent.some(({ type }) => type === 'body');
	return new Map(
		expand(url).flatMap((each): Array<[string, string]> => {
			const inPath = sent.filter(({ type, property }) => type !== 'path' || each.includes(`{${property}}`));
			const parameters = inPath.map(({ field, type, property }): [string, string] => {
				const name = `${method} ${each}: ${type}`;
				return field.spread ? [`${name} *`, 'any further ones'] : line(`${name} ${property}`, typeOfField(field), type === 'path' || field.required === true);
			});
			return [[`${method} ${each}`, hasBody ? 'application/json' : 'no body'], ...parameters];
		}),
	);
}

/** The paths that a template stands for: with and without each segment that may be missing. */
function expand(template: string): string[] {
	const [before, name, after] = template.split(/\{\/(\w+)\}(.*)/s);
	return name === undefined ? [template] : ['', `/{${name}}`].flatMap((segment) => expand(`${before}${segment}${after}`));
}

interface Schema {
	type?: string | string[];
	enum?: unknown[];
	required?: string[];
	properties?: Record<string, Schema>;
	additionalProperties?: boolean | Schema;
	allOf?: Schema[];
}

interface DocumentedOperation {
	method: string;
	path: string;
	parameters?: Array<{ in: string; name: string; required?: boolean; schema?: Schema }>;
	requestBody?: { content: Record<string, { schema?: Schema }> };
}

/** A schema with those that it adds by `allOf`. */
const partsOf = (schema: Schema): Schema[] => [schema, ...(schema.allOf ?? []).flatMap(partsOf)];

function typeOfSchema(schema: Schema): string {
	const parts = partsOf(schema);
	const values = parts.flatMap((part) => part.enum ?? []);
	return parts.flatMap(({ type = [] }) => type).join(' or ') + (values.length > 0 ? ` of ${values.join(', ')}` : '');
}

function contractOfDocument(operations: DocumentedOperation[]): Contract {
	return new Map(
		operations.flatMap(({ method, path, parameters = [], requestBody }): Array<[string, string]> => {
			const name = `${method.toUpperCase()} ${path}`;
			const media = Object.entries(requestBody?.content ?? {});
			const parts = media.flatMap(([, { schema = {} }]) => partsOf(schema));
			const required = parts.flatMap((part) => part.required ?? []);
			return [
				[name, media.map(([type]) => type).join(' or ') || 'no body'],
				...parameters.map((each) => line(`${name}: ${each.in} ${each.name}`, typeOfSchema(each.schema ?? {}), each.required === true)),
				...parts.flatMap(({ properties = {} }) => Object.entries(properties)).map(([property, schema]) => line(`${name}: body ${property}`, typeOfSchema(schema), required.includes(property))),
				...(parts.some(({ additionalProperties }) => additionalProperties) ? [[`${name}: body *`, 'any further ones'] as [string, string]] : []),
			];
		}),
	);
}

const OPERATIONS = RESOURCES.flatMap(({ value, operations }) => operations.map((operation) => [`${value} ${operation.option.value}`, operation] as const));

let document: Contract;

beforeAll(async () => {
	document = contractOfDocument((await loadOpenApi()).getOperations() as DocumentedOperation[]);
});

describe.each(OPERATIONS)('%s', (_, operation) => {
	test('agrees with sandbox/openapi.yaml: method, path, and name, type and necessity of each parameter', () => {
		const differences = [...contractOfOperation(operation)]
			.filter(([name, said]) => document.get(name) !== said)
			.map(([name, said]) => `${name}: the node has "${said}", the document ${document.has(name) ? `"${document.get(name)}"` : 'does not have it'}`);
		expect(differences).toEqual([]);
	});

	test('has a field for each expression of its path, and one that may be empty where the segment may be missing', () => {
		const fields = sentFields(operation.fields).filter(({ pathSegment }) => pathSegment);
		const expressions = fields.map(({ name, required }) => `{${required ? '' : '/'}${name}}`);
		expect([...(operation.option.routing.request.url.match(/\{.*?\}/g) ?? [])].sort()).toEqual(expressions.sort());
	});
});

test('sandbox/openapi.yaml has nothing that the node lacks, but for what is listed with its reason', () => {
	const inNode = new Set(OPERATIONS.flatMap(([, operation]) => [...contractOfOperation(operation).keys()]));
	const missing = [...document.keys()].filter((name) => !inNode.has(name) && !(name in NOT_IN_NODE));
	const listedInVain = Object.keys(NOT_IN_NODE).filter((name) => inNode.has(name) || !document.has(name));
	expect({ 'neither in the node nor in NOT_IN_NODE': missing, 'in NOT_IN_NODE, but in the node, or not in the document': listedInVain }).toEqual({
		'neither in the node nor in NOT_IN_NODE': [],
		'in NOT_IN_NODE, but in the node, or not in the document': [],
	});
});

test.each(REQUIRED_BY_RULE)('%s is required, in its field or, under any of its names, in another', (name) => {
	const [, operation] = OPERATIONS.find(([, each]) => contractOfOperation(each).has(name))!;
	const build = (parameters: Record<string, unknown>) => buildRequests(operation, (parameter) => parameters[parameter]).requests.map(({ body }) => body);
	expect(() => build({})).toThrow("'VAT Number' is required");
	expect(build({ vatNumber: 'IT12345678903' })).toEqual([{ vatNumber: 'IT12345678903' }]);
	for (const alias of ['vatNumber', 'pIva', 'piva']) expect(build({ otherFields: { [alias]: 'IT12345678903' } })).toEqual([{ vatNumber: 'IT12345678903' }]);
});
