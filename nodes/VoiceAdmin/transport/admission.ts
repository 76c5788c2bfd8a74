import { LoginError } from './auth/login';
import { type TokenManager, tokenManagerOf } from './auth/tokenManager';
import type { Outage } from './flow/circuitBreaker';
import type { ConcurrencyLimiter } from './flow/concurrencyLimiter';
import type { RequestKind } from './flow/fairQueue';
import type { Permit } from './flow/flowController';
import { time } from './flow/time';
import { type Classification, classify, isOutage, NotSentError } from './http/classify';
import type { Resending } from './resending';
import type { RequestContext, Sent } from './sendRequest';

/** A request that has failed so often is no longer the one by which to see whether the service is back. */
const SUSPECT_AFTER = 4;

/** An attempt that failed. */
export interface FailedAttempt {
	sent: Sent;
	classification: Classification;
	/** For how long its service has been unavailable, where that is why, in milliseconds. */
	waitedMs?: number;
}

/** Admits each attempt of a request: it waits for a token, then for a permit of its key's limiter. */
export class Admission {
	/** The attempt that failed last, and is to be sent again. */
	lastFailed?: FailedAttempt;

	private readonly tokens: TokenManager;

	private readonly startedAt = time.now();

	constructor(
		private readonly requestContext: RequestContext,
		private readonly kind: RequestKind,
		private readonly limiter: ConcurrencyLimiter,
		private readonly resending: Resending,
	) {
		this.tokens = tokenManagerOf(requestContext.credential);
	}

	/** Waits for a token, then for a permit. @returns why it is not sent, where it isn't */
	async permit(): Promise<Permit | FailedAttempt> {
		const { context, credential, connection, run } = this.requestContext;
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
		return this.limiter.flow.breakerOf('create').needsLogin;
	}

	/** Why there is no permit: where the service has been unavailable for as long as it may wait, the failure before that. */
	private notPermitted(failed: FailedAttempt): FailedAttempt {
		const { outage } = this.limiter.flow.breakerOf(this.kind);
		this.recordWait();
		const error = 'error' in failed.sent ? failed.sent.error : undefined;
		// A key that is not accepted says more than that the service was unavailable.
		if (!outage || (error instanceof LoginError && !isOutage(error.classification))) return failed;
		if (this.lastFailed) return { ...this.lastFailed, waitedMs: time.now() - Math.max(outage.since, this.startedAt) };
		return error === undefined ? notSent(unavailableError(outage)) : failed;
	}

	private recordWait(): void {
		for (const kind of ['repeatable', this.kind] as const) this.requestContext.run.recordWait(this.limiter.flow.breakerOf(kind).lastOutage, this.startedAt);
	}
}

/** An attempt that came to nothing, before the request was sent. */
function notSent(error: unknown): FailedAttempt {
	const sent = { error, token: '', wasSent: false };
	return { sent, classification: classify('GET', sent) };
}

/** Why a request was not sent whose service is unavailable, or asks to wait, for longer than it may wait. */
function unavailableError({ cause, since, status }: Readonly<Outage>): NotSentError {
	const response = status === undefined ? 'has not responded' : `has returned only ${status}`;
	const code = cause === 'rateLimited' ? 'rate_limited' : status === undefined ? 'connection_failed' : 'service_error';
	return new NotSentError(`The service ${response} for ${seconds(time.now() - since)}${code === 'service_error' ? '' : '. Try again later'}`, code);
}

export function seconds(ms: number): string {
	const count = Math.round(ms / 1_000);
	return `${count} second${count === 1 ? '' : 's'}`;
}
