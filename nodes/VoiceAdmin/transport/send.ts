import { OperationalError } from 'n8n-workflow';
import type {
	IExecutePaginationFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import { CREDENTIAL_TYPE } from './credential';
import { asReply, type Reply } from './reply';
import type { Attempt, SignedIn } from './run';

/** Time for a request where n8n gives none, in milliseconds: what its routing executor sets. */
const DEFAULT_TIMEOUT_MS = 300_000;

/** How often one request is sent again because its token had expired meanwhile. */
const MAX_RENEWALS = 3;

/** What came back. */
export interface Answer {
	/** The reply, whatever its status. */
	reply?: Reply;
	/** Why there is none: a LoginError, when there was no token to be had, or what the HTTP client threw. */
	error?: unknown;
	/** The attempt was stopped while the request waited for a token. */
	notSent?: true;
}

/** Sends a request with the newest access token, and again with a newer one when the service answers 401. */
export async function send(
	context: IExecutePaginationFunctions,
	attempt: Attempt,
	{ credential, session }: SignedIn,
	options: IHttpRequestOptions,
): Promise<Answer> {
	try {
		for (let renewals = 0; ; renewals++) {
			const token =
				session.newest() || (await session.open({ helpers: context.helpers }, credential));
			if (attempt.isStopped) return { notSent: true };
			// A copy for each request, as n8n writes the token that it asked for into the object it is given.
			const data = { ...credential, accessToken: session.takeStoring() ? '' : token };
			const reply = await sendInTime(context, options, data);
			const used = data.accessToken || token;
			if (reply.status !== 401) {
				session.accepted(used);
				return { reply };
			}
			session.refused(used);
			if (renewals === MAX_RENEWALS) return { reply };
		}
	} catch (error) {
		return { error };
	}
}

/**
 * Sends a request by n8n's helper, and ends it when its time is over: the HTTP client's own time-out
 * begins anew with every byte that arrives, so that a reply that trickles in would never end.
 */
async function sendInTime(
	context: IExecutePaginationFunctions,
	options: IHttpRequestOptions,
	data: SignedIn['credential'],
): Promise<Reply> {
	const deadline = AbortSignal.timeout(options.timeout ?? DEFAULT_TIMEOUT_MS);
	const cancelled = context.getExecutionCancelSignal();
	const signal = cancelled ? AbortSignal.any([cancelled, deadline]) : deadline;
	// The helper takes the signal from the context that it is called on, whatever the options say.
	const timed = Object.create(context, {
		getExecutionCancelSignal: { value: () => signal },
	}) as IExecutePaginationFunctions;
	const response = (await context.helpers.httpRequestWithAuthentication
		.call(timed, CREDENTIAL_TYPE, { ...options, headers: { ...options.headers } }, {
			credentialsDecrypted: { id: '', name: '', type: CREDENTIAL_TYPE, data },
		})
		.catch((error: unknown) => {
			throw deadline.aborted ? new OperationalError('timeout of the whole reply') : error;
		})) as IN8nHttpFullResponse;
	return asReply(response);
}
