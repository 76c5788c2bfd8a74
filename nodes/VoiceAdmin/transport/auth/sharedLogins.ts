import type { IHttpRequestHelper } from 'n8n-workflow';

import { logDebug } from '../../log';
import { time, wait } from '../../time';
import { type ConcurrencyLimiter, limiterOf } from '../flow/concurrencyLimiter';
import { Run } from '../flow/run';
import { requiresWait } from '../response/classifyFailure';
import type { VoiceAdminCredential } from './credential';
import { type AccessToken, login, LoginError } from './login';

/** How long a rejected key is remembered, in milliseconds, so that a burst of items doesn't repeat the login. */
const SHARE_REJECTED_KEY_MS = 5_000;

/** The same for any other failed login. */
const SHARE_FAILED_LOGIN_MS = 500;

/** Maximum wait for the service without a run (n8n's HTTP Request node), in milliseconds. */
const MAX_WAIT_MS = 30_000;

export interface LoginContext {
	n8n: IHttpRequestHelper;
	credential: VoiceAdminCredential;
	/** Its maximum wait applies to the login. */
	run?: Run;
}

/** A login in progress, or a recently failed one. */
interface SharedLogin {
	/** Resolves to whether it was sent. */
	result?: Promise<boolean>;
	/** When the next caller starts another one; Infinity while this one is in progress. */
	sharedUntil: number;
}

/** Logins of one key. Concurrent callers share one. */
export class SharedLogins {
	private readonly shared: SharedLogin = { sharedUntil: 0 };

	/**
	 * @param recentTokens redacted from errors
	 * @param onToken receives each new token; `tookMs` is the login's duration, in milliseconds
	 */
	constructor(
		private readonly recentTokens: string[],
		private readonly onToken: (issued: AccessToken, tookMs: number) => void,
	) {}

	/**
	 * Logs in, retrying during an outage for as long as the run may wait.
	 * @returns the last failure by an outage, if any @throws LoginError for any other failure
	 */
	async logIn(context: LoginContext, isNeeded: () => boolean): Promise<LoginError | undefined> {
		const { credential, run = new Run(1, MAX_WAIT_MS) } = context;
		const limiter = limiterOf(credential);
		const { shared } = this;
		let outageError: LoginError | undefined;
		while (isNeeded()) {
			const isRemembered = time.now() < shared.sharedUntil;
			if (!isRemembered) shared.result = this.start({ ...context, run }, limiter);
			const wasSent = await (isRemembered ? resultWithin(run, shared, limiter) : shared.result!).catch(
				(error: unknown) => {
					if (!(error instanceof LoginError && requiresWait(error.classification))) throw error;
					outageError = error;
					return true;
				},
			);
			// If the run that started the login gave up, others try again.
			if (wasSent === undefined || (!wasSent && !isRemembered)) break;
		}
		return outageError;
	}

	private async start({ n8n, credential, run }: Required<LoginContext>, limiter: ConcurrencyLimiter): Promise<boolean> {
		const shareFor = (ms: number) => void (this.shared.sharedUntil = time.now() + ms);
		shareFor(Infinity);
		const permit = await limiter.acquire(run, { kind: 'login' });
		if (!permit) {
			shareFor(0);
			return false;
		}
		const startedAt = time.now();
		const onSuccess = (issued: AccessToken) => {
			permit.report('healthy');
			this.onToken(issued, time.now() - startedAt);
			logDebug(credential, 'logged in');
			shareFor(0);
			return true;
		};
		const onFailure = (error: unknown) => {
			const { classification, isKeyRejected } = error instanceof LoginError ? error : ({} as Partial<LoginError>);
			permit.report(classification?.health ?? 'inconclusive', classification);
			logDebug(credential, `login failed (${classification?.status ?? 'no response'})`);
			shareFor(
				isKeyRejected
					? SHARE_REJECTED_KEY_MS
					: classification && requiresWait(classification)
						? 0
						: SHARE_FAILED_LOGIN_MS,
			);
			throw error;
		};
		return await login(n8n, credential, this.recentTokens)
			.then(onSuccess, onFailure)
			.finally(() => permit.release());
	}
}

/**
 * The result of a login that another run started, which may wait longer than this one. @returns undefined if this one
 * may not wait until then
 */
async function resultWithin(run: Run, shared: SharedLogin, limiter: ConcurrencyLimiter): Promise<boolean | undefined> {
	const { result } = shared;
	const isOver = () => {
		const { outage } = limiter.flow.breaker;
		return (
			shared.sharedUntil < Infinity ||
			run.isStopped ||
			(outage !== undefined && run.waitsUntil(outage.startedAt, Infinity) <= time.now())
		);
	};
	return await Promise.race([
		result,
		wait(Infinity, isOver).then(() => (shared.sharedUntil < Infinity ? result : undefined)),
	]);
}
