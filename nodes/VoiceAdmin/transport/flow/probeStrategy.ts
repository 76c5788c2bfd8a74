import { time } from '../../time';
import type { CircuitBreaker, FailureDetails } from './circuitBreaker';
import type { QueuedRequest } from './fairQueue';

/** For all requests; and for logins and creates alone, which wait for both. */
export type Breakers = Record<'all' | 'logins' | 'creates', CircuitBreaker>;

type Preference = (request: QueuedRequest) => boolean;

const isAny: Preference = () => true;
const isRepeatable: Preference = ({ kind }) => kind === 'repeatable';
const isFirstRepeatable: Preference = (request) => isRepeatable(request) && !request.isRetry;

/** Who is sent next: the first preference that a waiting request fits; and if none does, whether a login is started. */
interface Choice {
	preferences: Preference[];
	mayLogIn: boolean;
}

/**
 * Who is sent next, after a login that waits, in each situation of the service. While it's away, only a probe is sent. A run has several
 * requests waiting, even with Max Concurrency 1 (`MIN_ACTIVE_ITEMS`); in an outage, its last one that fits is sent (`FairQueue.find`).
 */
const CHOICES = {
	available: { preferences: [isAny], mayLogIn: false },
	/** Only the breaker of creates is open. A create that has failed may fail alone, and would hold up all others as their probe. */
	recoveringForCreates: {
		preferences: [(request) => isRepeatable(request) || !request.isRetry, isAny],
		mayLogIn: false,
	},
	/**
	 * Away. Never a create, whose outcome would be unknown, until a login or another request gets a response; and no retry, which may fail
	 * alone: a login probes in their place.
	 */
	probedByLogin: { preferences: [isFirstRepeatable], mayLogIn: true },
	/** Away, and another probe is due all the same: the login has had no response, or waits itself. */
	probedByPendingLogin: { preferences: [isFirstRepeatable, isRepeatable], mayLogIn: false },
	/** Away, and a login wouldn't show whether it's back: as a last resort, even a create probes. */
	probedByRequest: { preferences: [isFirstRepeatable, isRepeatable, isAny], mayLogIn: false },
} satisfies Record<string, Choice>;

/** Decides who is sent while circuit breakers are open, to find out whether the service is back. */
export class ProbeStrategy {
	/**
	 * Whether a login can probe. One that fails in another way than by an outage can't, until a request gets a response: its error is shared
	 * for seconds, in which the next one would fail at once, and the next, without a pause.
	 */
	private loginProbe: 'ready' | 'pending' | 'failsAtOnce' = 'ready';

	constructor(private readonly breakers: Breakers) {}

	get choice(): Choice {
		return CHOICES[this.situation];
	}

	private get situation(): keyof typeof CHOICES {
		const { all, creates } = this.breakers;
		if (!all.outage) return creates.outage ? 'recoveringForCreates' : 'available';
		// A limit of requests may not be one of logins.
		const isLimited = all.outage.cause === 'rateLimited';
		if (isLimited || this.loginProbe === 'failsAtOnce' || this.doLoginsFailOtherwise) return 'probedByRequest';
		return this.loginProbe === 'pending' ? 'probedByPendingLogin' : 'probedByLogin';
	}

	/** @param logIn returns whether it failed in another way than by an outage */
	async probeByLogin(logIn: () => Promise<boolean>): Promise<void> {
		this.loginProbe = 'pending';
		const hasFailed = await logIn().catch(() => true);
		this.loginProbe = hasFailed && this.breakers.all.outage ? 'failsAtOnce' : 'ready';
	}

	/** Records a response to a request that is no login. */
	recordResponse(): void {
		if (this.loginProbe === 'failsAtOnce') this.loginProbe = 'ready';
	}

	/** Whether a login failed as requests do, and not with a 503 where they get a page with 404: it shows that the outage goes on. */
	failsAsRequests({ status }: FailureDetails): boolean {
		const { outage } = this.breakers.all;
		return !outage?.status || !status || outage.status >= 500 === status >= 500;
	}

	/** Whether logins fail for a reason of their own in this outage. */
	private get doLoginsFailOtherwise(): boolean {
		const { outage } = this.breakers.all;
		const { outage: ofLogins } = this.breakers.logins;
		if (!outage || !ofLogins) return false;
		const failedBefore = ofLogins.failedAt < outage.startedAt;
		// What failed before this outage says nothing about it, but a `Retry-After` lasts.
		if (failedBefore && ofLogins.retryAfterUntil <= time.now()) return false;
		return ofLogins.cause === 'rateLimited' || !this.failsAsRequests(ofLogins);
	}
}
