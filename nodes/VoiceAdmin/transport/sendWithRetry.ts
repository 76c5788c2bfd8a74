import type { VoiceAdminCredential } from './auth/credential';
import { tokenManagerOf } from './auth/tokenManager';
import { type Failure, failureOf } from './failure';
import type { Permit } from './flow/concurrencyLimiter';
import { limiterOf } from './flow/limiters';
import { logDebug } from './flow/log';
import type { RunLimit } from './flow/runLimit';
import { wait } from './flow/time';
import { classify, NotSentError, type Outcome, pauseOf, worstOutcome } from './http/classify';
import { type ApiResponse, MAX_RESPONSE_BYTES } from './http/response';
import { retryDelay } from './http/retryPolicy';
import { type ApiRequest, type ConnectionOptions, type HttpRequest, toHttpRequest } from './request';
import { type N8nContext, type Sender, sendRequest, type Sent } from './sendRequest';

/** What the requests of an item, or of a poll, are sent with. */
export interface RequestContext {
	context: N8nContext;
	credential: VoiceAdminCredential;
	connection: ConnectionOptions;
	/** Closed when the run is stopped or cancelled. */
	run: RunLimit;
	/** How often a request is sent again at the most. */
	maxRetries: number;
	/** Whether the first failure stops the run. */
	stopsOnFailure: boolean;
	/** Maximum size of a response's body, in bytes; by default, that of an operation's. */
	maxBytes?: number;
}

/** What became of a request: what was read from a good response, why it failed, or that the run was stopped before. */
export type RequestResult<Value> = { value: Value } | { failure: Failure } | 'aborted';

const OVERLOADED = 'For three minutes the service has answered only 429 or 503 with Retry-After. Try again later';

/** A result of a request, and the permit that it was sent with; none where it was not sent. */
interface Attempt {
	sent: Sent;
	permit?: Permit;
}

const notSent = (error: unknown): Attempt => ({ sent: { error, token: '', wasSent: false } });

/** How long a path is shown in a log line, in characters. */
const MAX_LOGGED_PATH = 100;

/**
 * Sends one request: waits for a token and a permit of the key's limiter, and retries as its result is classified.
 *
 * @param read gives the value of a good response; undefined for any other response
 */
export async function sendWithRetry<Value>(
	{ context, credential, connection, run, maxRetries, stopsOnFailure, maxBytes = MAX_RESPONSE_BYTES }: RequestContext,
	request: ApiRequest,
	read: (response: ApiResponse) => Value | undefined,
): Promise<RequestResult<Value>> {
	const counts = { sends: 0, refused: 0, logInAgain: 0, retryWithSameToken: 0 };
	const sender: Sender = { context, credential, tokens: tokenManagerOf(credential), maxBytes, counts };
	const httpRequest = toHttpRequest(request, connection, credential);
	let outcome: Outcome = 'not_sent';
	for (let attempt = 1; ; attempt++) {
		const { sent, permit } = (await sendPermitted(sender, run, httpRequest)) ?? {};
		if (sent === undefined) return 'aborted';
		try {
			const value = 'response' in sent ? read(sent.response) : undefined;
			if (value !== undefined) {
				permit?.release('success');
				return { value };
			}
			const classification = classify(request.method, sent);
			outcome = worstOutcome(outcome, classification.outcome);
			const delay = retryDelay(classification, attempt, maxRetries);
			const pause = pauseOf(classification, delay);
			if (pause) run.recordAskedToWait(pause.ms);
			// What fails because its run was cancelled says nothing of the service.
			const signal = run.isClosed && 'error' in sent ? 'ignore' : classification.limiterSignal;
			// Before the permit goes to the next in the queue.
			if (delay === undefined && stopsOnFailure) run.close();
			permit?.release(signal, pause);
			if (delay === undefined) return { failure: failureOf(request, sent, { ...classification, outcome }, attempt, credential) };
			const target = `${request.method} ${request.path.replace(/\?.*/s, '').slice(0, MAX_LOGGED_PATH)}`;
			logDebug(credential, `${target} failed (${classification.code}), attempt ${attempt} of ${maxRetries + 1}; retry in ${Math.round(delay)} ms`);
			// A pause holds this request in the queue.
			if (pause === undefined) await wait(delay, () => run.isClosed);
		} finally {
			permit?.release('ignore');
		}
	}
}

/** Waits for a token, then for a permit, and sends the request. @returns undefined when the run was closed meanwhile */
async function sendPermitted(sender: Sender, run: RunLimit, request: HttpRequest): Promise<Attempt | undefined> {
	const { context, credential, tokens } = sender;
	for (;;) {
		if (run.isClosed) return undefined;
		if (tokens.current === '') {
			// No permit is held meanwhile: requests with another key may need it.
			const failure = await run.unlessClosed(tokens.get({ helpers: context.helpers }, credential, request).then(() => undefined, notSent));
			if (failure) return failure;
		}
		const permit = await run.acquire(limiterOf(credential), sender.counts.sends > 0);
		if (permit === undefined) return run.isClosed ? undefined : notSent(new NotSentError(OVERLOADED, 'rate_limited'));
		const sent = await sendRequest(sender, request);
		if (!('waitMs' in sent)) return { sent, permit };
		permit.release('ignore');
		await wait(sent.waitMs, () => run.isClosed || tokens.current !== sent.token);
	}
}
