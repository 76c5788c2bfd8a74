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

/** Where n8n resolves a credential's expressions for a poll, which has no items. */
const NO_ITEMS = new Workflow({
	nodes: [{ id: '', name: 'None', type: 'none', typeVersion: 1, position: [0, 0], parameters: {} }],
	connections: {},
	active: false,
	nodeTypes: { getByName: () => undefined, getByNameAndVersion: () => undefined, getKnownTypes: () => ({}) } as never,
});

/**
 * In-memory stand-in for n8n's credential storage: stores one credential, resolves its expressions, and calls the
 * credential type, as n8n 2.8.4 does (its CredentialsHelper is not in n8n-core).
 */
export class CredentialStore extends ICredentialsHelper {
	/** How often the credential was read and decrypted. */
	reads = 0;

	/** How often the credential was written, to store a token. */
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
		_node: INode,
		credentialsExpired: boolean,
	): Promise<ICredentialDataDecryptedObject | undefined> {
		const expirable = this.type.properties.find(({ type, typeOptions }) => type === 'hidden' && typeOptions?.expirable === true)?.name;
		if (expirable === undefined || (credentials[expirable] !== '' && !credentialsExpired)) return undefined;
		const output = (await this.type.preAuthentication.call(helpers, credentials)) as ICredentialDataDecryptedObject;
		if (output[expirable] === undefined) return undefined;
		await this.updateCredentials(undefined, undefined, Object.assign(credentials, output));
		return Object.assign(credentials, output);
	}

	async getDecrypted(
		_additionalData: IWorkflowExecuteAdditionalData,
		_nodeCredentials: INodeCredentialsDetails,
		_type: string,
		mode: WorkflowExecuteMode,
		executeData?: IExecuteData,
		raw?: boolean,
		resolve?: ICredentialsExpressionResolveValues,
	): Promise<ICredentialDataDecryptedObject> {
		this.reads++;
		if (raw) return { ...this.stored };
		const data = NodeHelpers.getNodeParameters(this.type.properties, this.stored as INodeParameters, true, false, null, null)!;
		if (!resolve) return NO_ITEMS.expression.getComplexParameterValue(NO_ITEMS.getNode('None')!, data, mode, {}, undefined, undefined, data) as ICredentialDataDecryptedObject;
		const { workflow, runExecutionData, runIndex, itemIndex, node, connectionInputData } = resolve;
		const where = [runExecutionData, runIndex, itemIndex, node.name, connectionInputData, mode] as const;
		return workflow.expression.getParameterValue(data, ...where, {}, executeData, false, data) as ICredentialDataDecryptedObject;
	}

	async updateCredentials(
		_node: unknown,
		_type: unknown,
		data: ICredentialDataDecryptedObject,
	): Promise<void> {
		this.writes++;
		this.stored = { ...data };
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
