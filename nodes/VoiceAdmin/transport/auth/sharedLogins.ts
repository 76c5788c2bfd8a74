import type { IHttpRequestHelper } from 'n8n-workflow';

import { logDebug } from '../../log';
import { LruCache } from '../../lruCache';
import { type ConcurrencyLimiter, limiterOf } from '../flow/concurrencyLimiter';
import { RunController } from '../flow/runController';
import { time, wait } from '../../time';
import { isOutage } from '../http/classify';
import type { VoiceAdminCredential } from './credential';
import { type AccessToken, login, type LoginConnection, LoginError, loginTimeout } from './login';

/** How long a rejected key is remembered, in milliseconds, so that a burst of items does not repeat the login. */
const SHARE_REJECTED_KEY_MS = 5_000;

/** The same for a login that failed otherwise. */
const SHARE_FAILED_LOGIN_MS = 500;

/** How long a login waits for its service where no run says so, as for n8n's HTTP Request node, in milliseconds. */
const MAX_WAIT_MS = 30_000;

/** With what a login is sent, and who waits for it. */
export interface LoginContext {
	http: IHttpRequestHelper;
	credential: VoiceAdminCredential;
	connection?: LoginConnection;
	/** It waits for the service for as long as the run may. */
	run?: RunController;
	limiter?: ConcurrencyLimiter;
}

/** A login under way, or for a while one that failed. */
interface SharedLogin {
	/** @returns '' where it was not sent @throws LoginError */
	token?: Promise<string>;
	/** When the next caller begins another one. */
	sharedUntil: number;
}

/** Logins of one key. Callers that log in in the same way at the same time share one; another time-out or proxy may succeed. */
export class SharedLogins {
	private readonly logins = new LruCache<SharedLogin>();

	/**
	 * @param recentTokens tokens of the key so far, which are not to get into a message
	 * @param onToken takes a new token, and how long its login took, in milliseconds
	 */
	constructor(
		private readonly recentTokens: string[],
		private readonly onToken: (issued: AccessToken, tookMs: number) => void,
	) {}

	/**
	 * Logs in while a login is needed, and the run may wait for the service.
	 * @returns why there is none, if the service was unavailable @throws LoginError for any other reason
	 */
	async logIn(context: LoginContext, isNeeded: () => boolean): Promise<LoginError | undefined> {
		const { credential, connection = {}, run = new RunController(1, MAX_WAIT_MS), limiter = limiterOf(credential) } = context;
		const { allowUnauthorizedCerts, allowedDomains } = credential;
		const key = JSON.stringify([connection.proxy, loginTimeout(connection), allowUnauthorizedCerts, allowedDomains]);
		let lastOutage: LoginError | undefined;
		while (isNeeded()) {
			const shared = this.logins.get(key, () => ({ sharedUntil: 0 }));
			const isRemembered = time.now() < shared.sharedUntil;
			const { outage } = limiter.flow.breaker;
			if (isRemembered && outage) {
				// The run that began it may wait for longer.
				await wait(run.waitsUntil(outage.startedAt, Infinity) - time.now(), () => shared.sharedUntil < Infinity || run.isStopped);
				if (shared.sharedUntil === Infinity) break;
			}
			if (!isRemembered) shared.token = this.start(shared, { ...context, connection, run, limiter });
			const token = await shared.token!.catch((error: unknown) => {
				if (!(error instanceof LoginError && isOutage(error.classification))) throw error;
				lastOutage = error;
			});
			// Without a token, only the run that began it may not wait for any longer.
			if (token === '' && !isRemembered) break;
		}
		return lastOutage;
	}

	private async start(shared: SharedLogin, { http, credential, connection, run, limiter }: Required<LoginContext>): Promise<string> {
		const shareFor = (ms: number) => void (shared.sharedUntil = time.now() + ms);
		shareFor(Infinity);
		const permit = await limiter.acquire(run, { kind: 'login' });
		if (!permit) {
			shareFor(0);
			return '';
		}
		const startedAt = time.now();
		const onSuccess = (issued: AccessToken) => {
			permit.report('success');
			this.onToken(issued, time.now() - startedAt);
			logDebug(credential, 'logged in');
			shareFor(0);
			return issued.token;
		};
		const onFailure = (error: unknown) => {
			const { classification, isKeyRejected } = error instanceof LoginError ? error : ({} as Partial<LoginError>);
			permit.report(classification?.signal ?? 'ignore', classification);
			logDebug(credential, `login failed (${classification?.status ?? 'no response'})`);
			shareFor(isKeyRejected ? SHARE_REJECTED_KEY_MS : classification && isOutage(classification) ? 0 : SHARE_FAILED_LOGIN_MS);
			throw error;
		};
		return await login(http, credential, connection, this.recentTokens).then(onSuccess, onFailure).finally(() => permit.release());
	}
}
