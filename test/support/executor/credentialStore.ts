import { CredentialTestContext, getAdditionalKeys } from 'n8n-core';
import * as n8nWorkflow from 'n8n-workflow';
import { isExpression, NodeHelpers, Workflow } from 'n8n-workflow';
import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialsHelper,
	INodeCredentialTestResult,
	IHttpRequestHelper,
	IHttpRequestOptions,
	INode,
	INodeParameters,
} from 'n8n-workflow';
import { VoiceAdminApi } from '../../../credentials/VoiceAdminApi.credentials';
import { testVoiceAdminApi } from '../../../nodes/VoiceAdmin/methods/credentialTest';
import { differences } from './differences';
import { nodeTypesOf } from './nodeTypes';

type Data = ICredentialDataDecryptedObject;

/** n8n's `mockNode`, by which it resolves a credential's expressions for a poll, which has no items. */
const NO_NODE: INode = { id: '', name: '', type: 'mock', typeVersion: 1, position: [0, 0], parameters: {} };

const withoutItems = new Workflow({ nodes: [NO_NODE], connections: {}, active: false, nodeTypes: nodeTypesOf({}) });

/** What n8n's database gives back is never what was given to it. */
const copied = (data: Data): Data => JSON.parse(JSON.stringify(data)) as Data;

/** n8n's, of those versions (late ones of 2.39, from 2.40.5 at the latest) that have it: the domains that a credential is restricted to. */
const { getCredentialOwnRequestAllowedDomains: ownDomains } = n8nWorkflow as {
	getCredentialOwnRequestAllowedDomains?: (data: Data) => string | undefined;
};

/** n8n's `restrictToCredentialDomains`: the helpers with which a credential type logs in. */
function restricted(helpers: IHttpRequestHelper, data: Data): IHttpRequestHelper {
	const allowedDomains = ownDomains?.(data);
	if (allowedDomains === undefined) return helpers;
	const httpRequest = async (request: IHttpRequestOptions & { allowedDomains?: string }): Promise<unknown> => {
		if (request.allowedDomains !== undefined) throw new Error('This credential restricts requests to specific domains');
		return await helpers.helpers.httpRequest({ ...request, allowedDomains } as IHttpRequestOptions);
	};
	return { helpers: { httpRequest } };
}

/**
 * One credential in memory, with what the CredentialsHelper of n8n 2.8 to 2.41 does with it, which is not in n8n-core: resolves
 * its expressions, calls the credential type, and stores what that gives. It has those methods that n8n-core calls for the node.
 */
export class CredentialStore implements Partial<ICredentialsHelper> {
	/** How often the credential was written. */
	writes = 0;

	private readonly type = new VoiceAdminApi();

	constructor(public stored: Data) {}

	getParentTypes(): string[] {
		return [];
	}

	isCredentialUsableByNode(): boolean {
		return true;
	}

	async authenticate(data: Data, _type: string, request: IHttpRequestOptions): Promise<IHttpRequestOptions> {
		return await this.type.authenticate(data, request);
	}

	async preAuthentication(
		helpers: IHttpRequestHelper,
		data: Data,
		_type: string,
		node: INode,
		isExpired: boolean,
	): Promise<Data | undefined> {
		const expirable = this.type.properties.find(
			({ type, typeOptions }) => type === 'hidden' && typeOptions?.expirable === true,
		)?.name;
		if (expirable === undefined) return undefined;
		if (data[expirable] !== '' && !isExpired) return undefined;
		const output = (await this.type.preAuthentication.call(restricted(helpers, data), data)) as Data;
		if (output[expirable] === undefined || !node.credentials) return undefined;
		const stays = (field: string) =>
			differences.keepsExpressions && field !== expirable && isExpression(this.stored[field]);
		const given = Object.fromEntries(Object.entries(output).filter(([field]) => !stays(field))) as Data;
		Object.assign(data, output);
		// Of older ones all of the resolved credential, not the token alone.
		this.stored = copied(differences.keepsExpressions ? { ...this.stored, ...given } : data);
		this.writes++;
		return data;
	}

	async getDecrypted(...parameters: Parameters<ICredentialsHelper['getDecrypted']>): Promise<Data> {
		const [additionalData, _credential, _type, mode, executeData, raw, resolve] = parameters;
		const stored = copied(this.stored);
		if (raw) return stored;
		const data = NodeHelpers.getNodeParameters(
			this.type.properties,
			stored as INodeParameters,
			true,
			false,
			null,
			null,
		)!;
		// Fields that n8n adds to every credential type.
		for (const own of ['allowedHttpRequestDomains', 'allowedDomains'])
			if (stored[own] !== undefined) data[own] ??= stored[own] as string;
		const keys = getAdditionalKeys(additionalData, mode, null, { secretsEnabled: false });
		if (!resolve)
			return withoutItems.expression.getComplexParameterValue(
				NO_NODE,
				data,
				mode,
				keys,
				undefined,
				undefined,
				data,
			) as Data;
		const { workflow, runExecutionData, runIndex, itemIndex, node, connectionInputData } = resolve;
		const where = [runExecutionData, runIndex, itemIndex, node.name, connectionInputData, mode] as const;
		try {
			return workflow.expression.getParameterValue(data, ...where, keys, executeData, false, data) as Data;
		} catch (error) {
			(error as Error).message += ' [Error resolving credentials]';
			throw error;
		}
	}
}

/** A credential as a user fills it in, for a service at `url`. */
export function credentialFor(url: string, more: Partial<Data> = {}): Data {
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
	} as Data;
}

/** Tests a credential as the editor's button does, by n8n's own helper for such tests. */
export async function testCredential(data: Data): Promise<INodeCredentialTestResult> {
	const credential = { id: '1', name: 'x', type: 'voiceAdminApi', data } as ICredentialsDecrypted;
	return await testVoiceAdminApi.call(new CredentialTestContext(), credential);
}
