import type { IHttpRequestOptions } from 'n8n-workflow';

import { connectionFailure } from './connectionErrors';
import { allowedDomainsOf, serviceUrl, type VoiceAdminCredential } from '../auth/credential';
import { failureOfError, failureOfReply, type Sent } from './errors';
import type { Outcome } from '../outcome';
import type { Sign } from '../flow/concurrencyLimiter';
import { MAX_REPLY_BYTES, type Reply } from './response';
import type { ApiRequest } from './request';
import type { Requester } from '../requester';
import { isWorthRetrying, waitBeforeRetry } from '../flow/retryPolicy';
import type { Attempt } from '../../execution/nodeRun';
import { type Answer, send, timeoutOf } from './sendRequest';
import type { Settings } from '../settings';
import { wait } from '../flow/wait';

/** Statuses by which a service says that it has more to do than it can. */
const LIMITING = [429, 503];

/** The item on whose behalf a request travels. */
export interface Traveller {
	requester: Requester;
	attempt: Attempt;
	settings: Settings;
	/** Whether the first failure ends the run. */
	stopsOnError: boolean;
	/** Whether n8n has given the run up, so that nobody would hear of what is sent; asked once, before that. */
	isGivenUp?: () => Promise<boolean>;
	/** Most bytes of a reply's body that are read; by default, those of an operation's. */
	maxReplyBytes?: number;
	/** Method, path and n8n's own request options (time-out, proxy, TLS), from the routing executor. */
	options: IHttpRequestOptions;
}

/**
 * Takes one request to the service and its reply back: waits for a place among those in flight,
 * sends, and sends again where that is safe and of use.
 *
 * @param read gives what a good reply says; undefined for any other reply
 * @throws UserError when the credential's base URL is not usable; n8n's error when there is no credential
 */
export async function deliver<Result>(
	traveller: Traveller,
	request: ApiRequest,
	read: (reply: Reply) => Result | undefined,
): Promise<Outcome<Result>> {
	const { requester, attempt, settings, options, stopsOnError, maxReplyBytes = MAX_REPLY_BYTES } = traveller;
	const { credential, session } = await attempt.signIn(requester);
	if (await traveller.isGivenUp?.()) {
		attempt.stop();
		return { givenUp: true };
	}
	const pace = attempt.pace(settings.maxConcurrency);
	const outgoing = asHttpRequest(request, options, credential);
	for (let tries = 1; ; tries++) {
		const place = await pace.enter(tries > 1);
		if (place === undefined) return { notSent: true };
		const answer = await send(requester, attempt, { credential, session }, outgoing, maxReplyBytes);
		const result = answer.kind === 'reply' ? read(answer.reply) : undefined;
		const isGood = result !== undefined;
		const goesOn = !isGood && tries <= settings.maxRetries && mayBeSentAgain(options.method, answer);
		// Before the place is given to the next in the queue.
		if (!isGood && !goesOn && stopsOnError) attempt.stop();
		const asked = retryAfter(answer, goesOn);
		const waiting =
			goesOn || asked !== undefined
				? wait(waitBeforeRetry(tries, asked), () => attempt.isStopped)
				: undefined;
		// The service has asked everybody to wait, not this request alone.
		if (waiting && asked !== undefined) void pace.pause(place, waiting);
		pace.leave(place, signOf(answer));
		if (isGood) return { result };
		if (answer.kind === 'notSent') return { notSent: true };
		if (!goesOn) {
			const sent: Sent = { request, tries, credential, token: answer.token };
			return {
				failure:
					answer.kind === 'reply'
						? failureOfReply(answer.reply, sent)
						: failureOfError(answer.error, sent, answer.hasLeft),
			};
		}
		await waiting;
	}
}

function asHttpRequest(
	{ pathSuffix = '', body }: ApiRequest,
	options: IHttpRequestOptions,
	credential: VoiceAdminCredential,
): IHttpRequestOptions {
	return {
		...options,
		timeout: timeoutOf(options.timeout),
		...allowedDomainsOf(credential),
		url: `${serviceUrl(credential)}${options.url}${pathSuffix}`,
		headers: {
			Accept: 'application/json',
			...(body !== undefined && { 'Content-Type': 'application/json' }),
		},
		// As text, because the HTTP client would copy an object key by key and lose a key like `__proto__`.
		body: body === undefined ? undefined : JSON.stringify(body),
		skipSslCertificateValidation: options.skipSslCertificateValidation === true || credential.allowUnauthorizedCerts,
		// The body is read here, to read no more of it than there may be, and to tell JSON that is cut off from text.
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	};
}

/** What the service asks to wait: with a 429 everybody, with a 503 who comes again. */
function retryAfter(answer: Answer, goesOn: boolean): unknown {
	if (answer.kind !== 'reply') return undefined;
	const { status, headers } = answer.reply;
	return status === 429 || (status === 503 && goesOn) ? headers['retry-after'] : undefined;
}

function signOf(answer: Answer): Sign {
	if (answer.kind === 'reply') {
		const { status } = answer.reply;
		if (LIMITING.includes(status)) return 'strained';
		return status < 500 ? 'good' : 'neutral';
	}
	return isBrokenConnection(answer) ? 'strained' : 'neutral';
}

function mayBeSentAgain(method = 'GET', answer: Answer): boolean {
	if (answer.kind === 'reply') return isWorthRetrying(method, answer.reply.status);
	return isBrokenConnection(answer) && isWorthRetrying(method, undefined);
}

/** The request's own connection: the session has tried the login's again already, and n8n's to its database is none of ours. */
function isBrokenConnection(answer: Answer): boolean {
	return answer.kind === 'error' && answer.hasLeft && connectionFailure(answer.error, '').isConnection;
}
