import type { IExecutePaginationFunctions, INodeExecutionData } from 'n8n-workflow';

import { asVoiceAdminCredential, CREDENTIAL_TYPE, type VoiceAdminCredential } from './credential';
import { checkTokenHeader } from './injectToken';
import { Pace } from './pace';
import { type Session, sessionOf } from './session';

/** The credential of a run, and the session that all runs with the same key share. */
export interface SignedIn {
	credential: VoiceAdminCredential;
	session: Session;
}

/** State that all items of one attempt at a node run share. */
export class Attempt {
	private pacing?: Pace;

	private signedIn?: Promise<SignedIn>;

	private stopped = false;

	/** The run's pace; the first item to be sent says how many requests may be in flight. */
	pace(maxConcurrency: number): Pace {
		this.pacing ??= new Pace(maxConcurrency);
		return this.pacing;
	}

	/** Reads the credential once for all items: n8n would read and decrypt it for every request. */
	async signIn(context: IExecutePaginationFunctions): Promise<SignedIn> {
		this.signedIn ??= (async () => {
			const credential = asVoiceAdminCredential(await context.getCredentials(CREDENTIAL_TYPE));
			checkTokenHeader(credential);
			const session = sessionOf(credential);
			session.adopt(credential.accessToken);
			return { credential, session };
		})();
		return await this.signedIn;
	}

	/**
	 * Ends the attempt: nothing that waits, for a place or for a retry, is sent any more. Called when
	 * the execution is cancelled, and by the first failure of a node that stops on error.
	 */
	stop(): void {
		this.stopped = true;
		this.pacing?.close();
	}

	get isStopped(): boolean {
		return this.stopped;
	}
}

/**
 * Outputs of the creates that succeeded in a run, by item and body, so that a Retry On Fail attempt
 * does not send them again.
 */
export type Created = Map<string, INodeExecutionData[]>;

interface Run {
	attempt: Attempt;
	lastItem: number;
	created: Created;
}

/**
 * Runs by n8n's execute data: that object is the same for all items of a node run and for every
 * Retry On Fail attempt of it (n8n 2.8 and 2.40), and gone when the execution is.
 */
const runs = new WeakMap<object, Run>();

/**
 * The state that an item shares with the others of its run.
 *
 * Item indices rise within an attempt and start again in the next one, which tells attempts apart.
 */
export function runOf(context: IExecutePaginationFunctions): { attempt: Attempt; created: Created } {
	const key: object = context.getExecuteData() ?? context;
	const item = context.getItemIndex();
	const known = runs.get(key);
	if (known && item > known.lastItem) {
		known.lastItem = item;
		return known;
	}
	const attempt = new Attempt();
	context.getExecutionCancelSignal()?.addEventListener('abort', () => attempt.stop(), { once: true });
	const run: Run = { attempt, lastItem: item, created: known?.created ?? new Map() };
	runs.set(key, run);
	return run;
}
