import type {
	IExecutePaginationFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import { CREDENTIAL_TYPE } from './credential';
import { asReply, type Reply } from './reply';
import type { SignedIn } from './run';

/** How often one request is sent again because its token had expired meanwhile. */
const MAX_RENEWALS = 3;

/**
 * Sends a request with the newest access token, and again with a newer one when the service answers 401.
 *
 * @returns the reply, whatever its status
 * @throws LoginError when there is no token to be had, or what the HTTP client threw when there was no reply
 */
export async function send(
	context: IExecutePaginationFunctions,
	{ credential, session }: SignedIn,
	options: IHttpRequestOptions,
): Promise<Reply> {
	for (let renewals = 0; ; renewals++) {
		const token =
			session.newest() ||
			(await session.open({ helpers: context.helpers }, credential));
		// A copy for each request, as n8n writes the token that it asked for into the object it is given.
		const data = { ...credential, accessToken: session.takeStoring() ? '' : token };
		const response = (await context.helpers.httpRequestWithAuthentication.call(
			context,
			CREDENTIAL_TYPE,
			{ ...options, headers: { ...options.headers } },
			{
				credentialsDecrypted: { id: '', name: '', type: CREDENTIAL_TYPE, data },
			},
		)) as IN8nHttpFullResponse;
		const reply = asReply(response);
		const used = data.accessToken || token;
		if (reply.status !== 401) {
			session.accepted(used);
			return reply;
		}
		session.refused(used);
		if (renewals === MAX_RENEWALS) return reply;
	}
}
