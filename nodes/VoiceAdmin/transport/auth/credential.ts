import { createHash } from 'crypto';
import type { FunctionsBase, ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { ServiceKey } from '../../serviceKey';
import { NotSentError } from '../response/classifyFailure';

/** Saved workflows contain this name. */
export const CREDENTIAL_TYPE = 'voiceAdminApi';

/** A decrypted and validated `voiceAdminApi` credential. */
export interface VoiceAdminCredential extends ServiceKey {
	/** As n8n decrypts it. */
	data: ICredentialDataDecryptedObject;
	clientId: string;
	/** Identifies whose customers it creates, without the secret: n8n stores it with a failed execution. */
	account: string;
	clientSecret: string;
	authHeaderName: string;
	/** '' for the bare token. */
	authHeaderPrefix: string;
	allowUnauthorizedCerts: boolean;
}

function invalidField(field: string, problem: string, accepted: string): NotSentError {
	return new NotSentError(`'${field}' in the credential ${problem}. ${accepted}`, 'invalid_credential');
}

/** A header's name: `token` of RFC 9110, section 5.6.2. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** A header's value: visible ASCII and spaces. */
const HEADER_VALUE = /^[\x20-\x7e]*$/;

/** Reads and checks the credential of a node. @throws NotSentError for an invalid field; n8n's error where there is none */
export async function readCredential(
	context: Pick<FunctionsBase, 'getCredentials'>,
	item?: number,
): Promise<VoiceAdminCredential> {
	return parseCredential(await context.getCredentials(CREDENTIAL_TYPE, item));
}

/** The field with each environment's base URL. There is no default: it might be the wrong environment. */
const BASE_URL_FIELDS: Partial<Record<string, { name: string; field: string }>> = {
	production: { name: 'baseUrl', field: 'Production Base URL' },
	staging: { name: 'stagingUrl', field: 'Staging Base URL' },
};

/** Validates a credential: values from expressions, external secrets or imports may be missing or of another type. @throws NotSentError */
export function parseCredential(data: ICredentialDataDecryptedObject): VoiceAdminCredential {
	const stringField = (name: string, fallback = '') => {
		const value = data[name];
		return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : fallback;
	};
	const environment = stringField('environment').toLowerCase();
	const urlField = BASE_URL_FIELDS[environment];
	if (!urlField) {
		const problem = `isn't valid: ${JSON.stringify(environment.slice(0, 100))}`;
		throw invalidField('Environment', problem, 'Enter production or staging');
	}
	const baseUrl = parseServiceUrl(urlField.field, stringField(urlField.name));
	if (data.allowedHttpRequestDomains === 'domains')
		assertDomainAllowed(urlField.field, baseUrl, stringField('allowedDomains'));
	const clientId = parseKey('Client ID', stringField('clientId'));
	const clientSecret = parseKey('Client Secret', stringField('clientSecret'));
	const authHeaderName = stringField('authHeaderName') || 'Authorization';
	const authHeaderPrefix = stringField('authHeaderPrefix', 'Bearer');
	if (!HEADER_NAME.test(authHeaderName)) {
		const problem = `can't be used as a header: ${JSON.stringify(authHeaderName)}`;
		throw invalidField('Token Header Name', problem, 'Enter letters, digits and hyphens, e.g. Authorization');
	}
	if (!HEADER_VALUE.test(authHeaderPrefix)) {
		const problem = `can't be sent in a header: ${JSON.stringify(authHeaderPrefix)}`;
		throw invalidField('Token Prefix', problem, 'Enter a word such as Bearer, or leave it empty');
	}
	return {
		data,
		baseUrl,
		clientId,
		clientSecret,
		account: hashOf(baseUrl, clientId),
		fingerprint: hashOf(baseUrl, clientId, clientSecret),
		authHeaderName,
		authHeaderPrefix,
		allowUnauthorizedCerts: data.allowUnauthorizedCerts === true,
	};
}

function hashOf(...texts: string[]): string {
	return createHash('sha256').update(JSON.stringify(texts)).digest('base64');
}

/** @throws NotSentError for no value, or the text of an expression, without showing it */
function parseKey(field: string, given: string): string {
	const text = given.replace(/^=\s*/, '');
	if (text.startsWith('{{') && text.endsWith('}}'))
		throw invalidField(field, 'is the text of an expression', "Set the field to 'Expression', or enter its value");
	if (given === '') throw invalidField(field, 'is required', 'Enter what your provider gave you');
	return given;
}

/**
 * n8n checks its field "Allowed HTTP Request Domains" only for some requests, by version; this check, for the one host that logins and
 * requests go to, is for all. A domain is a host, or `*.` and the domain that a host belongs to, as in n8n. @throws NotSentError
 */
function assertDomainAllowed(field: string, baseUrl: string, allowedDomains: string): void {
	const withoutFinalDot = (domain: string) => domain.trim().toLowerCase().replace(/\.$/, '');
	const host = withoutFinalDot(new URL(baseUrl).hostname);
	const matches = (domain: string) => (domain.startsWith('*.') ? host.endsWith(domain.slice(1)) : host === domain);
	if (allowedDomains.split(',').map(withoutFinalDot).some(matches)) return;
	const problem = `doesn't include ${host}, the host of '${field}'`;
	throw invalidField('Allowed HTTP Request Domains', problem, "Add it to 'Allowed Domains', or correct the base URL");
}

/** An http(s) URL without user name, query or fragment, none of which would reach the service as meant. */
function parseServiceUrl(field: string, given: string): string {
	const invalid = (problem: string) =>
		invalidField(field, problem, 'Enter the address of the service, e.g. https://api.example.com');
	if (given === '') throw invalid('is required');
	// Without what may be a password before an "@", or a key behind a "?".
	const quoted = JSON.stringify(given.replace(/^.*@|[?#].*$/gs, '').slice(0, 100));
	const url = parseUrl(given);
	if (!url) throw invalid(`isn't a URL: ${quoted}`);
	if (url.protocol !== 'https:' && url.protocol !== 'http:')
		throw invalid(`must begin with https:// or http://, not with ${url.protocol}`);
	if (url.username !== '' || url.password !== '') throw invalid('must not contain a user name or password');
	if (/[\s?#]/.test(given)) throw invalid(`must not contain spaces, "?" or "#": ${quoted}`);
	let end = url.href.length;
	while (url.href[end - 1] === '/') end--;
	return url.href.slice(0, end);
}

/** @returns undefined for what is not an absolute URL */
export function parseUrl(text: string, base?: string): URL | undefined {
	return URL.canParse(text, base) ? new URL(text, base) : undefined;
}
