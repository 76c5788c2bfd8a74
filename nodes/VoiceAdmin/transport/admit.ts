import { formatSeconds } from '../text';
import { time } from '../time';
import { LoginError } from './auth/login';
import type { Permit } from './flow/concurrencyLimiter';
import type { Outage } from './flow/outage';
import { classifyFailure, requiresWait, NotSentError } from './response/classifyFailure';
import type { PendingRequest } from './pendingRequest';
import type { FailedAttempt } from './retryStrategy';

/** From this many attempts on, a request is a probe only if no other one waits. */
const OFTEN_FAILED_FROM = 4;

/** What a request needs to be sent. */
export interface Admission {
	token: string;
	permit: Permit;
}

/** Waits for a token, then for a permit of the key's limiter. @returns them, or why the request is not sent */
export async function admit(pending: PendingRequest): Promise<Admission | FailedAttempt> {
	const {
		kind,
		limiter,
		tokens,
		settings,
		settings: { run },
	} = pending;
	const needsLogin = () => limiter.flow.anyOutage?.needsLogin === true;
	let mustProbeByLogin = false;
	for (;;) {
		if ((mustProbeByLogin || tokens.current === undefined) && !run.isStopped) {
			// Without holding a permit: requests with another key may need it.
			const login = tokens.get(settings, () => mustProbeByLogin && needsLogin());
			// A login is shared with other runs, and continues when this one is stopped.
			const loginFailure = await Promise.race([
				login.then(
					() => undefined,
					(error: unknown) => ({ error }),
				),
				run.stopped,
			]);
			if (loginFailure) return notAdmitted(pending, loginFailure.error);
		}
		const { attempts } = pending.strategy;
		const permit = await limiter.acquire(run, {
			kind,
			isRetry: attempts > 0,
			hasOftenFailed: attempts >= OFTEN_FAILED_FROM,
		});
		if (permit === undefined) return notAdmitted(pending);
		recordWait(pending);
		// A create can't be repeated, so a login probes in its place.
		mustProbeByLogin = kind === 'create' && needsLogin();
		// Another request may have discarded the token meanwhile.
		const token = tokens.current;
		if (!mustProbeByLogin && token !== undefined) return { token, permit };
		permit.release();
	}
}

/** Why a request is not sent: after the maximum wait for the service, its last failure, if there was one. */
function notAdmitted(pending: PendingRequest, loginError?: unknown): FailedAttempt {
	const { kind, limiter, lastFailure, startedAt } = pending;
	const outage = limiter.flow.outageOf(kind);
	recordWait(pending);
	// A rejected key explains more than an outage does.
	if (!outage || (loginError instanceof LoginError && !requiresWait(loginError.classification)))
		return unsentAttempt(pending, loginError);
	if (lastFailure) return { ...lastFailure, waitedMs: time.now() - Math.max(outage.startedAt, startedAt) };
	return unsentAttempt(pending, loginError ?? unavailableError(outage));
}

function recordWait({ kind, limiter, startedAt, settings: { run } }: PendingRequest): void {
	for (const { lastOutage } of limiter.flow.breakersOf(kind)) run.recordWait(lastOutage, startedAt);
}

/** An attempt that failed before the request was sent. */
function unsentAttempt({ request }: PendingRequest, error: unknown): FailedAttempt {
	const result = { error, wasSent: false };
	return { result, classification: classifyFailure(request, result) };
}

/** The error after the maximum wait for a service that is unavailable or limits requests. */
function unavailableError({ cause, startedAt, status, wasResumed }: Readonly<Outage>): NotSentError {
	const since = wasResumed
		? 'has been only partly available for'
		: status === undefined
			? 'has not responded for'
			: 'has accepted no request for';
	const lastSeen = status === undefined ? since : `last returned ${status}, and ${since}`;
	const code = cause === 'rateLimited' ? 'rate_limited' : status === undefined ? 'connection_failed' : 'service_error';
	return new NotSentError(
		`The service ${lastSeen} ${formatSeconds(time.now() - startedAt)}${code === 'service_error' ? '' : '. Try again later'}`,
		code,
	);
}
