import { UserError } from 'n8n-workflow';
import type { IHttpRequestOptions } from 'n8n-workflow';

import { asUrl, serviceUrl, type VoiceAdminCredential } from './credential';

/** A header's name: `token` of RFC 9110, section 5.6.2. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** What may stand in a header's value: visible ASCII and spaces. */
const HEADER_VALUE = /^[\x20-\x7e]*$/;

/** Fields of the request that n8n's HTTP Request node sends by its older helper. */
interface LegacyOptions {
	uri?: string;
	rejectUnauthorized?: boolean;
	followRedirect?: boolean;
	followAllRedirects?: boolean;
}

/**
 * Puts the access token into a request's header, if the request goes to the credential's service.
 *
 * No redirect is followed, whatever the header's name: the HTTP client takes the header out for another host, but
 * not for a subdomain, and knows no header but `Authorization`.
 *
 * @returns a new request; the one given is left as it was
 * @throws UserError when the request goes elsewhere (the HTTP Request node lets its user choose any
 * address), or when header name or prefix cannot stand in a header
 */
export function injectToken(
	credential: VoiceAdminCredential,
	request: IHttpRequestOptions,
): IHttpRequestOptions {
	const { authHeaderName, authHeaderPrefix, accessToken, allowUnauthorizedCerts } = credential;
	stayHome(credential, request);
	checkTokenHeader(credential);
	const withToken: IHttpRequestOptions & LegacyOptions = {
		...request,
		headers: {
			...request.headers,
			// None before the first login: the service answers 401, and n8n logs in.
			...(accessToken !== '' && {
				[authHeaderName]: authHeaderPrefix === '' ? accessToken : `${authHeaderPrefix} ${accessToken}`,
			}),
		},
		sendCredentialsOnCrossOriginRedirect: false,
		...(allowUnauthorizedCerts && { skipSslCertificateValidation: true, rejectUnauthorized: false }),
		disableFollowRedirect: true,
		followRedirect: false,
		followAllRedirects: false,
	};
	return withToken;
}

/**
 * Makes sure that the access token can be sent in the header that the credential names.
 *
 * @throws UserError that names the credential's field
 */
export function checkTokenHeader({ authHeaderName, authHeaderPrefix }: VoiceAdminCredential): void {
	if (!HEADER_NAME.test(authHeaderName)) {
		throw new UserError(
			`Token Header Name of the credential cannot be used as a header: ${JSON.stringify(authHeaderName)}. Give letters, digits and hyphens, e.g. Authorization`,
		);
	}
	if (!HEADER_VALUE.test(authHeaderPrefix)) {
		throw new UserError(
			`Token Prefix of the credential cannot be sent in a header: ${JSON.stringify(authHeaderPrefix)}. Give a word such as Bearer, or leave it empty`,
		);
	}
}

function stayHome(credential: VoiceAdminCredential, request: IHttpRequestOptions & LegacyOptions): void {
	const home = new URL(serviceUrl(credential)).origin;
	const address = request.url || request.uri || '';
	const target = asUrl(address, request.baseURL)?.origin;
	if (target !== home) {
		throw new UserError(
			`The access token of this credential is sent to ${home} only, not to ${target ?? 'an address that is not a URL'}. Choose the credential that belongs to that address`,
		);
	}
}
