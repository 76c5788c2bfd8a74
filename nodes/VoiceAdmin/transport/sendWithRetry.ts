import { logDebug } from '../log';
import type { VoiceAdminCredential } from './auth/credential';
import { LoginError } from './auth/login';
import type { RefusedToken, SentRequest } from './auth/refusals';
import { type TokenManager, tokenManagerOf } from './auth/tokenManager';
import { type Failure, failureOf, joinLines } from './failure';
import type { Outage } from './flow/circuitBreaker';
import { type ConcurrencyLimiter, limiterOf, type Permit } from './flow/concurrencyLimiter';
import type { RequestKind } from './flow/fairQueue';
import type { RunLimit } from './flow/runLimit';
import { SLICE_MS, time, wait } from './flow/time';
import { type Classification, classify, isIdempotent, isOutage, judgeToken, NotSentError, type Outcome, worstOutcome } from './http/classify';
import { type ApiResponse, MAX_RESPONSE_BYTES } from './http/response';
import { type ApiRequest, type ConnectionOptions, type HttpRequest, ownWayOf, toHttpRequest } from './request';
import { Resending } from './resending';
import { type N8nContext, sendRequest, type Sent } from './sendRequest';

/** What the requests of an item, or of a poll, are sent with. */
export interface RequestContext {
	context: N8nContext;
	credential: VoiceAdminCredential;
	connection: ConnectionOptions;
	/** Closed when the run is stopped or cancelled. */
	run: RunLimit;
	/** How often a request is sent again at the most for a fault of its own. */
	maxRetries: number;
	/** Whether the first failure stops the run. */
	stopsOnFailure: boolean;
	/** Maximum size of a response's body, in bytes; by default, that of an operation's. */
	maxBytes?: number;
}

/** What became of a request: what was read from a good response, why it failed, or that its run was stopped, and what it had done by then. */
export type RequestResult<Value> = { value: Value } | { failure: Failure } | { aborted: Outcome };

/** A request that has failed so often is no longer the one by which to see whether the service is back. */
const SUSPECT_AFTER = 4;

/** How long a path is shown in a log line, in characters. */
const MAX_LOGGED_PATH = 100;

/**
 * Sends one request: waits for a token and a permit of the key's limiter, and sends it again as `Resending` says.
 *
 * @param read gives the value of a good response; undefined for any other response
 */
export async function sendWithRetry<Value>(
	context: RequestContext,
	request: ApiRequest,
	read: (response: ApiResponse) => Value | undefined,
): Promise<RequestResult<Value>> {
	const sending = new Sending(context, request);
	for (;;) {
		const permit = await sending.permit();
		if (!('release' in permit)) return context.run.isClosed ? { aborted: sending.outcome } : sending.failed(permit);
		try {
			const { sent, mark } = await sending.send();
			const value = 'response' in sent ? read(sent.response) : undefined;
			if (value !== undefined) {
				permit.release('success');
				return { value };
			}
			const attempt = { sent, classification: classify(request.method, sent) };
			if (await sending.changesToken(attempt, mark, permit)) continue;
			const delay = sending.delayAfter(attempt, permit);
			if (delay === undefined) return sending.failed(attempt);
			await wait(delay, () => context.run.isClosed);
		} finally {
			// What nobody foresaw stops a run too, before the permit goes to the next in the queue.
			if (!permit.isReported && context.stopsOnFailure) context.run.close();
			permit.release();
		}
	}
}

/** An attempt that failed. */
interface FailedAttempt {
	sent: Sent;
	classification: Classification;
	/** For how long its service has been away, where that is why, in milliseconds. */
	waitedMs?: number;
}

/** One request on its way. */
class Sending {
	private readonly limiter: ConcurrencyLimiter;

	private readonly tokens: TokenManager;

	private readonly httpRequest: HttpRequest;

	private readonly resending: Resending;

	/** The worst of all attempts: what may have been done stays so. */
	outcome: Outcome = 'not_sent';

	private last?: FailedAttempt;

	private refusedToken?: RefusedToken;

	private readonly kind: RequestKind;

	private readonly id: SentRequest['request'];

	private readonly startedAt = time.now();

	constructor(
		private readonly given: RequestContext,
		private readonly request: ApiRequest,
	) {
		const { credential, connection, maxRetries, run } = given;
		this.kind = isIdempotent(request.method) ? 'repeatable' : 'create';
		this.id = request.method === 'GET' ? request.path : Symbol();
		this.limiter = limiterOf(credential, ownWayOf(connection, credential));
		this.tokens = tokenManagerOf(credential);
		this.httpRequest = toHttpRequest(request, connection, credential);
		this.resending = new Resending(this.limiter, maxRetries, run.maxWaitMs);
	}

	/** Waits for a token, then for a permit. @returns why it is not sent, where it isn't */
	async permit(): Promise<Permit | FailedAttempt> {
		const { context, credential, connection, run } = this.given;
		for (let isProbe = false; ; ) {
			if ((isProbe || this.tokens.current === '') && !run.isClosed) {
				// No permit is held meanwhile: requests with another key may need it.
				const token = this.tokens.get({ http: context, credential, connection, run, limiter: this.limiter }, () => isProbe && this.needsLogin);
				const failed = await run.unlessClosed(token.then(() => undefined, notSent));
				if (failed) return this.notPermitted(failed);
			}
			const { isOwnFault, sends } = this.resending;
			const request = { kind: this.kind, isRetry: sends > 0, isSuspect: sends >= SUSPECT_AFTER, ...(isOwnFault && { id: this }) };
			const permit = await run.acquire(this.limiter, request);
			if (permit === undefined) return this.notPermitted(notSent(undefined));
			this.recordWait();
			// A login shows that the service is there, where the request can't be repeated.
			isProbe = this.kind === 'create' && this.needsLogin;
			// Another request may have found the token expired meanwhile.
			if (!isProbe && this.tokens.current !== '') return permit;
			permit.release();
		}
	}

