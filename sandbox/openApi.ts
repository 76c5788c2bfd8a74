import { join } from 'node:path';

import { type Context, OpenAPIBackend, type Options, type ValidationResult } from 'openapi-backend';

import { ApiError, createValidationError, type Reply } from './apiError';
import { operations } from './operations';
import type { SandboxState } from './state';

/** The single source of routes, permissions and validation. */
const OPENAPI_FILE = join(__dirname, 'openapi.yaml');

type SchemaError = NonNullable<ValidationResult['errors']>[number];

/**
 * Loads openapi.yaml for routing and validation. Takes about 100 ms.
 * @throws if the document has a broken reference
 */
export async function loadOpenApi(handlers: Options['handlers'] = {}): Promise<OpenAPIBackend> {
	const api = new OpenAPIBackend({
		definition: OPENAPI_FILE,
		handlers,
		strict: true,
		// openapi-backend 5.16 would validate the document as OpenAPI 3.0; `npm run lint:openapi` validates it as what it is
		quick: true,
		ignoreTrailingSlashes: false,
		// verbose: validation errors contain the schema, and with it `x-message`
		ajvOpts: { allErrors: true, strict: false, validateFormats: false, verbose: true },
	});
	await api.init();
	// The router lists all operations several times per request, which takes half of a request's time: cache the list.
	const apiOperations = api.router.getOperations();
	api.router.getOperations = () => apiOperations;
	return api;
}

const apiHandlers: Options['handlers'] = {
	// An operation that has no code here gets the example of its success response, whatever the request.
	notImplemented: ({ api, operation }: Context): Reply => {
		const { status, mock } = api.mockResponseForOperation(operation.operationId ?? '');
		const response = operation.responses?.[status];
		// For a response without a body, such as a 204, openapi-backend returns an empty object.
		if (!response || !('content' in response)) return { status };
		return { status, headers: { 'Content-Type': 'application/json; charset=utf-8' }, body: JSON.stringify(mock) };
	},
	notFound: createErrorHandler(404, 'The API has no such path'),
	methodNotAllowed: createErrorHandler(405, 'This path does not support this method'),
	postRoutingHandler: ({ operation, request }: Context, { tokens }: SandboxState, input: { body: unknown }) => {
		if (!operation) return;
		const { security = [], requestBody } = operation;
		const permissions = security.flatMap(({ accessToken }) => accessToken ?? []);
		if (security.length > 0) tokens.authorize(request.headers.authorization as string | undefined, permissions);
		const contentTypes = requestBody && 'content' in requestBody ? Object.keys(requestBody.content) : [];
		const contentType = request.headers['content-type'] as string | undefined;
		const body = parseBody(input.body as string, contentType, contentTypes);
		// openapi-backend validates the one and passes the other to the operation
		input.body = request.requestBody = body;
	},
	validationFail: ({ validation }: Context) => {
		const errors = (validation.errors ?? []).map((error) => ({ field: fieldOf(error), message: messageOf(error) }));
		const isFirst = ({ field }: { field: string }, index: number) =>
			errors.findIndex((each) => each.field === field) === index;
		throw createValidationError(...errors.filter(isFirst));
	},
};

function createErrorHandler(status: number, message: string) {
	return ({ request }: Context) => {
		throw new ApiError(status, message, `There is no ${request.method.toUpperCase()} ${request.path}`);
	};
}

let apiPromise: Promise<OpenAPIBackend> | undefined;

/** The API of openapi.yaml. It is stateless, so all sandboxes of a process share it. */
export const loadApi = (): Promise<OpenAPIBackend> => (apiPromise ??= loadOpenApi({ ...apiHandlers, ...operations }));

/**
 * Parses a body: an object for a form; an object, an array or null for JSON; undefined if it is empty.
 * @param contentTypes the operation's content types; if it has none, the body is ignored
 * @throws {ApiError} 415 for another content type, 400 for malformed JSON or a JSON scalar
 */
function parseBody(text: string, contentType: string | undefined, contentTypes: string[]): unknown {
	if (text === '' || contentTypes.length === 0) return undefined;
	const mediaType = contentType?.split(';')[0]?.trim().toLowerCase() || 'none';
	if (!contentTypes.includes(mediaType)) {
		const details = `Sent: ${mediaType}. Accepted: ${contentTypes.join(', ')}`;
		throw new ApiError(415, 'The content type of the request is not accepted', details);
	}
	if (mediaType === 'application/x-www-form-urlencoded') return Object.fromEntries(new URLSearchParams(text));
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch (error) {
		throw createValidationError({ field: 'body', message: `is not JSON: ${(error as Error).message}` });
	}
	// openapi-backend would parse a string as JSON once more
	if (typeof value !== 'object')
		throw createValidationError({ field: 'body', message: `must be object, not ${typeof value}` });
	return value;
}

/** The field's name for the client: `idTrunk`, not `/requestBody/idTrunk`; `body` for the whole body. */
function fieldOf({ instancePath, params }: SchemaError): string {
	const names = [...instancePath.split('/').slice(2), params.missingProperty ?? params.additionalProperty];
	return names.filter((name) => name && name !== 'requestBody').join('.') || 'body';
}

/** A message for a reader who doesn't know the schema. */
function messageOf({ keyword, message = 'is not valid', parentSchema }: SchemaError): string {
	// openapi.yaml sets x-message where ajv's message would show e.g. a regular expression
	if (typeof parentSchema?.['x-message'] === 'string') return parentSchema['x-message'];
	return { required: 'is required', additionalProperties: 'is not known' }[keyword] ?? message;
}
