import { OperationalError } from 'n8n-workflow';
import type { IAllExecuteFunctions, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { asVoiceAdminCredential, CREDENTIAL_TYPE, type VoiceAdminCredential } from './credential';
import { asReply, type Reply } from './reply';
import type { Requester } from './requester';
import type { Attempt, SignedIn } from './run';

/** Time for a request where n8n gives none, in milliseconds: what its routing executor sets. */
const DEFAULT_TIMEOUT_MS = 300_000;

/** The longest time that a timer can be set to, in milliseconds. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** How often one request may find that a token has expired, and log in anew. */
const MAX_RENEWALS = 3;

/** How often one request is refused with a token that others may use, before it is given up. */
const MAX_DOUBTS = 3;

/** How often one request is sent with tokens that others then find expired, before it is given up. */
const MAX_ROUNDS = 20;

/** What came back of a request. */
export type Answer =
	/** A reply, whatever its status, and the access token that it is the reply to. */
	| { kind: 'reply'; reply: Reply; token: string }
	/** No reply: a LoginError, when there was no token to be had, or what the HTTP client threw. */
	| { kind: 'error'; error: unknown; token: string }
	/** The attempt was stopped while the request waited for a token. */
	| { kind: 'notSent' };

/** Sends a request with the newest access token, and again with a newer one when the service answers 401. */
export async function send(
	requester: Requester,
	attempt: Attempt,
	{ credential, session }: SignedIn,
	options: IHttpRequestOptions,
): Promise<Answer> {
	let token = '';
	let renewals = 0;
	let doubts = 0;
	try {
		for (let round = 1; ; round++) {
			token =
				session.newest() || (await session.open({ helpers: requester.helpers }, credential, options));
			if (attempt.isStopped) return { kind: 'notSent' };
			// A copy for each request, as n8n writes the token that it asked for into the object it is given.
			const data = session.takeStoring()
				? { ...(await freshCredential(requester)), accessToken: '' }
				: { ...credential, accessToken: token };
			const request = session.number();
			const reply = await sendInTime(requester, options, data);
			token = data.accessToken || token;
			if (reply.status !== 401) {
				// A proxy answers 429 or 503 without having looked at the token.
				if (reply.status !== 429 && reply.status < 500) session.accept(token, request);
				return { kind: 'reply', reply, token };
			}
			const refusal = session.refuse(token, request);
			if (refusal === 'expired') renewals++;
			if (refusal === 'doubtful' || refusal === 'unproven') doubts++;
			if (doubts === MAX_DOUBTS || renewals === MAX_RENEWALS || round === MAX_ROUNDS) {
				return { kind: 'reply', reply, token };
			}
		}
	} catch (error) {
		return { kind: 'error', error, token };
	}
}

/** Read anew where n8n is to store it: n8n 2.8 writes all of it, and would undo what its user has changed meanwhile. */
async function freshCredential(requester: Requester): Promise<VoiceAdminCredential> {
	return asVoiceAdminCredential(await requester.getCredentials(CREDENTIAL_TYPE));
}

/**
 * Sends a request by n8n's helper, and ends it when its time is over: the HTTP client's own time-out
 * begins anew with every byte that arrives, so that a reply that trickles in would never end.
 */
async function sendInTime(
	requester: Requester,
	options: IHttpRequestOptions,
	data: VoiceAdminCredential,
): Promise<Reply> {
	const deadline = AbortSignal.timeout(options.timeout ?? DEFAULT_TIMEOUT_MS);
	const cancelled = requester.getExecutionCancelSignal?.();
	const signal = cancelled ? AbortSignal.any([cancelled, deadline]) : deadline;
	// The helper takes the signal from the context that it is called on, whatever the options say.
	const timed = Object.create(requester, {
		getExecutionCancelSignal: { value: () => signal },
	}) as IAllExecuteFunctions;
	const response = (await requester.helpers.httpRequestWithAuthentication
		.call(timed, CREDENTIAL_TYPE, { ...options, headers: { ...options.headers } }, {
			credentialsDecrypted: { id: '', name: '', type: CREDENTIAL_TYPE, data },
		})
		.catch((error: unknown) => {
			throw deadline.aborted ? new OperationalError('timeout of the whole reply') : error;
		})) as IN8nHttpFullResponse;
	return asReply(response);
}

/** A time-out as n8n's Request Options give it, which may be text or anything an expression gives, in milliseconds. */
export function timeoutOf(given: unknown): number {
	const milliseconds = Math.round(Number(given));
	return milliseconds >= 1 ? Math.min(milliseconds, LONGEST_TIMEOUT_MS) : DEFAULT_TIMEOUT_MS;
}
