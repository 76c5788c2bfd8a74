import { createHash } from 'crypto';
import * as n8nWorkflow from 'n8n-workflow';
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
	/** n8n's restriction of the credential's own requests, for `allowedDomains` of a request. */
	allowedDomains?: string;
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
		return typeof value === 'string' || typeof value === 'number' ? String(value) : fallback;
	};
	const environment = stringField('environment').trim().toLowerCase();
	const urlField = BASE_URL_FIELDS[environment];
	if (!urlField)
		throw invalidField(
			'Environment',
			`is not valid: ${JSON.stringify(environment.slice(0, 100))}`,
			'Enter production or staging',
		);
	const baseUrl = parseServiceUrl(urlField.field, stringField(urlField.name).trim());
	// A key copied from a file often ends with a line break.
	const clientId = stringField('clientId').trim();
	const clientSecret = stringField('clientSecret').trim();
	const authHeaderName = stringField('authHeaderName').trim() || 'Authorization';
	const authHeaderPrefix = stringField('authHeaderPrefix', 'Bearer').trim();
	if (!HEADER_NAME.test(authHeaderName)) {
		const problem = `cannot be used as a header: ${JSON.stringify(authHeaderName)}`;
		throw invalidField('Token Header Name', problem, 'Enter letters, digits and hyphens, e.g. Authorization');
	}
	if (!HEADER_VALUE.test(authHeaderPrefix)) {
		const problem = `cannot be sent in a header: ${JSON.stringify(authHeaderPrefix)}`;
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
		allowedDomains: getCredentialOwnRequestAllowedDomains?.(data),
	};
}

function hashOf(...texts: string[]): string {
	return createHash('sha256').update(JSON.stringify(texts)).digest('base64');
}

/** In n8n-workflow 2.40 and newer; older versions apply "Allowed HTTP Request Domains" to the HTTP Request node alone. */
const { getCredentialOwnRequestAllowedDomains } = n8nWorkflow as {
	getCredentialOwnRequestAllowedDomains?: (data: ICredentialDataDecryptedObject) => string | undefined;
};

/** An http(s) URL without user name, query or fragment, none of which would reach the service as meant. */
function parseServiceUrl(field: string, given: string): string {
	const invalid = (problem: string) =>
		invalidField(field, problem, 'Enter the address of the service, e.g. https://api.example.com');
	if (given === '') throw invalid('is required');
	const url = parseUrl(given);
	if (!url) throw invalid(`is not a URL: ${quoteWithoutPassword(given)}`);
	if (url.protocol !== 'https:' && url.protocol !== 'http:')
		throw invalid(`must begin with https:// or http://, not with ${url.protocol}`);
	if (url.username !== '' || url.password !== '') throw invalid('must not contain a user name or password');
	if (/[\s?#]/.test(given)) throw invalid(`must not contain spaces, "?" or "#": ${quoteWithoutPassword(given)}`);
	let end = url.href.length;
	while (url.href[end - 1] === '/') end--;
	return url.href.slice(0, end);
}

/** Up to 100 characters, without what may be a password before an "@". */
function quoteWithoutPassword(given: string): string {
	return JSON.stringify(
		given
			.replace(/^.*@/s, '')
			.replace(/[?#].*$/s, '')
			.slice(0, 100),
	);
}

/** @returns undefined for what is not an absolute URL */
export function parseUrl(text: string, base?: string): URL | undefined {
	return URL.canParse(text, base) ? new URL(text, base) : undefined;
}