	private get needsLogin(): boolean {
		return this.limiter.breakerOf('create').needsLogin;
	}

	/** Why there is no permit: where the service has been away for as long as it may wait, the failure before that. */
	private notPermitted(failed: FailedAttempt): FailedAttempt {
		const { outage } = this.limiter.breakerOf(this.kind);
		this.recordWait();
		const error = 'error' in failed.sent ? failed.sent.error : undefined;
		// A key that is not accepted says more than that the service was away.
		if (!outage || (error instanceof LoginError && !isOutage(error.classification))) return failed;
		if (this.last) return { ...this.last, waitedMs: time.now() - Math.max(outage.since, this.startedAt) };
		return error === undefined ? notSent(awayError(outage)) : failed;
	}

	private recordWait(): void {
		for (const kind of ['repeatable', this.kind] as const) this.given.run.recordWait(this.limiter.breakerOf(kind).lastOutage, this.startedAt);
	}

	/** Sends it once. */
	async send(): Promise<{ sent: Sent; mark: SentRequest }> {
		const { context, credential, maxBytes = MAX_RESPONSE_BYTES } = this.given;
		const mark = { request: this.id, token: this.tokens.current, sentAt: time.now() };
		this.resending.sends++;
		const sent = await sendRequest(context, credential, this.httpRequest, mark.token, maxBytes);
		if ('response' in sent && judgeToken(sent.response) === 'accepted') this.tokens.accepted(mark);
		return { sent, mark };
	}

	/** Whether its token was not accepted, and it is to be sent again: waits until it may be. */
	async changesToken({ sent, classification }: FailedAttempt, mark: SentRequest, permit: Permit): Promise<boolean> {
		const { credential, run, maxRetries } = this.given;
		const judgement = 'response' in sent ? judgeToken(sent.response) : 'accepted';
		// A redirect may follow a change that was done.
		const isRefused = judgement === 'refused' || (judgement === 'suspected' && ((this.kind === 'repeatable' && maxRetries > 0) || classification.outcome === 'not_done'));
		if (!isRefused || !this.resending.mayChangeToken()) return false;
		this.refusedToken = this.tokens.refused(mark, this.refusedToken);
		const nextStep = () => this.tokens.nextStep(this.refusedToken!, credential, judgement === 'refused');
		let next = nextStep();
		if (next === 'giveUp') return false;
		this.outcome = worstOutcome(this.outcome, classification.outcome);
		permit.release('answered');
		for (; next === 'wait' && !run.isClosed; next = nextStep()) await time.sleep(SLICE_MS);
		return next !== 'giveUp';
	}

	/** Tells the limiter of a failure, and ends the run if it stops it. @returns after how long it is sent again, in milliseconds; undefined for never */
	delayAfter(attempt: FailedAttempt, permit: Permit): number | undefined {
		const { credential, run, stopsOnFailure } = this.given;
		const { sent, classification } = attempt;
		// What fails because its run was cancelled, or for its own fault, says nothing of the service.
		const saysNothing = (run.isClosed && 'error' in sent) || this.resending.saysNothing(classification);
		const status = 'response' in sent ? sent.response.status : undefined;
		permit.report(saysNothing ? 'ignore' : classification.signal, { retryAfterMs: classification.retryAfterMs, status });
		const delay = this.resending.delayAfter(classification, permit.number);
		// Before the permit goes to the next in the queue.
		if (delay === undefined && stopsOnFailure) run.close();
		permit.release();
		if (delay === undefined) return undefined;
		this.last = attempt;
		this.outcome = worstOutcome(this.outcome, classification.outcome);
		const path = this.request.path.replace(/\?.*/s, '').slice(0, MAX_LOGGED_PATH);
		const next = this.limiter.breaker.outage ? 'it waits for the service' : `retry in ${Math.round(delay)} ms`;
		logDebug(credential, `${this.request.method} ${path} failed (${classification.code}), attempt ${this.resending.sends}; ${next}`);
		return delay;
	}

	/** The failure of the request, by its last attempt. */
	failed({ sent, classification, waitedMs }: FailedAttempt): { failure: Failure } {
		const { credential, run, stopsOnFailure } = this.given;
		if (stopsOnFailure) run.close();
		const outcome = worstOutcome(this.outcome, classification.outcome);
		const failure = failureOf(this.request, sent, { ...classification, outcome }, this.resending.sends, credential);
		const waited = waitedMs === undefined ? '' : `It has waited for the service for ${seconds(waitedMs)}`;
		return { failure: { ...failure, description: joinLines([failure.description, waited]) } };
	}
}

/** An attempt that came to nothing, before the request was sent. */
function notSent(error: unknown): FailedAttempt {
	const sent = { error, token: '', wasSent: false };
	return { sent, classification: classify('GET', sent) };
}

/** Why a request was not sent whose service is away, or asks to wait, for longer than it may wait. */
function awayError({ cause, since, status }: Readonly<Outage>): NotSentError {
	const answer = status === undefined ? 'has not answered' : `has answered only ${status}`;
	const code = cause === 'rateLimited' ? 'rate_limited' : status === undefined ? 'connection_failed' : 'service_error';
	return new NotSentError(`The service ${answer} for ${seconds(time.now() - since)}${code === 'service_error' ? '' : '. Try again later'}`, code);
}

function seconds(ms: number): string {
	const count = Math.round(ms / 1_000);
	return `${count} second${count === 1 ? '' : 's'}`;
}
