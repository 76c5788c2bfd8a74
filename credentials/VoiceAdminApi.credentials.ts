import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IDataObject,
	IHttpRequestHelper,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { parseCredential } from '../nodes/VoiceAdmin/transport/auth/credential';
import { LoginError } from '../nodes/VoiceAdmin/transport/auth/login';
import { withTokenHeader } from '../nodes/VoiceAdmin/transport/auth/tokenHeader';
import type { TokenUse } from '../nodes/VoiceAdmin/transport/auth/tokenAcceptance';
import { tokenManagerOf } from '../nodes/VoiceAdmin/transport/auth/tokenManager';
import { time } from '../nodes/VoiceAdmin/time';
import { Run } from '../nodes/VoiceAdmin/transport/flow/run';
import { NotSentError } from '../nodes/VoiceAdmin/transport/response/classifyFailure';
import type { OutgoingRequest } from '../nodes/VoiceAdmin/transport/sendRequest';

/**
 * Stands apart from the list because n8n's lint rule credential-password-field takes any name with
 * "cert" in it for a secret and wants it masked; with a masked boolean, n8n 2.8 cannot open the
 * credential anymore.
 */
const ignoreSslIssues: INodeProperties = {
	displayName: 'Ignore SSL Issues (Insecure)',
	name: 'allowUnauthorizedCerts',
	type: 'boolean',
	default: false,
	description: "Whether to connect even if the server's certificate can't be verified",
};

/** The last request of another node, by the copy of the credential that n8n gives it. */
const tokenUses = new WeakMap<ICredentialDataDecryptedObject, TokenUse>();

export class VoiceAdminApi implements ICredentialType {
	name = 'voiceAdminApi';

	displayName = 'Voice Admin API';

	icon = {
		light: 'file:../nodes/VoiceAdmin/voiceAdmin.svg',
		dark: 'file:../nodes/VoiceAdmin/voiceAdmin.dark.svg',
	} as const;

	documentationUrl = 'https://github.com/n8n-nodes-voice-admin/n8n-nodes-voice-admin#credentials';

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
			description: "Which of your provider's servers to use",
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
			description: 'Client ID from your provider',
		},
		{
			displayName: 'API Key (Client Secret)',
			name: 'clientSecret',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			// n8n shows "Client Secret" as the label of a field with this name.
			hint: 'The API key from your provider',
			description: "It's sent only to log in, in exchange for an access token.",
		},
		{
			displayName: 'Token Header Name',
			name: 'authHeaderName',
			type: 'string',
			default: 'Authorization',
			description: 'Header that carries the access token. Change it only if your provider tells you to.',
		},
		{
			displayName: 'Token Prefix',
			name: 'authHeaderPrefix',
			type: 'string',
			default: 'Bearer',
			description: 'Word sent before the access token. Leave it empty to send the token alone.',
		},
		ignoreSslIssues,
		{
			displayName: 'Access Token',
			name: 'accessToken',
			type: 'hidden',
			typeOptions: { expirable: true, password: true },
			default: '',
		},
	];

	// The test is the node's `testVoiceAdminApi`.

	/**
	 * Called by n8n before each request of another node (HTTP Request), and again when one has failed. It returns nothing to
	 * store: n8n up to 2.33 would store the whole resolved credential with it, and replace an expression by one tenant's key.
	 * As a result, n8n doesn't repeat the failed request; the next one gets a new token.
	 */
	async preAuthentication(this: IHttpRequestHelper, data: ICredentialDataDecryptedObject): Promise<IDataObject> {
		const credential = parseCredential(data);
		const tokens = tokenManagerOf(credential);
		const lastUse = tokenUses.get(data);
		const context = { n8n: this, credential };
		if (lastUse) {
			tokens.recordFailureOfOtherNode(lastUse);
			// For the next request. This one keeps its own error, and doesn't wait.
			await tokens.get({ ...context, run: new Run(1, 0) });
			return {};
		}
		const token = await tokens.get(context);
		if (token instanceof LoginError) throw token;
		if (token === undefined)
			throw new NotSentError(
				"Couldn't log in: the service is unavailable or limits requests",
				'login_failed',
				'Try again later',
			);
		return {};
	}

	/** A function, because n8n would evaluate a template for every request. */
	authenticate = async (
		data: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => {
		const outgoing = data.outgoing as OutgoingRequest | undefined;
		if (outgoing) {
			const authenticated = withTokenHeader(outgoing.credential, outgoing.token, request);
			outgoing.wasSent = true;
			return authenticated;
		}
		// Another node's request.
		const credential = parseCredential(data);
		const token = tokenManagerOf(credential).current;
		if (token === undefined) tokenUses.delete(data);
		else tokenUses.set(data, { token, sentAt: time.now() });
		return withTokenHeader(credential, token, request);
	};
}
