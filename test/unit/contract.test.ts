import { RESOURCES } from '../../nodes/VoiceAdmin/operations';
import { type Operation, placeOf, sentFields } from '../../nodes/VoiceAdmin/operations/operation';
import { loadOpenApi } from '../../sandbox/openApi';

// The node's operations and sandbox/openapi.yaml describe one API, each in its own form. Here both are brought into a
// third one, line by line, and compared. Types are not: the sandbox rejects a request whose values have others.

/** What the document has and the node's operations have not, with the reason. */
const NOT_IN_NODE: Record<string, string> = {
	'POST /auth/api-key/login': 'the credential logs in',
	'POST /auth/api-key/login: body clientId': 'a field of the credential',
	'POST /auth/api-key/login: body clientSecret': 'a field of the credential',
	'POST /v1/customers/add: body pIva': 'a legacy alias: Other Fields takes it, and vatNumber is sent',
	'POST /v1/customers/add: body piva': 'the same',
};

/** What is said of an operation and of each of its parameters, by name: `PUT /path: body iso` is `required`. */
type Contract = Map<string, string>;

const necessity = (isRequired: boolean | undefined) => (isRequired ? 'required' : 'optional');

function contractOfOperation({ option, fields }: Operation): Contract {
	const { method, url } = option.routing.request;
	const sent = sentFields(fields).map((field) => ({ field, ...placeOf(field)! }));
	const hasBody = sent.some(({ type }) => type === 'body');
	return new Map(
		expand(url).flatMap((each): Array<[string, string]> => {
			const inPath = sent.filter(({ type, property }) => type !== 'path' || each.includes(`{${property}}`));
			const parameters = inPath.map(({ field, type, property }): [string, string] => {
				const name = `${method} ${each}: ${type}`;
				return field.spread ? [`${name} *`, 'any further ones'] : [`${name} ${property}`, necessity(type === 'path' || field.required)];
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
	required?: string[];
	properties?: Record<string, Schema>;
	additionalProperties?: boolean | Schema;
	allOf?: Schema[];
}

interface DocumentedOperation {
	method: string;
	path: string;
	parameters?: Array<{ in: string; name: string; required?: boolean }>;
	requestBody?: { content: Record<string, { schema?: Schema }> };
}

/** A schema with those that it adds by `allOf`. */
const partsOf = (schema: Schema): Schema[] => [schema, ...(schema.allOf ?? []).flatMap(partsOf)];

function contractOfDocument(operations: DocumentedOperation[]): Contract {
	return new Map(
		operations.flatMap(({ method, path, parameters = [], requestBody }): Array<[string, string]> => {
			const name = `${method.toUpperCase()} ${path}`;
			const media = Object.entries(requestBody?.content ?? {});
			const parts = media.flatMap(([, { schema = {} }]) => partsOf(schema));
			const required = parts.flatMap((part) => part.required ?? []);
			const properties = parts.flatMap((part) => Object.keys(part.properties ?? {}));
			return [
				[name, media.map(([type]) => type).join(' or ') || 'no body'],
				...parameters.map((each): [string, string] => [`${name}: ${each.in} ${each.name}`, necessity(each.required)]),
				...properties.map((property): [string, string] => [`${name}: body ${property}`, necessity(required.includes(property))]),
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

test.each(OPERATIONS)('%s agrees with sandbox/openapi.yaml: method, path, and name and necessity of each parameter', (_, operation) => {
	const contract = contractOfOperation(operation);
	expect(Object.fromEntries([...contract.keys()].map((name) => [name, document.get(name)]))).toEqual(Object.fromEntries(contract));
});

test('sandbox/openapi.yaml has nothing that the node lacks, but for what is listed with its reason', () => {
	const inNode = new Set(OPERATIONS.flatMap(([, operation]) => [...contractOfOperation(operation).keys()]));
	expect([...document.keys()].filter((name) => !inNode.has(name)).sort()).toEqual(Object.keys(NOT_IN_NODE).sort());
});
