import { LoginError } from './auth/login';
import type { Permit } from './flow/concurrencyLimiter';
import type { Outage } from './flow/outage';
import { formatSeconds, time } from '../time';
import { classify, requiresWait, NotSentError } from './http/classify';
import type { FailedAttempt, PendingRequest } from './pendingRequest';

/** From this many attempts on, a request is the probe only if no other one waits. */
const SUSPECT_AFTER = 4;

/** What a request needs to be sent. */
export interface Admission {
	token: string;
	permit: Permit;
}

/** Waits for a token, then for a permit of the key's limiter. @returns why the request is not sent, if it isn't */
export async function admit(request: PendingRequest): Promise<Admission | FailedAttempt> {
	const { kind, limiter, tokens, context: { n8n, credential, connection, run } } = request;
	const needsLogin = () => limiter.flow.anyOutage?.needsLogin === true;
	for (let isProbe = false; ; ) {
		if ((isProbe || tokens.current === undefined) && !run.isStopped) {
			// Without holding a permit: requests with another key may need it.
			const login = tokens.get({ http: n8n, credential, connection, run, limiter }, () => isProbe && needsLogin());
			// A login is shared with other runs, and continues when this one is stopped.
			const loginFailure = await Promise.race([login.then(() => undefined, unsentAttempt), run.stopped]);
			if (loginFailure) return notAdmitted(request, loginFailure);
		}
		const { attempts } = request.strategy;
		const permit = await limiter.acquire(run, { kind, isRetry: attempts > 0, isSuspect: attempts >= SUSPECT_AFTER });
		if (permit === undefined) return notAdmitted(request, unsentAttempt(undefined));
		recordWait(request);
		// A create can't be repeated, so a login probes in its place.
		isProbe = kind === 'create' && needsLogin();
		// Another request may have discarded the token meanwhile.
		const token = tokens.current;
		if (!isProbe && token !== undefined) return { token, permit };
		permit.release();
	}
}

/** Why a request is not sent: after the maximum wait for the service, its last failure, if there was one. */
function notAdmitted(request: PendingRequest, failure: FailedAttempt): FailedAttempt {
	const { kind, limiter, lastFailure, startedAt } = request;
	const { outage } = limiter.flow.breakerOf(kind);
	recordWait(request);
	const error = 'error' in failure.result ? failure.result.error : undefined;
	// A rejected key explains more than an outage does.
	if (!outage || (error instanceof LoginError && !requiresWait(error.classification))) return failure;
	if (lastFailure) return { ...lastFailure, waitedMs: time.now() - Math.max(outage.startedAt, startedAt) };
	return error === undefined ? unsentAttempt(unavailableError(outage)) : failure;
}

function recordWait({ kind, limiter, startedAt, context: { run } }: PendingRequest): void {
	run.recordWait(limiter.flow.breaker.lastOutage, startedAt);
	if (kind === 'create') run.recordWait(limiter.flow.breakerOf(kind).lastOutage, startedAt);
}

/** An attempt that failed before the request was sent. */
function unsentAttempt(error: unknown): FailedAttempt {
	const result = { error, wasSent: false };
	return { result, classification: classify({ method: 'GET' }, result) };
}

/** The error after the maximum wait for a service that is unavailable or limits requests. */
function unavailableError({ cause, startedAt, status }: Readonly<Outage>): NotSentError {
	const lastSeen = status === undefined ? 'has not responded for' : `last returned ${status}, and has accepted no request for`;
	const code = cause === 'rateLimited' ? 'rate_limited' : status === undefined ? 'connection_failed' : 'service_error';
	return new NotSentError(`The service ${lastSeen} ${formatSeconds(time.now() - startedAt)}${code === 'service_error' ? '' : '. Try again later'}`, code);
}
