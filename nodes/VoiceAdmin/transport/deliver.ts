import type { IExecutePaginationFunctions, IHttpRequestOptions, INodeExecutionData } from 'n8n-workflow';

import { connectionFailure } from './connectionFailure';
import { serviceUrl } from './credential';
import { type Failure, failureOfError, failureOfReply, type Sent } from './errors';
import { itemsOf } from './items';
import { LoginError } from './login';
import type { ApiRequest } from './request';
import { isWorthRetrying, waitBeforeRetry } from './retry';
import type { Attempt } from './run';
import { type Answer, send } from './send';
import type { Settings } from './settings';
import { wait } from './wait';

/** What became of a request. */
export type Outcome =
	| { items: INodeExecutionData[] }
	| { failure: Failure }
	/** The run was stopped or cancelled before the request was sent, or before it was sent again. */
	| { notSent: true };

/** The item on whose behalf a request travels. */
export interface Traveller {
	context: IExecutePaginationFunctions;
	attempt: Attempt;
	settings: Settings;
	/** Whether the first failure ends the run. */
	stopsOnError: boolean;
	/** Method, path and n8n's own request options (time-out, proxy, TLS), from the routing executor. */
	options: IHttpRequestOptions;
}

/**
 * Takes one request to the service and its reply back: waits for a place among those in flight,
 * sends, and sends again where that is safe and of use.
 *
 * @throws UserError when the credential's base URL is not usable; n8n's error when there is no credential
 */
export async function deliver(traveller: Traveller, request: ApiRequest): Promise<Outcome> {
	const { context, attempt, settings, options } = traveller;
	const { credential, session } = await attempt.signIn(context);
	const pace = attempt.pace(settings.maxConcurrency);
	const outgoing = asHttpRequest(request, options, serviceUrl(credential), credential.allowUnauthorizedCerts);
	for (let tries = 1; ; tries++) {
		const place = attempt.isStopped ? undefined : await pace.enter();
		if (place === undefined) return { notSent: true };
		const answer = await send(context, attempt, { credential, session }, outgoing);
		const items = answer.reply && itemsOf(answer.reply, request, context.getItemIndex());
		const goesOn =
			!items && tries <= settings.maxRetries && mayBeSentAgain(options.method ?? 'GET', answer);
		// Before the place is given to the next in the queue.
		if (!items && !goesOn && traveller.stopsOnError) attempt.stop();
		pace.leave(place, isStrained(answer) ? 'strained' : 'none');
		if (items) return { items };
		if (answer.notSent) return { notSent: true };
		if (!goesOn) {
			const sent: Sent = { request, tries, credential, token: session.newest() };
			return {
				failure: answer.reply ? failureOfReply(answer.reply, sent) : failureOfError(answer.error, sent),
			};
		}
		await wait(waitBeforeRetry(tries, answer.reply?.headers['retry-after']), () => attempt.isStopped);
	}
}

function asHttpRequest(
	{ pathSuffix = '', body }: ApiRequest,
	options: IHttpRequestOptions,
	service: string,
	ignoreCertificate: boolean,
): IHttpRequestOptions {
	return {
		...options,
		url: `${service}${options.url}${pathSuffix}`,
		headers: {
			Accept: 'application/json',
			...(body !== undefined && { 'Content-Type': 'application/json' }),
		},
		// As text, because the HTTP client would copy an object key by key and lose a key like `__proto__`.
		body: body === undefined ? undefined : JSON.stringify(body),
		skipSslCertificateValidation: options.skipSslCertificateValidation === true || ignoreCertificate,
		// The body is read here, to tell JSON that is cut off from text, whatever its content type says.
		encoding: 'text',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	};
}

function isStrained({ reply, error }: Answer): boolean {
	if (reply) return reply.status === 429 || reply.status === 503;
	return isBrokenConnection(error);
}

function mayBeSentAgain(method: string, { reply, error, notSent }: Answer): boolean {
	if (notSent) return false;
	if (reply) return isWorthRetrying(method, reply.status);
	// When the login failed, the request itself was never sent: only a refused key is final.
	if (error instanceof LoginError) return !error.refused && isWorthRetrying('GET', error.httpStatus);
	return isBrokenConnection(error) && isWorthRetrying(method, undefined);
}

function isBrokenConnection(error: unknown): boolean {
	return !(error instanceof LoginError) && connectionFailure(error, '').isConnection;
}
