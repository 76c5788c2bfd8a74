import axios from 'axios';
import type { AxiosResponse } from 'axios';
import type { OpenAPIBackend } from 'openapi-backend';
import { type Client, DEMO_CLIENT, type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox';
import { loadOpenApi } from '../../sandbox/openApi';

/** A reply as a client sees it. `data` is parsed if it is JSON, a text otherwise. */
export type Response = Pick<AxiosResponse, 'status' | 'data' | 'headers'>;

/** What is sent: an object goes as JSON, URLSearchParams as a form, a text as it is. */
export interface Sent {
	body?: unknown;
	headers?: Record<string, string>;
	/** Undefined takes the demo client's; null sends none. */
	token?: string | null;
}

let loading: Promise<OpenAPIBackend> | undefined;

/** The sandbox's own document, to hold it to. */
export const openApiDocument = () => (loading ??= loadOpenApi());

/**
 * A client of a sandbox that believes no reply: each one must be described in openapi.yaml, its status as well as its
 * body, or the call fails.
 */
export class DocumentedClient {
	private demoToken: Promise<string> | undefined;

	constructor(private readonly sandbox: Pick<Sandbox, 'url'>) {}

	/** Logs in and returns the reply. */
	async login({ clientId, clientSecret }: Pick<Client, 'clientId' | 'clientSecret'>): Promise<Response> {
		return await this.call('POST', '/auth/api-key/login', {
			body: new URLSearchParams({ clientId, clientSecret }),
			token: null,
		});
	}

	/** Logs in and returns the access token. */
	async tokenOf(client: Client): Promise<string> {
		return (await this.login(client)).data.access_token;
	}

	async setPremium(body: unknown, sent: Sent = {}): Promise<Response> {
		return await this.call('PUT', '/v1/voip/dss/trunk/country/setpremium', { body, ...sent });
	}

	/** @param path what follows `/gtw/`, as it is to stand in the path */
	async gateway(path: string, sent: Sent = {}): Promise<Response> {
		return await this.call('GET', `/v1/voip/dss/gtw/${path}`, sent);
	}

	async addCustomer(body: unknown, sent: Sent = {}): Promise<Response> {
		return await this.call('POST', '/v1/customers/add', { body, ...sent });
	}

	/** Sends a request of the API, and holds its reply to the document. */
	async call(method: string, path: string, sent: Sent = {}): Promise<Response> {
		const response = await this.callFreely(method, path, sent);
		await expectDocumented(method, path, response);
		return response;
	}

	/** Sends a request, and believes whatever comes back. */
	async callFreely(method: string, path: string, { body, headers = {}, token }: Sent = {}): Promise<Response> {
		const sentToken = token === undefined ? await (this.demoToken ??= this.tokenOf(DEMO_CLIENT)) : token;
		const isForm = body instanceof URLSearchParams;
		return await axios.request({
			method,
			url: this.sandbox.url + path,
			data: typeof body === 'object' && !isForm ? JSON.stringify(body) : body?.toString(),
			headers: {
				...(sentToken !== null && { Authorization: `Bearer ${sentToken}` }),
				...(body !== undefined && {
					'Content-Type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
				}),
				...headers,
			},
			// no status is an exception, no redirect is followed, and a text is sent as it is
			validateStatus: () => true,
			maxRedirects: 0,
			transformRequest: (data: unknown) => data,
		});
	}
}

/** Gives a test file a sandbox, with a client of it. Before each test, the sandbox is reset. */
export function sandboxOfFile(
	give: (sandbox: Sandbox, client: DocumentedClient) => void,
	options: SandboxOptions = {},
): void {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox(options);
		give(sandbox, new DocumentedClient(sandbox));
	});
	beforeEach(() => sandbox.reset());
	afterAll(async () => await sandbox.close());
}

/** Fails unless openapi.yaml describes the reply. A path or method that it does not have must give the error body. */
export async function expectDocumented(
	method: string,
	path: string,
	{ status, data, headers }: Response,
): Promise<void> {
	const document = await openApiDocument();
	const { operationId = '', responses } = document.matchOperation({ method, path, headers: {} }) ?? {};
	const isDescribed = responses === undefined || String(status) in responses;
	const [like, as] = responses ? [operationId, status] : ['setPremium', 400];
	const { errors } = document.validateResponse(status === 204 ? data || null : data, like, as);
	const type = status === 204 ? 'application/json' : String(headers['content-type']);
	if (isDescribed && !errors && type.startsWith('application/json')) return;
	const shown = `${type} ${JSON.stringify(data)}\n${JSON.stringify(errors)}`;
	throw new Error(`${method} ${path} gave ${status} in a way that openapi.yaml does not describe: ${shown}`);
}
