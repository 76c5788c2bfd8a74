import type { VoiceAdminCredential } from './auth/credential';
import { tokenManagerOf } from './auth/tokenManager';
import { type Failure, failureOf } from './failure';
import type { Pause, Permit } from './flow/concurrencyLimiter';
import { limiterOf } from './flow/limiters';
import { logDebug } from './flow/log';
import { retryDelay } from './http/retryPolicy';
import type { RunQueue } from './flow/runQueue';
import { wait } from './flow/time';
import { type Classification, classify, NotSentError, type Outcome, worstOutcome } from './http/classify';
import { type ApiResponse, MAX_RESPONSE_BYTES } from './http/response';
import { type ApiRequest, type ConnectionOptions, toHttpRequest } from './request';
import { type N8nContext, type Sender, sendRequest, type Sent } from './sendRequest';

/** What the requests of an item, or of a poll, are sent with. */
export interface RequestContext {
	context: N8nContext;
	credential: VoiceAdminCredential;
	connection: ConnectionOptions;
	/** Closed when the run is stopped or cancelled. */
	queue: RunQueue;
	/** How often a request is sent again at the most. */
	maxRetries: number;
	/** Whether the first failure stops the run. */
	stopsOnFailure: boolean;
	/** Maximum size of a response's body, in bytes; by default, that of an operation's. */
	maxBytes?: number;
}

/** What became of a request: what was read from a good response, why it failed, or that the run was stopped before. */
export type RequestResult<Value> = { value: Value } | { failure: Failure } | 'aborted';

/** The service has asked to wait again and again, and accepted nothing. */
class OverloadedError extends NotSentError {
	constructor() {
		super('The service accepts no requests at present: for three minutes it has only asked to wait', 'rate_limited');
	}
}

/** A result of a request, and the permit that it was sent with; none where it was not sent. */
interface Attempt {
	sent: Sent;
	permit?: Permit;
}

/** How long a path is shown in a log line, in characters. */
const MAX_LOGGED_PATH = 100;

/**
 * Sends one request: waits for a token and a permit of the key's limiter, and retries as its result is classified.
 *
 * @param read gives the value of a good response; undefined for any other response
 */
export async function sendWithRetry<Value>(
	{ context, credential, connection, queue, maxRetries, stopsOnFailure, maxBytes = MAX_RESPONSE_BYTES }: RequestContext,
	request: ApiRequest,
	read: (response: ApiResponse) => Value | undefined,
): Promise<RequestResult<Value>> {
	const sender: Sender = { context, credential, tokens: tokenManagerOf(credential), maxBytes, counts: { expired: 0, doubtful: 0, sends: 0 } };
	const httpRequest = toHttpRequest(request, connection, credential);
	let outcome: Outcome = 'not_sent';
	for (let attempt = 1; ; attempt++) {
		const { sent, permit } = (await sendPermitted(sender, queue, httpRequest, attempt > 1)) ?? {};
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
			// What fails because its run was cancelled says nothing of the service.
			const signal = queue.isClosed && 'error' in sent ? 'ignore' : classification.limiterSignal;
			// Before the permit goes to the next in the queue.
			if (delay === undefined && stopsOnFailure) queue.close();
			permit?.release(signal, pause);
			if (delay === undefined) return { failure: failureOf(request, sent, { ...classification, outcome }, attempt, credential) };
			const target = `${request.method} ${request.path.replace(/\?.*/s, '').slice(0, MAX_LOGGED_PATH)}`;
			logDebug(credential, `${target} failed (${classification.code}), attempt ${attempt} of ${maxRetries + 1}; retry in ${Math.round(delay)} ms`);
			// A pause holds this request in the queue.
			if (pause === undefined) await wait(delay, () => queue.isClosed);
		} finally {
			permit?.release('ignore');
		}
	}
}

/** A 429 asks all requests of the key to wait; a 503 those that are sent again, and with them their run. */
function pauseOf({ code, retryAfterMs }: Classification, delay: number | undefined): Pause | undefined {
	const isForKey = code === 'rate_limited';
	return retryAfterMs !== undefined && (isForKey || delay !== undefined) ? { ms: retryAfterMs, isForKey } : undefined;
}

/** Waits for a token, then for a permit, and sends the request. @returns undefined when the run was closed meanwhile */
async function sendPermitted(sender: Sender, queue: RunQueue, request: ReturnType<typeof toHttpRequest>, isRetry: boolean): Promise<Attempt | undefined> {
	const { context, credential, tokens } = sender;
	for (;;) {
		if (queue.isClosed) return undefined;
		if (tokens.current === '') {
			// Without a permit, which requests with another key may need, and before all that wait for one.
			const failed = (error: unknown): Attempt => ({ sent: { error, token: '', wasSent: false } });
			const failure = await queue.unlessClosed(tokens.get({ helpers: context.helpers }, credential, request).then(() => undefined, failed));
			if (failure) return failure;
		}
		const permit = await queue.acquire(limiterOf(credential), isRetry || sender.counts.sends > 0);
		if (permit === undefined) return queue.isClosed ? undefined : { sent: { error: new OverloadedError(), token: '', wasSent: false } };
		const sent = await sendRequest(sender, request);
		if (sent !== 'unauthorized') return { sent, permit };
		permit.release('ignore');
	}
}
