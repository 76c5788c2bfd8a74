import { UserError } from 'n8n-workflow';
import type { IHttpRequestOptions } from 'n8n-workflow';

import { parseUrl, type VoiceAdminCredential } from './credential';

const NOT_AN_OPERATION =
	"This node can't run a custom API call, or an operation that is not in its list. Choose an operation, or use the HTTP Request node with this credential";

/** Fields of the request that n8n's HTTP Request node sends by its older helper. */
interface LegacyRequestOptions {
	uri?: string;
	rejectUnauthorized?: boolean;
	followRedirect?: boolean;
	followAllRedirects?: boolean;
}

/**
 * Gives a copy of a request with the access token ('' for none) in its header. No redirect is followed: the HTTP client
 * removes the header for another host, but not for a subdomain, and knows no header but `Authorization`.
 * @throws UserError when the request goes elsewhere: the user of the HTTP Request node chooses any address
 */
export function withTokenHeader(credential: VoiceAdminCredential, token: string, request: IHttpRequestOptions): IHttpRequestOptions & LegacyRequestOptions {
	const { authHeaderName, authHeaderPrefix, allowUnauthorizedCerts } = credential;
	assertSameOrigin(credential, request);
	return {
		...request,
		headers: {
			...request.headers,
			...(token !== '' && { [authHeaderName]: authHeaderPrefix === '' ? token : `${authHeaderPrefix} ${token}` }),
		},
		sendCredentialsOnCrossOriginRedirect: false,
		...(allowUnauthorizedCerts && { skipSslCertificateValidation: true, rejectUnauthorized: false }),
		disableFollowRedirect: true,
		followRedirect: false,
		followAllRedirects: false,
	};
}

function assertSameOrigin({ baseUrl }: VoiceAdminCredential, request: IHttpRequestOptions & LegacyRequestOptions): void {
	const url = request.url || request.uri || '';
	// n8n's routing executor makes such a request of an operation that the node does not have.
	if (url === '') throw new UserError(NOT_AN_OPERATION);
	const { origin } = new URL(baseUrl);
	const target = parseUrl(url, request.baseURL)?.origin;
	if (target === origin) return;
	throw new UserError(
		`The access token of this credential can be sent only to ${origin}, not to ${target ?? 'an address that is not a URL'}. Choose a credential for that address`,
	);
}
