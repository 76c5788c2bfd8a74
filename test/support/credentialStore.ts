import { getAdditionalKeys } from 'n8n-core';
import {
	type ICredentialDataDecryptedObject,
	type ICredentials,
	type ICredentialsExpressionResolveValues,
	ICredentialsHelper,
	type IExecuteData,
	type IHttpRequestHelper,
	type IHttpRequestOptions,
	type INode,
	type INodeCredentialsDetails,
	type INodeParameters,
	type INodeProperties,
	type IWorkflowExecuteAdditionalData,
	NodeHelpers,
	Workflow,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import { VoiceAdminApi } from '../../credentials/VoiceAdminApi.credentials';

/** n8n's `mockNode`, by which it resolves a credential's expressions for a poll, which has no items. */
const NO_NODE: INode = { id: '', name: '', type: 'mock', typeVersion: 1, position: [0, 0], parameters: {} };

const withoutItems = new Workflow({
	nodes: [NO_NODE],
	connections: {},
	active: false,
	nodeTypes: { getByName: () => undefined, getByNameAndVersion: () => undefined, getKnownTypes: () => ({}) } as never,
});

/** What n8n's database gives back is never what was given to it. */
const copied = <Data,>(data: Data): Data => JSON.parse(JSON.stringify(data)) as Data;

/**
 * One credential in memory, with what the CredentialsHelper of n8n 2.8.4 does with it, which is not in n8n-core: resolves its
 * expressions, calls the credential type, and stores what that gives.
 */
export class CredentialStore extends ICredentialsHelper {
	/** How often the credential was read and decrypted. */
	reads = 0;

	/** How often the credential was written. */
	writes = 0;

	private readonly type = new VoiceAdminApi();

	constructor(public stored: ICredentialDataDecryptedObject) {
		super();
	}

	getParentTypes(): string[] {
		return [];
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		_typeName: string,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		return await this.type.authenticate(credentials, requestOptions);
	}

	async preAuthentication(
		helpers: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
		_typeName: string,
		node: INode,
		credentialsExpired: boolean,
	): Promise<ICredentialDataDecryptedObject | undefined> {
		const expirable = this.type.properties.find(({ type, typeOptions }) => type === 'hidden' && typeOptions?.expirable === true)?.name;
		if (expirable === undefined) return undefined;
		if (credentials[expirable] !== '' && !credentialsExpired) return undefined;
		const output = (await this.type.preAuthentication.call(helpers, credentials)) as ICredentialDataDecryptedObject;
		if (output[expirable] === undefined || !node.credentials) return undefined;
		// All of the resolved credential, not the token alone.
		await this.updateCredentials(node.credentials[this.type.name]!, this.type.name, Object.assign(credentials, output));
		return Object.assign(credentials, output);
	}

	async getDecrypted(
		additionalData: IWorkflowExecuteAdditionalData,
		_nodeCredentials: INodeCredentialsDetails,
		_type: string,
		mode: WorkflowExecuteMode,
		executeData?: IExecuteData,
		raw?: boolean,
		resolve?: ICredentialsExpressionResolveValues,
	): Promise<ICredentialDataDecryptedObject> {
		this.reads++;
		const stored = copied(this.stored);
		if (raw) return stored;
		const data = NodeHelpers.getNodeParameters(this.type.properties, stored as INodeParameters, true, false, null, null)!;
		// Fields that n8n adds to every credential type.
		for (const own of ['allowedHttpRequestDomains', 'allowedDomains']) if (stored[own] !== undefined) data[own] ??= stored[own] as string;
		const keys = getAdditionalKeys(additionalData, mode, null, { secretsEnabled: false });
		if (!resolve) {
			return withoutItems.expression.getComplexParameterValue(NO_NODE, data, mode, keys, undefined, undefined, data) as ICredentialDataDecryptedObject;
		}
		const { workflow, runExecutionData, runIndex, itemIndex, node, connectionInputData } = resolve;
		const where = [runExecutionData, runIndex, itemIndex, node.name, connectionInputData, mode] as const;
		try {
			return workflow.expression.getParameterValue(data, ...where, keys, executeData, false, data) as ICredentialDataDecryptedObject;
		} catch (error) {
			(error as Error).message += ' [Error resolving credentials]';
			throw error;
		}
	}

	async updateCredentials(_credentials: INodeCredentialsDetails, _type: string, data: ICredentialDataDecryptedObject): Promise<void> {
		this.writes++;
		this.stored = copied(data);
	}

	async updateCredentialsOauthTokenData(): Promise<void> {
		throw new Error('This credential is not OAuth');
	}

	async getCredentials(): Promise<ICredentials> {
		throw new Error('Not called by the executor');
	}

	getCredentialsProperties(): INodeProperties[] {
		return this.type.properties;
	}
}

/** A credential as a user fills it in, for a service at `url`. */
export function credentialFor(
	url: string,
	more: Partial<ICredentialDataDecryptedObject> = {},
): ICredentialDataDecryptedObject {
	return {
		environment: 'production',
		baseUrl: url,
		stagingUrl: '',
		clientId: 'demo-client',
		clientSecret: 'demo-key-not-a-secret',
		authHeaderName: 'Authorization',
		authHeaderPrefix: 'Bearer',
		allowUnauthorizedCerts: false,
		accessToken: '',
		...more,
	} as ICredentialDataDecryptedObject;
}
