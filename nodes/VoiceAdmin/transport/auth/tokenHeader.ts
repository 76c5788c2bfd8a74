import { type IHttpRequestOptions, UserError } from 'n8n-workflow';

import { parseUrl, type VoiceAdminCredential } from './credential';

/** Request fields of n8n's older helper, which its HTTP Request node uses. */
interface LegacyRequestOptions {
	uri?: string;
	rejectUnauthorized?: boolean;
	followRedirect?: boolean;
	followAllRedirects?: boolean;
}

/**
 * Copies a request and adds the access token, if there is one. Redirects are off: the HTTP client drops only `Authorization`, and keeps it
 * for a subdomain. @throws UserError for another origin: users of the HTTP Request node choose any URL
 */
export function withTokenHeader(
	{ baseUrl, authHeaderName, authHeaderPrefix, allowUnauthorizedCerts }: VoiceAdminCredential,
	token: string | undefined,
	request: IHttpRequestOptions & LegacyRequestOptions,
): IHttpRequestOptions & LegacyRequestOptions {
	const { origin } = new URL(baseUrl);
	const target = parseUrl(request.url || request.uri || '', request.baseURL)?.origin;
	if (target !== origin)
		throw new UserError(
			`The access token of this credential can be sent only to ${origin}, not to ${target ?? "an address that isn't a URL"}. Choose a credential for that address`,
		);
	const value = authHeaderPrefix === '' ? token : `${authHeaderPrefix} ${token}`;
	return {
		...request,
		headers: { ...request.headers, ...(token !== undefined && { [authHeaderName]: value }) },
		sendCredentialsOnCrossOriginRedirect: false,
		...(allowUnauthorizedCerts && { skipSslCertificateValidation: true, rejectUnauthorized: false }),
		disableFollowRedirect: true,
		followRedirect: false,
		followAllRedirects: false,
	};
}
