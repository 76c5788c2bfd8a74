import { join } from 'node:path';

import { OpenAPIBackend } from 'openapi-backend';
import type { Context, Document, Options, Request } from 'openapi-backend';

import { ApiError, invalidRequest } from './apiError';
import { exampleReply } from './example';
import { operations } from './operations';
import type { Service } from './operations';
import type { Permission } from './records';
import type { Reply } from './reply';
import { validationErrors } from './validationErrors';

/** Where the API is described: the one source of routes, permissions and validation. */
export const OPENAPI_FILE = join(__dirname, 'openapi.yaml');

/** A request as it came in, with its body parsed. */
export interface ApiRequest {
	method: string;
	/** Raw: percent-encoded, with the query if there is one. */
	path: string;
	headers: Record<string, string | string[] | undefined>;
	/** Value of the header that carries the access token. */
	authorization: string | undefined;
	/** Undefined if there is none. */
	body: unknown;
	/** Why the body can't be read; told only to who is authorized. */
	bodyRefusal?: ApiError;
}

type AjvCustomizer = NonNullable<Options['customizeAjv']>;

/** ajv runs in strict mode, where a misspelt keyword is an error: so the keywords that are ours are made known. */
const knowOurKeywords: AjvCustomizer = (ajv) =>
	ajv.addVocabulary(['x-not-in-spec', 'x-refusal']).addFormat('date-time', {
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
		// The router lists all operations anew several times for each request, which is half of what a request costs.
		const operations = this.router.getOperations();
		this.router.getOperations = () => operations;
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
		// verbose: the validation errors carry the schema that refused, and with it the sentence to tell
		ajvOpts: { allErrors: true, strict: true, strictRequired: false, allowUnionTypes: true, verbose: true },
		customizeAjv: knowOurKeywords,
		...options,
	}).init();
}

/** The operations of openapi.yaml. Keeps nothing between requests, so one serves all sandboxes of a process. */
export class Api {
	private readonly contentTypes: Map<string, string[]>;

	private constructor(private readonly openApi: OpenAPIBackend) {
		this.contentTypes = new Map(
			openApi.getOperations().map(({ operationId = '', requestBody }) => [
				operationId,
				requestBody && 'content' in requestBody ? Object.keys(requestBody.content) : [],
			]),
		);
	}

	private static loading: Promise<Api> | undefined;

	/** The API; loaded once for each process. */
	static load(): Promise<Api> {
		Api.loading ??= loadOpenApi({
			handlers: {
				...Object.fromEntries(
					Object.entries(operations).map(([operationId, operation]) => [
						operationId,
						({ request }: Context, service: Service) =>
							operation(service, {
								// Each parameter in a path is one text; openapi-backend's type allows for repeated query parameters.
								pathParameters: request.params as Record<string, string>,
								body: request.requestBody,
							}),
					]),
				),
				notImplemented: ({ api, operation }: Context) => exampleReply(api, operation.operationId ?? ''),
				notFound: ({ request }: Context) => {
					throw new ApiError(404, 'The API has no such path', `Nothing answers ${request.method.toUpperCase()} ${request.path}`);
				},
				methodNotAllowed: ({ request }: Context) => {
					throw new ApiError(405, 'The path does not take this method', `Nothing answers ${request.method.toUpperCase()} ${request.path}`);
				},
				postSecurityHandler: ({ security, operation }: Context, _service: Service, { bodyRefusal }: ApiRequest) => {
					if (bodyRefusal && (security.authorized || !operation.security?.length)) throw bodyRefusal;
				},
				unauthorizedHandler: ({ security }: Context) => {
					// openapi-backend keeps what a security handler throws as `{ error }`
					throw security.accessToken.error;
				},
				validationFail: ({ validation }: Context) => {
					throw invalidRequest(validationErrors(validation.errors ?? []));
				},
			},
			securityHandlers: {
				accessToken: async ({ operation }: Context, { tokens }: Service, { authorization }: ApiRequest) => {
					const bearer = await tokens.bearerOf(authorization);
					const needed = (operation.security ?? []).flatMap(({ accessToken }) => accessToken ?? []);
					const lacking = needed.filter((permission) => !bearer.permissions.includes(permission as Permission));
					if (lacking.length > 0) {
						throw new ApiError(
							403,
							'This client may not do this',
							`Client ${bearer.clientId} lacks the permission: ${lacking.join(', ')}`,
						);
					}
					return bearer;
				},
			},
		}).then((openApi) => new Api(openApi));
		return Api.loading;
	}

	/** The operation that a request is for; undefined if there is none. */
	operationOf(method: string, path: string): string | undefined {
		return this.openApi.matchOperation({ method, path, headers: {} })?.operationId;
	}

	/** The content types that an operation takes; none if it takes no body. */
	contentTypesOf(operationId: string): string[] {
		return this.contentTypes.get(operationId) ?? [];
	}

	/**
	 * Answers a request.
	 * @throws {ApiError} if it is refused
	 */
	async answer(request: ApiRequest, service: Service): Promise<Reply> {
		if (!isDecodable(request.path)) {
			throw invalidRequest([{ field: 'path', message: `is not percent-encoded correctly: ${request.path}` }]);
		}
		// Node's headers may be undefined by type, never in fact; and each operation returns a Reply.
		return (await this.openApi.handleRequest(request as Request, service, request)) as Reply;
	}
}

function isDecodable(path: string): boolean {
	try {
		decodeURIComponent(path);
		return true;
	} catch {
		return false;
	}
}
