import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';

import { OpenAPIBackend } from 'openapi-backend';
import type { Context, Document, Options, Request, ValidationResult } from 'openapi-backend';

import { ApiError, invalidField } from './apiError';
import type { Reply } from './apiError';
import { operations } from './operations';
import type { Service } from './operations';
import { parseBody } from './requestBody';

/** Where the API is described: the one source of routes, permissions and validation. */
export const OPENAPI_FILE = join(__dirname, 'openapi.yaml');

/** A request of the API, raw. */
export interface ApiRequest {
	method: string;
	/** Percent-encoded, with the query if there is one. */
	path: string;
	headers: IncomingHttpHeaders;
	/** A Buffer. Replaced by what it holds. */
	body: unknown;
	/** Of the path, decoded. */
	query?: Record<string, string>;
}

type SchemaError = NonNullable<ValidationResult['errors']>[number];

/** ajv runs in strict mode, where a misspelled keyword is an error: so the keywords that are ours are made known. */
const addKeywords: NonNullable<Options['customizeAjv']> = (ajv) =>
	ajv.addVocabulary(['x-not-in-spec', 'x-message']).addFormat('date-time', {
		type: 'string',
		validate: (text: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text)),
	});

/**
 * openapi-backend 5.16 routes and validates 3.1 documents, but checks the document itself against the schema of 3.0,
 * which knows neither `type: [string, 'null']` nor `info.summary`. `npm run lint:openapi` checks it against that of 3.1.
 */
class OpenApi31Backend extends OpenAPIBackend {
	override validateDefinition(): Document {
		return this.document;
	}

	override async init(): Promise<this> {
		await super.init();
		// The router lists all operations several times for each request, which is half of what a request costs.
		const all = this.router.getOperations();
		this.router.getOperations = () => all;
		return this;
	}
}

/**
 * Loads openapi.yaml with the settings that the sandbox routes and validates with. Takes some 100 ms.
 * @throws if the document is not valid
 */
export async function loadOpenApi(options: Omit<Options, 'definition'> = {}): Promise<OpenAPIBackend> {
	return await new OpenApi31Backend({
		definition: OPENAPI_FILE,
		strict: true,
		validate: true,
		ignoreTrailingSlashes: false,
		// verbose: the validation errors carry the schema, and with it the sentence of `x-message`
		ajvOpts: { allErrors: true, strict: true, strictRequired: false, allowUnionTypes: true, verbose: true },
		customizeAjv: addKeywords,
		...options,
	}).init();
}

const handlers: Options['handlers'] = {
	// An operation that is only described is answered by the example of its success, whatever was asked.
	notImplemented: ({ api, operation }: Context): Reply => {
		const { status, mock } = api.mockResponseForOperation(operation.operationId ?? '');
		const response = operation.responses?.[status];
		// For a response without a body, such as a 204, openapi-backend makes up an empty object.
		return response && 'content' in response ? { status, body: mock } : { status };
	},
	notFound: ({ request }: Context) => {
		throw new ApiError(404, 'The API has no such path', `Nothing answers ${request.method.toUpperCase()} ${request.path}`);
	},
	methodNotAllowed: ({ request }: Context) => {
		throw new ApiError(405, 'This path does not support this method', `Nothing answers ${request.method.toUpperCase()} ${request.path}`);
	},
	postSecurityHandler: ({ security, operation, request }: Context, _service: Service, incoming: ApiRequest) => {
		if (!security.authorized && operation.security?.length) return;
		const accepted = operation.requestBody && 'content' in operation.requestBody ? Object.keys(operation.requestBody.content) : [];
		// both: the one is validated, the other is what the operation gets
		incoming.body = request.requestBody = parseBody(incoming.body as Buffer, incoming.headers['content-type'], accepted);
	},
	unauthorizedHandler: ({ security }: Context) => {
		// openapi-backend keeps what a security handler throws as `{ error }`
		throw security.accessToken.error;
	},
	validationFail: ({ validation }: Context) => {
		const all = (validation.errors ?? []).map((error) => ({ field: fieldOf(error), message: messageOf(error) }));
		throw new ApiError(400, 'The request is not valid', all.filter(({ field }, index) => all.findIndex((other) => other.field === field) === index));
	},
};

const securityHandlers: Options['securityHandlers'] = {
	accessToken: ({ operation, request }: Context, { tokens }: Service) =>
		tokens.authorize(request.headers.authorization as string | undefined, (operation.security ?? []).flatMap(({ accessToken }) => accessToken ?? [])),
};

let loading: Promise<OpenAPIBackend> | undefined;

/** The API that openapi.yaml describes. Keeps nothing between requests, so it is loaded once for all sandboxes of a process. */
export function loadApi(): Promise<OpenAPIBackend> {
	const own = Object.entries(operations).map(([operationId, operation]) => [
		operationId,
		// Each parameter in a path is one text; openapi-backend's type allows for repeated query parameters.
		({ request }: Context, service: Service) => operation(service, { pathParameters: request.params as Record<string, string>, body: request.requestBody }),
	]);
	// quick: a request's validator is compiled when the first such request comes, that of a response never
	return (loading ??= loadOpenApi({ quick: true, handlers: { ...handlers, ...Object.fromEntries(own) }, securityHandlers }));
}

/** Whether a path with its query is percent-encoded correctly. */
export function isDecodable(path: string): boolean {
	try {
		decodeURIComponent(path);
		return true;
	} catch {
		return false;
	}
}

/** The operation that a request is for; undefined if there is none. */
export function operationOf(api: OpenAPIBackend, method: string, path: string) {
	return api.matchOperation({ method, path, headers: {} });
}

/**
 * Answers a request of the API.
 * @throws {ApiError} if it is not valid, not authorized or fails
 */
export async function answerApi(api: OpenAPIBackend, service: Service, request: ApiRequest): Promise<Reply> {
	if (!isDecodable(request.path)) throw invalidField('path', `is not percent-encoded correctly: ${request.path}`);
	// By itself, openapi-backend takes brackets in a name, such as `filter[status]`, for an object.
	request.query = Object.fromEntries(new URLSearchParams(request.path.split('?')[1]));
	// Node's headers may be undefined by type, never in fact; and each operation returns a Reply.
	return (await api.handleRequest(request as Request, service, request)) as Reply;
}

/** The field as the client knows it: `idTrunk`, not `/requestBody/idTrunk`; `body` for the body as a whole. */
function fieldOf({ instancePath, keyword, params }: SchemaError): string {
	const names = instancePath.split('/').slice(2);
	if (keyword === 'required') names.push(params.missingProperty);
	if (keyword === 'additionalProperties') names.push(params.additionalProperty);
	return names.filter((name) => name !== 'requestBody').join('.') || 'body';
}

/** In the words of someone who knows the API and not the schema. */
function messageOf({ keyword, message = 'is not valid', parentSchema }: SchemaError): string {
	// openapi.yaml gives the sentence where that of the keyword would show a regular expression or the like
	if (typeof parentSchema?.['x-message'] === 'string') return parentSchema['x-message'];
	return { required: 'is required', additionalProperties: 'is not known' }[keyword] ?? message;
}
