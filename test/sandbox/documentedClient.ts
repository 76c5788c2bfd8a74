import axios from 'axios';
import type { AxiosResponse } from 'axios';
import type { OpenAPIBackend } from 'openapi-backend';

import { DEMO_CLIENT } from '../../sandbox';
import type { Client, Sandbox } from '../../sandbox';
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

	constructor(private readonly sandbox: Sandbox) {}

	/** Logs in and returns the reply. */
	async login({ clientId, clientSecret }: Pick<Client, 'clientId' | 'clientSecret'>): Promise<Response> {
		return await this.call('POST', '/auth/api-key/login', { body: new URLSearchParams({ clientId, clientSecret }), token: null });
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
		const sentToken = token === undefined ? await (this.demoToken ??= this.freshDemoToken()) : token;
		const type = body instanceof URLSearchParams ? 'application/x-www-form-urlencoded' : 'application/json';
		return await axios.request({
			method,
			url: this.sandbox.url + path,
			data: typeof body === 'object' && !(body instanceof URLSearchParams) ? JSON.stringify(body) : body?.toString(),
			headers: {
				...(sentToken !== null && { Authorization: `Bearer ${sentToken}` }),
				...(body !== undefined && { 'Content-Type': type }),
				...headers,
			},
			// no status is an exception, no redirect is followed, and a text is sent as it is
			validateStatus: () => true,
			maxRedirects: 0,
			transformRequest: (data: unknown) => data,
		});
	}

	/** Free of the document, because a test may have asked for a login that is not in it. */
	private async freshDemoToken(): Promise<string> {
		const { clientId, clientSecret } = DEMO_CLIENT;
		const response = await axios.post(`${this.sandbox.url}/auth/api-key/login`, new URLSearchParams({ clientId, clientSecret }));
		return response.data.access_token;
	}
}

/** Fails unless openapi.yaml describes the reply. A path or method that it does not have must give the error body. */
export async function expectDocumented(method: string, path: string, { status, data, headers }: Response): Promise<void> {
	const document = await openApiDocument();
	const operation = document.matchOperation({ method, path, headers: {} });
	const operationId = operation?.operationId ?? 'setPremium';
	const documentedStatus = operation ? status : 400;
	const described = operation?.responses?.[String(documentedStatus)] ?? (operation ? undefined : {});
	if (described === undefined) throw new Error(`${operationId} gave ${status}, which openapi.yaml does not describe`);
	const body = status === 204 ? data || null : data;
	const { errors } = document.validateResponse(body, operationId, documentedStatus);
	const shown = () => `${JSON.stringify(data)}\n${JSON.stringify(errors)}`;
	if (errors) throw new Error(`${operationId} gave ${status} with a body that openapi.yaml does not describe: ${shown()}`);
	if (status !== 204 && !String(headers['content-type']).startsWith('application/json')) {
		throw new Error(`${operationId} gave ${status} as ${headers['content-type']}`);
	}
}
