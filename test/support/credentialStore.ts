import {
	type ICredentialDataDecryptedObject,
	type ICredentials,
	ICredentialsHelper,
	type IHttpRequestHelper,
	type IHttpRequestOptions,
	type INode,
	type INodeProperties,
} from 'n8n-workflow';

import { asVoiceAdminCredential, fingerprintOf } from '../../nodes/VoiceAdmin/transport/credential';
import { VoiceAdminApi } from '../../credentials/VoiceAdminApi.credentials';

/**
 * What n8n's server is for a credential, in memory: it stores one, and calls the credential type
 * under the conditions under which n8n 2.8.4 does (its CredentialsHelper is not in n8n-core).
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
		if (credentials.accessToken !== '' && !credentialsExpired) return undefined;
		const output = (await this.type.preAuthentication.call(
			helpers,
			credentials,
		)) as ICredentialDataDecryptedObject;
		await this.updateCredentials(undefined, undefined, Object.assign(credentials, output));
		return Object.assign(credentials, output);
	}

	async getDecrypted(): Promise<ICredentialDataDecryptedObject> {
		this.reads++;
		return { ...this.stored };
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

/** The same credential with a token that n8n has stored for its key. */
export function withStoredToken(
	credential: ICredentialDataDecryptedObject,
	accessToken: string,
): ICredentialDataDecryptedObject {
	return { ...credential, accessToken, accessTokenFor: fingerprintOf(asVoiceAdminCredential(credential)) };
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
