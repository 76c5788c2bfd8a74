import { LoginError } from './auth/login';
import type { Permit } from './flow/concurrencyLimiter';
import type { Outage } from './flow/outage';
import { formatSeconds, time } from '../time';
import { classify, isOutage, NotSentError } from './http/classify';
import type { FailedAttempt, PendingRequest } from './pendingRequest';

/** From this many attempts on, a request is the probe only if no other one waits. */
const SUSPECT_AFTER = 4;

/** Waits until a request may be sent once: for a token, then for a permit of its key's limiter. @returns why it is not sent, where it isn't */
export async function admit(request: PendingRequest): Promise<Permit | FailedAttempt> {
	const { kind, limiter, tokens, context: { n8n, credential, connection, run } } = request;
	const needsLogin = () => limiter.flow.anyOutage?.needsLogin === true;
	for (let isProbe = false; ; ) {
		if ((isProbe || tokens.current === '') && !run.isStopped) {
			// No permit is held meanwhile: requests with another key may need it.
			const token = tokens.get({ http: n8n, credential, connection, run, limiter }, () => isProbe && needsLogin());
			// A login is shared with other runs, and goes on when this one is stopped.
			const loginFailure = await Promise.race([token.then(() => undefined, unsentAttempt), run.stopped]);
			if (loginFailure) return notAdmitted(request, loginFailure);
		}
		const { attempts } = request.strategy;
		const permit = await limiter.acquire(run, { kind, isRetry: attempts > 0, isSuspect: attempts >= SUSPECT_AFTER });
		if (permit === undefined) return notAdmitted(request, unsentAttempt(undefined));
		recordWait(request);
		// A login shows that the service is there, where the request can't be repeated.
		isProbe = kind === 'create' && needsLogin();
		// Another request may have found the token expired meanwhile.
		if (!isProbe && tokens.current !== '') return permit;
		permit.release();
	}
}

/** Why it is not sent: where the service has been unavailable for as long as it may wait, its failure before that. */
function notAdmitted(request: PendingRequest, failure: FailedAttempt): FailedAttempt {
	const { kind, limiter, lastFailure, startedAt } = request;
	const { outage } = limiter.flow.breakerOf(kind);
	recordWait(request);
	const error = 'error' in failure.result ? failure.result.error : undefined;
	// A key that is not accepted says more than that the service was unavailable.
	if (!outage || (error instanceof LoginError && !isOutage(error.classification))) return failure;
	if (lastFailure) return { ...lastFailure, waitedMs: time.now() - Math.max(outage.startedAt, startedAt) };
	return error === undefined ? unsentAttempt(unavailableError(outage)) : failure;
}

function recordWait({ kind, limiter, startedAt, context: { run } }: PendingRequest): void {
	run.recordWait(limiter.flow.breaker.lastOutage, startedAt);
	if (kind === 'create') run.recordWait(limiter.flow.breakerOf(kind).lastOutage, startedAt);
}

/** An attempt that came to nothing, before the request was sent. */
function unsentAttempt(error: unknown): FailedAttempt {
	const result = { error, token: '', wasSent: false };
	return { result, classification: classify({ method: 'GET' }, result) };
}

/** Why a request was not sent whose service is unavailable, or asks to wait, for longer than it may wait. */
function unavailableError({ cause, startedAt, status }: Readonly<Outage>): NotSentError {
	const lastSeen = status === undefined ? 'has not responded for' : `last returned ${status}, and has accepted no request for`;
	const code = cause === 'rateLimited' ? 'rate_limited' : status === undefined ? 'connection_failed' : 'service_error';
	return new NotSentError(`The service ${lastSeen} ${formatSeconds(time.now() - startedAt)}${code === 'service_error' ? '' : '. Try again later'}`, code);
}
