import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IDataObject,
	IHttpRequestHelper,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { asVoiceAdminCredential } from '../nodes/VoiceAdmin/transport/credential';
import { injectToken } from '../nodes/VoiceAdmin/transport/injectToken';
import { sessionOf } from '../nodes/VoiceAdmin/transport/session';

/**
 * Stands apart from the list because the gate's rule credential-password-field takes any name with
 * "cert" in it for a secret and wants it masked; with a masked boolean, n8n 2.8 cannot open the
 * credential any more.
 */
const ignoreSslIssues: INodeProperties = {
	displayName: 'Ignore SSL Issues (Insecure)',
	name: 'allowUnauthorizedCerts',
	type: 'boolean',
	default: false,
	description: 'Whether to connect even if the certificate of the server cannot be verified',
};

export class VoiceAdminApi implements ICredentialType {
	name = 'voiceAdminApi';

	displayName = 'Voice Admin API';

	icon = {
		light: 'file:../nodes/VoiceAdmin/voiceAdmin.svg',
		dark: 'file:../nodes/VoiceAdmin/voiceAdmin.dark.svg',
	} as const;

	documentationUrl =
		'https://github.com/n8n-nodes-voice-admin/n8n-nodes-voice-admin#the-credential';

	properties: INodeProperties[] = [
		{
			displayName: 'Environment',
			name: 'environment',
			type: 'options',
			options: [
				{ name: 'Production', value: 'production' },
				{ name: 'Staging', value: 'staging' },
			],
			default: 'production',
			description: 'Which of the two servers of the service to use',
		},
		{
			displayName: 'Production Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://api.example.com',
			description: 'Address of the production server',
			displayOptions: { show: { environment: ['production'] } },
		},
		{
			displayName: 'Staging Base URL',
			name: 'stagingUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://staging.api.example.com',
			description: 'Address of the staging server',
			displayOptions: { show: { environment: ['staging'] } },
		},
		{
			displayName: 'Client ID',
			name: 'clientId',
			type: 'string',
			required: true,
			default: '',
			description: 'Client identifier that belongs to the API key',
		},
		{
			displayName: 'API Key (Client Secret)',
			name: 'clientSecret',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description: 'API key of the service. It is exchanged for an access token and sent for nothing else',
		},
		{
			displayName: 'Token Header Name',
			name: 'authHeaderName',
			type: 'string',
			default: 'Authorization',
			description: 'Header that carries the access token. Change it only if your provider says so',
		},
		{
			displayName: 'Token Prefix',
			name: 'authHeaderPrefix',
			type: 'string',
			default: 'Bearer',
			description: 'Word before the access token. Leave it empty to send the bare token',
		},
		ignoreSslIssues,
		{
			displayName: 'Access Token',
			name: 'accessToken',
			type: 'hidden',
			typeOptions: { expirable: true, password: true },
			default: '',
		},
		{
			displayName: 'Access Token For',
			name: 'accessTokenFor',
			type: 'hidden',
			typeOptions: { password: true },
			default: '',
			description: 'Fingerprint of the service and key that the access token belongs to',
		},
	];

	// The test is the node's `testVoiceAdminApi`.

	/** Called by n8n when it has no token and when a request was answered 401. */
	async preAuthentication(
		this: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
	): Promise<IDataObject> {
		const credential = asVoiceAdminCredential(credentials);
		const accessToken = await sessionOf(credential).renew(this, credential);
		return { accessToken, accessTokenFor: credential.accessTokenFor };
	}

	/** A function, because n8n would evaluate a template for every request. */
	authenticate = async (
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> =>
		injectToken(asVoiceAdminCredential(credentials), requestOptions);
}
