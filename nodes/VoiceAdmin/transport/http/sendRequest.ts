import type { IAllExecuteFunctions, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { CREDENTIAL_TYPE, type VoiceAdminCredential } from '../auth/credential';
import { withDeadline } from './deadline';
import { LoginError } from '../auth/login';
import { readReply, type Reply } from './response';
import type { Requester } from '../requester';
import type { Attempt, SignedIn } from '../../execution/nodeRun';

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
	/** No reply: a LoginError, when there was no token to be had; or what n8n or the HTTP client threw. */
	| { kind: 'error'; error: unknown; token: string; hasLeft: boolean }
	/** The attempt was stopped while the request waited for a token. */
	| { kind: 'notSent' };

/** What the credential's `authenticate`, by which a request leaves n8n, tells of it: it is handed over with the credential. */
export type Departure = { hasLeft: boolean };

/**
 * Sends a request with the newest access token, and again with a newer one when the service answers 401.
 *
 * @param limit most bytes of the reply's body
 */
export async function send(
	requester: Requester,
	attempt: Attempt,
	{ credential, session }: SignedIn,
	options: IHttpRequestOptions,
	limit: number,
): Promise<Answer> {
	let token = '';
	let renewals = 0;
	let doubts = 0;
	let departure: Departure = { hasLeft: false };
	try {
		for (let round = 1; ; round++) {
			token = await session.renew({ helpers: requester.helpers }, credential, { way: options });
			if (attempt.isStopped) return { kind: 'notSent' };
			departure = { hasLeft: false };
			const request = session.number();
			const reply = await sendInTime(requester, options, limit, { ...credential, accessToken: token, departure });
			if (reply.status !== 401) {
				// A proxy answers 429 or 503 without having looked at the token.
				if (reply.status !== 429 && reply.status < 500) session.accept(token, request, credential);
				return { kind: 'reply', reply, token };
			}
			const refusal = session.refuse(token, request, credential);
			if (refusal === 'expired') renewals++;
			if (refusal === 'doubtful' || refusal === 'unproven') doubts++;
			if (doubts === MAX_DOUBTS || renewals === MAX_RENEWALS || round === MAX_ROUNDS) {
				return { kind: 'reply', reply, token };
			}
		}
	} catch (error) {
		// A login that fails after a 401 fails before the request has left again.
		return { kind: 'error', error, token, hasLeft: departure.hasLeft && !(error instanceof LoginError) };
	}
}

/** Sends a request by n8n's helper, and ends it when its time is over or the execution is cancelled. */
async function sendInTime(
	requester: Requester,
	options: IHttpRequestOptions,
	limit: number,
	data: VoiceAdminCredential & { departure: Departure },
): Promise<Reply> {
	return await withDeadline(options.timeout ?? DEFAULT_TIMEOUT_MS, requester.getExecutionCancelSignal?.(), async (signal) => {
		// The helper takes the signal from the context that it is called on, whatever the options say.
		const timed = Object.create(requester, {
			getExecutionCancelSignal: { value: () => signal },
		}) as IAllExecuteFunctions;
		const response = (await requester.helpers.httpRequestWithAuthentication.call(
			timed,
			CREDENTIAL_TYPE,
			{ ...options, headers: { ...options.headers } },
			{ credentialsDecrypted: { id: '', name: '', type: CREDENTIAL_TYPE, data } },
		)) as IN8nHttpFullResponse;
		return await readReply(response, limit, signal);
	});
}

/** A time-out as n8n's Request Options give it, which may be text or anything an expression gives, in milliseconds. */
export function timeoutOf(given: unknown): number {
	const milliseconds = Math.round(Number(given));
	return milliseconds >= 1 ? Math.min(milliseconds, LONGEST_TIMEOUT_MS) : DEFAULT_TIMEOUT_MS;
}
