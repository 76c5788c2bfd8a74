import { type IHttpRequestOptions, type INodeType, type IRequestOptions, Workflow } from 'n8n-workflow';
import type { CredentialStore } from './credentialStore';
import { contextOf, nodeOf, nodeTypesOf } from './nodeTypes';

// By its type n8n lets it use any credential.
const NODE = nodeOf('HTTP Request', 'n8n-nodes-base.httpRequest', { typeVersion: 4.2 });

const nodeTypes = nodeTypesOf({
	[NODE.type]: {
		description: {
			displayName: '',
			name: NODE.type,
			group: [],
			version: 4.2,
			description: '',
			defaults: {},
			inputs: [],
			outputs: [],
			properties: [],
		},
	} as INodeType,
});

/**
 * Sends a GET with the credential as n8n's HTTP Request node (version 4) does: by n8n-core's older helper, with redirects
 * followed unless the credential turns that off.
 * @throws NodeApiError for any other status than 2xx, after n8n has repeated the request if the credential lets it
 */
export async function httpRequest(uri: string, store: CredentialStore): Promise<{ statusCode: number }> {
	const context = newContext(store);
	const request: IRequestOptions = {
		headers: {},
		method: 'GET',
		uri,
		gzip: true,
		rejectUnauthorized: true,
		followRedirect: true,
		followAllRedirects: true,
		resolveWithFullResponse: true,
		sendCredentialsOnCrossOriginRedirect: true,
		timeout: 10_000,
	};
	return (await context.helpers.requestWithAuthentication.call(context, 'voiceAdminApi', request, undefined, 0)) as {
		statusCode: number;
	};
}

/** Sends a GET with the credential as newer nodes do: by n8n-core's newer helper. @throws as {@link httpRequest} does */
export async function newerHttpRequest(url: string, store: CredentialStore): Promise<{ statusCode: number }> {
	const context = newContext(store);
	const request: IHttpRequestOptions = { method: 'GET', url, returnFullResponse: true };
	return (await context.helpers.httpRequestWithAuthentication.call(context, 'voiceAdminApi', request)) as {
		statusCode: number;
	};
}

const newContext = (store: CredentialStore) =>
	contextOf(new Workflow({ nodes: [NODE], connections: {}, active: false, nodeTypes }), NODE, store, 'trigger');
