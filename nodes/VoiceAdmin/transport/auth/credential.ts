import { createHash } from 'crypto';
import * as n8nWorkflow from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

/** The credential type's name, as saved workflows hold it. */
export const CREDENTIAL_TYPE = 'voiceAdminApi';

/** What the transport needs of a decrypted `voiceAdminApi` credential. */
export interface VoiceAdminCredential extends ICredentialDataDecryptedObject {
	environment: 'production' | 'staging';
	baseUrl: string;
	stagingUrl: string;
	clientId: string;
	clientSecret: string;
	authHeaderName: string;
	authHeaderPrefix: string;
	allowUnauthorizedCerts: boolean;
	/** The access token that a request is sent with; '' for none. A stored one is not used: it may be of another key. */
	accessToken: string;
	/** Whether a field is an expression; n8n 2.8 tells, newer ones always say that none is. */
	usesExpressions: boolean;
}

/** Most characters of a token: Node's servers allow 16 KB for all headers. */
const MAX_TOKEN = 12_000;

/** Whether a header can carry it: visible ASCII, not too long. */
export function isUsableToken(token: unknown): token is string {
	return typeof token === 'string' && token.length <= MAX_TOKEN && /^[\x21-\x7e]+$/.test(token);
}

/**
 * Gives the fields of a credential the types they have when filled in through n8n's editor.
 *
 * Values that come from expressions, from external secrets or from a credential saved by an older
 * version may be missing or of another type: numbers become text, others the field's default.
 */
export function asVoiceAdminCredential(data: ICredentialDataDecryptedObject): VoiceAdminCredential {
	const text = (name: string, fallback = '') => {
		const value = data[name];
		return typeof value === 'string' || typeof value === 'number' ? String(value) : fallback;
	};
	return {
		...data,
		environment: data.environment === 'staging' ? 'staging' : 'production',
		baseUrl: text('baseUrl'),
		stagingUrl: text('stagingUrl'),
		clientId: text('clientId'),
		clientSecret: text('clientSecret'),
		authHeaderName: text('authHeaderName', 'Authorization').trim() || 'Authorization',
		authHeaderPrefix: text('authHeaderPrefix', 'Bearer').trim(),
		allowUnauthorizedCerts: data.allowUnauthorizedCerts === true,
		accessToken: text('accessToken'),
		usesExpressions: data.usesExpressions === true,
	};
}

/** Tells one service and key from another, without giving either away. */
export function fingerprintOf(credential: VoiceAdminCredential): string {
	const address = withoutSlashes(addressOf(credential));
	return createHash('sha256')
		.update(JSON.stringify([address, credential.clientId, credential.clientSecret]))
		.digest('base64');
}

/** In n8n-workflow 2.40 and newer, of which the types here know nothing. */
const { getCredentialOwnRequestAllowedDomains } = n8nWorkflow as {
	getCredentialOwnRequestAllowedDomains?: (data: ICredentialDataDecryptedObject) => string | undefined;
};

/**
 * The domains to which n8n's "Allowed HTTP Request Domains" restricts requests of the credential's own, as
 * `allowedDomains` of a request takes them. n8n before 2.40 applies that field to its HTTP Request node alone.
 *
 * @throws UserError when it names "Specific Domains" and none is given
 */
export function allowedDomainsOf(credential: VoiceAdminCredential): { allowedDomains?: string } {
	const allowedDomains = getCredentialOwnRequestAllowedDomains?.(credential);
	return allowedDomains === undefined ? {} : { allowedDomains };
}

/** The base URL of the chosen environment, as it was given. */
function addressOf({ environment, baseUrl, stagingUrl }: VoiceAdminCredential): string {
	return (environment === 'staging' ? stagingUrl : baseUrl).trim();
}

/**
 * The base URL of the chosen environment, without a trailing slash.
 *
 * @throws UserError that names the credential's field, when it is not an absolute http(s) URL or
 * carries a user name, a query or a fragment (none of which would reach the service as meant).
 */
export function serviceUrl(credential: VoiceAdminCredential): string {
	const field =
		credential.environment === 'staging' ? 'Staging Base URL' : 'Production Base URL';
	const given = addressOf(credential);
	const accepted = 'Give the address of the service, e.g. https://api.example.com';
	if (given === '') {
		throw new UserError(`${field} of the credential is empty. ${accepted}`);
	}
	const url = asUrl(given);
	if (!url) {
		throw new UserError(`${field} of the credential is not a URL: ${excerptOfUrl(given)}. ${accepted}`);
	}
	if (url.protocol !== 'https:' && url.protocol !== 'http:') {
		throw new UserError(
			`${field} of the credential must begin with https:// or http://, not with ${url.protocol} ${accepted}`,
		);
	}
	if (url.username !== '' || url.password !== '') {
		throw new UserError(
			`${field} of the credential must not contain a user name or password. ${accepted}`,
		);
	}
	if (url.search !== '' || url.hash !== '' || /\s/.test(given)) {
		throw new UserError(
			`${field} of the credential must not contain spaces, "?" or "#": ${excerptOfUrl(given)}. ${accepted}`,
		);
	}
	return withoutSlashes(url.href);
}

function withoutSlashes(address: string): string {
	let end = address.length;
	while (address[end - 1] === '/') end--;
	return address.slice(0, end);
}

/** Up to 100 characters of what was given, without anything that may be a password before an "@". */
function excerptOfUrl(given: string): string {
	return JSON.stringify(given.replace(/^.*@/s, '').replace(/[?#].*$/s, '').slice(0, 100));
}

/** @returns undefined for what is not an absolute URL */
export function asUrl(text: string, base?: string): URL | undefined {
	try {
		return new URL(text, base);
	} catch {
		return undefined;
	}
}
