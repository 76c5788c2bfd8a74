import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IHttpRequestOptions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { parseCredential } from '../transport/auth/credential';
import { login } from '../transport/auth/login';
import { tokenManagerOf } from '../transport/auth/tokenManager';

/**
 * Tests a credential: logs in, and says that the key works or why not. A function, because n8n writes its own messages for
 * failures of a declared test request ("ECONNREFUSED", "Found"), and takes any page that answers 200 for a success.
 */
export async function testVoiceAdminApi(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const { helpers } = this;
	// n8n gives a credential's test only its older request helper, which takes no signal.
	const httpRequest = async (options: IHttpRequestOptions): Promise<unknown> =>
		await helpers.request({
			method: options.method,
			uri: options.url,
			headers: options.headers,
			body: options.body,
			timeout: options.timeout,
			rejectUnauthorized: options.skipSslCertificateValidation !== true,
			followRedirect: false,
			simple: false,
			resolveWithFullResponse: true,
			useStream: true,
		});
	try {
		const credential = parseCredential(data);
		const tokens = tokenManagerOf(credential);
		await login({ helpers: { httpRequest } }, credential, tokens.recentTokens);
		// The one that is in use may lack a permission that the key has been given since.
		tokens.forget();
		return { status: 'OK', message: 'The API key works' };
	} catch (error) {
		return { status: 'Error', message: (error as Error).message };
	}
}
