import { time } from '../../time';
import type { CircuitBreaker, FailureDetails } from './circuitBreaker';
import type { QueuedRequest } from './fairQueue';

/** For all requests; and for logins and creates alone, which wait for both. */
export type Breakers = Record<'all' | 'logins' | 'creates', CircuitBreaker>;

type Preference = (request: QueuedRequest) => boolean;

const isAny: Preference = () => true;
const isRepeatable: Preference = ({ kind }) => kind === 'repeatable';
const isFirstRepeatable: Preference = (request) => isRepeatable(request) && !request.isRetry;

/**
 * Who is sent first after a login that waits, in each state of the service: one is taken if nobody before it may be sent. While it's away,
 * only a probe is sent. A run has several requests waiting, even with Max Concurrency 1 (`MIN_ACTIVE_ITEMS`).
 */
const PREFERENCES = {
	available: [isAny],
	/** Only the breaker of creates is open. A create that has failed may fail alone, and would hold up all others as their probe. */
	recoveringForCreates: [(request) => isRepeatable(request) || !request.isRetry, isAny],
	/**
	 * Away. Never a create, whose outcome would be unknown, until a login or another request gets a response; and no retry, which may fail
	 * alone: a login probes in their place.
	 */
	probedByLogin: [isFirstRepeatable],
	/** Away, and another probe is due all the same: the login has had no response, or waits itself. */
	probedByPendingLogin: [isFirstRepeatable, isRepeatable],
	/** Away, and a login wouldn't show whether it's back: as a last resort, even a create probes. */
	probedByRequest: [isFirstRepeatable, isRepeatable, isAny],
} satisfies Record<string, Preference[]>;

/** Decides who is sent while circuit breakers are open, to find out whether the service is back. */
export class ProbeStrategy {
	/**
	 * Whether a login can probe. One that fails in another way than by an outage can't, until a request gets a response: its error is shared
	 * for seconds, in which the next one would fail at once, and the next, without a pause.
	 */
	private login: 'ready' | 'pending' | 'failsAtOnce' = 'ready';

	constructor(private readonly breakers: Breakers) {}

	/** By whom the next request is to be chosen. */
	get preferences(): Preference[] {
		return PREFERENCES[this.state];
	}

	/** Whether to log in if no such request waits. */
	get isLoginPreferred(): boolean {
		return this.state === 'probedByLogin';
	}

	private get state(): keyof typeof PREFERENCES {
		const { all, creates } = this.breakers;
		if (!all.outage) return creates.outage ? 'recoveringForCreates' : 'available';
		// A limit of requests may not be one of logins.
		if (all.outage.cause === 'rateLimited' || this.login === 'failsAtOnce' || this.doLoginsFailOtherwise)
			return 'probedByRequest';
		return this.login === 'pending' ? 'probedByPendingLogin' : 'probedByLogin';
	}

	/** @param logIn returns whether it failed in another way than by an outage */
	async probeByLogin(logIn: () => Promise<boolean>): Promise<void> {
		this.login = 'pending';
		const hasFailed = await logIn().catch(() => true);
		this.login = hasFailed && this.breakers.all.outage ? 'failsAtOnce' : 'ready';
	}

	/** Records a response to a request that is no login. */
	recordResponse(): void {
		if (this.login === 'failsAtOnce') this.login = 'ready';
	}

	/** Whether a login failed as requests do, and not with a 503 where they get a page with 404: it shows that the outage goes on. */
	failsAsRequests({ status }: FailureDetails): boolean {
		const { outage } = this.breakers.all;
		return !outage?.status || !status || outage.status >= 500 === status >= 500;
	}

	/** Whether logins fail for a reason of their own in this outage. */
	private get doLoginsFailOtherwise(): boolean {
		const [outage, ofLogins] = [this.breakers.all.outage, this.breakers.logins.outage];
		if (!outage || !ofLogins) return false;
		// That of an earlier outage says nothing about this one.
		const isEarlier = ofLogins.failedAt < outage.startedAt && ofLogins.retryAfterUntil <= time.now();
		return !isEarlier && (ofLogins.cause === 'rateLimited' || !this.failsAsRequests(ofLogins));
	}
}
