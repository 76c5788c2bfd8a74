import { LOGIN, type SentRequest } from '../service';
import {
	checkCases,
	checkNothingAfter,
	groupBy,
	isCreate,
	isOwnFault,
	mergeProblems,
	type Invariant,
	type View,
} from './view';

/** What is sent when. */
export const FLOW_INVARIANTS = {
	inFlightBound: ({ runs }) =>
		checkCases(
			runs.filter(({ settings, sentRequests }) => sentRequests.length > settings.maxConcurrency),
			({ settings, run, sentRequests }) => {
				const maximum = Math.max(
					...sentRequests.map(
						({ nth }, index) =>
							sentRequests.slice(0, index + 1).filter(({ sentBefore = Infinity }) => sentBefore > nth).length,
					),
				);
				return maximum > settings.maxConcurrency && `run ${run} has ${maximum} in flight`;
			},
		),

	maxRetriesHeld: ({ world: { latency, tokens }, runs, ended, sentRequests, isCalm }) => {
		const is408Alone = isCalm({ faults: (kind, of) => of === 'item' && kind === '408, done' });
		const sentOften = checkCases(
			[...groupBy(sentRequests.filter(isOwnFault), ({ id, attempt, status }) => `${id} ${attempt} ${status}`).values()],
			(own) => {
				const { run, id, method, status } = own[0]!;
				const retries = status === 408 && method !== 'POST' ? runs[run]!.settings.maxRetries : 0;
				// Where the login of another process ends the token, the last attempt may get a 401.
				const isTooFew =
					is408Alone &&
					!tokens.newestOnly &&
					ended.some((one) => one.run === run && one.settings.continues) &&
					own.length < 1 + retries;
				return (own.length > 1 + retries || isTooFew) && `${id} was sent ${own.length} times, and answered ${status}`;
			},
		);
		// What fails as in an outage, but alone: a request that was sent after its first retry is answered.
		const isAlone = ({ id, client }: SentRequest) => {
			const retry = sentRequests.filter((send) => send.id === id && send.status !== 401)[1]?.nth ?? Infinity;
			return sentRequests.some(
				(other) => other.client === client && other.run >= 0 && other.nth > retry && other.outcome === 'done',
			);
		};
		// One create that fails so is an outage.
		const isCreateStruck = sentRequests.some((send) => isCreate(send) && send.kind !== '');
		const isOfItem =
			!isCreateStruck && isCalm({ faults: (kind, of) => of === 'item' && /^(50[234]|connection)/.test(kind) });
		const faulty = ended.filter(({ settings, all, sentRequests: own }) => {
			const failing = own.filter(({ kind }) => kind !== '');
			const idsOfSends = (of: SentRequest[]) => new Set(of.map(({ id }) => id)).size;
			// Two with the same key that fail, each when the other is retried, may be a service that is overloaded.
			const ofClient = sentRequests.filter(({ client, run }) => client === own[0]?.client && run >= 0);
			const isRare = idsOfSends(ofClient) > 10 && idsOfSends(ofClient.filter(({ kind }) => kind !== '')) === 1;
			return (
				isOfItem && isRare && all.length === 1 && settings.maxWait > 100 && failing.length > 0 && failing.every(isAlone)
			);
		});
		// The waits before three retries are 7 s; twice that, and the others at up to four at once.
		const takesLong = checkCases(
			faulty,
			({ run, settings, lastMs, sentRequests: own }) =>
				lastMs > 15_000 + (3 * latency * own.length) / Math.min(settings.maxConcurrency, 4) &&
				`run ${run} takes ${lastMs} ms for ${own.length} requests`,
		);
		// A few more before it is known that it fails alone: before others succeed, and their token is accepted.
		const retriedOften = checkCases(faulty, ({ run, settings, sentRequests: own }) => {
			const maximum = Math.max(
				...[
					...groupBy(
						own.filter(({ kind, status }) => kind !== '' && status !== 401),
						({ id }) => id,
					).values(),
				].map(({ length }) => length),
			);
			return (
				maximum > 1 + settings.maxRetries + (tokens.validAfterMs ? 10 : 5) &&
				`run ${run} sends one request ${maximum} times`
			);
		});
		return mergeProblems(mergeProblems(sentOften, takesLong), retriedOften);
	},

	maxWaitHeld: ({ world: { outage, latency }, ended, sentRequests, reportsWith, isCalm }) => {
		// A login that fails by what the service answers ends a wait.
		const isRefused = sentRequests.some(
			({ run, kind, status = 502 }) => run === LOGIN && kind !== '' && status < 502 && status !== 429,
		);
		const waited = isRefused ? [] : reportsWith('not_sent');
		const statedWaits = waited.map((one) => {
			const [, seconds] =
				/(?:responded|accepted no such request) for (\d+) seconds?/.exec(JSON.stringify(one.shown)) ?? [];
			return { ...one, seconds: Number(seconds) };
		});
		const tooEarly = checkCases(
			statedWaits.filter(({ seconds }) => seconds >= 0),
			({ settings, id, seconds }) =>
				seconds < Math.min(settings.maxWait, 10) && `${id} says that the service has been unavailable for ${seconds} s`,
		);
		// Whatever becomes of its items, a run has ended before the service is back.
		const isTested = outage && isCalm({ outage: true }) && !isRefused;
		const mayWaitUntil = ({ settings, last }: View['ended'][number]) =>
			Math.max(last!.startedAt, outage!.at) + settings.maxWait * 1_000 + 6 * latency + 5_000;
		const waiting = isTested
			? ended.filter((one) => one.settings.maxConcurrency === 200 && mayWaitUntil(one) < outage.at + outage.ms)
			: [];
		const tooLate = checkCases(
			waiting,
			(one) => one.last!.endedAt! > mayWaitUntil(one) && `run ${one.run} goes on until ${one.last!.endedAt}`,
		);
		return mergeProblems(tooEarly, tooLate);
	},

	keysApart: ({ world: { outage, limit, tokens, latency }, ended, isCalm }) => {
		const isTested = (outage || limit) && isCalm({ outage: true, limit: true }) && !tokens.validAfterMs;
		return checkCases(
			isTested ? ended.filter(({ settings, sentRequests }) => settings.key === 1 && sentRequests.length > 0) : [],
			({ run, startOf, last, sentRequests: [first] }) => {
				// The login, and the turns of others with the same key.
				const isHeld = first!.sentAt - startOf(first!) > 4.5 * latency + 500;
				return (
					(last!.error ?? isHeld) && `run ${run} sends its first request at ${first!.sentAt}: ${String(last!.error)}`
				);
			},
		);
	},

	retriesFirst: ({ sentRequests }) => {
		const tries = [...groupBy(sentRequests, ({ id, run, attempt }) => `${id} ${run} ${attempt}`).values()];
		const firstTries = new Set(tries.map(([first]) => first));
		const ended = sentRequests
			.filter(({ run, endedAt }) => run !== LOGIN && endedAt !== undefined)
			.sort((one, other) => one.endedAt! - other.endedAt!);
		const last = new Map<string, SentRequest>();
		// While the service is away, what has not failed yet is tried first.
		const firsts = sentRequests.filter((send) => {
			while (ended[0] && ended[0].sentBefore! <= send.nth) last.set(ended[0].client, ended.shift()!);
			return firstTries.has(send) && last.get(send.client)?.outcome === 'done' && send.status !== undefined;
		});
		return checkCases(
			tries.filter((all) => all.length > 1 && all[0]!.run >= 0 && all.every(({ status }) => status !== 401)),
			(all) => {
				const [before, { id, run, attempt, sentAt }] = all.slice(-2) as [SentRequest, SentRequest];
				const waitMs =
					Math.min(10_000, 1_000 * 2 ** (all.length - 2)) + 200 + (before.kind.includes('Retry-After') ? 2_000 : 0);
				const early = firsts.filter(
					(send) =>
						send.run === run &&
						send.attempt === attempt &&
						send.sentAt > before.endedAt! + waitMs &&
						send.sentAt < sentAt,
				);
				// A tolerance: requests leave in bursts of up to four, and the pacer may hold the retry back.
				return early.length > 6 && `${id} is sent again after ${early.length} that had not been sent before`;
			},
		);
	},

	runsTakeTurns: ({ runs, sentRequests: all }) => {
		// Creates wait while creates fail.
		const areCreatesHeld = all.some((send) => isCreate(send) && send.kind !== '');
		return checkCases(
			runs.filter(
				({ settings, sentRequests }) => sentRequests.length > 0 && !(areCreatesHeld && settings.operation === 'create'),
			),
			({ run, startOf, sentRequests: [first] }) => {
				const readyAt = startOf(first!);
				const before = all
					.slice(0, first!.nth)
					// Where the service is away, what costs least goes first.
					.filter(({ status = 503 }) => status < 502 && status !== 429)
					.filter((send) => send.client === first!.client && send.run >= 0 && send.sentAt > readyAt);
				// Of at most three runs, the two others may each send six first, as in retriesFirst.
				return before.length > 12 && `run ${run} sends after ${before.length} requests of others`;
			},
		);
	},

	outageBrakes: ({ world: { outage, latency }, sentRequests }) => {
		if (!outage) return undefined;
		const outageSends = sentRequests.filter(({ kind, endedAt }) => kind === 'outage' && endedAt !== undefined);
		/** From when on nothing is sent any more that was on its way when three had failed. */
		const brakingStart = (failedSends: SentRequest[]) =>
			(failedSends.map(({ endedAt }) => endedAt!).sort((one, other) => one - other)[2] ?? Infinity) +
			1.5 * latency +
			20;
		if (outage.of !== 'all') {
			// Where others are answered, creates alone tell; by chance, each one that is sent may be among those in doubt.
			const creates = outageSends.filter((send) => isCreate(send) && send.outcome === 'unknown');
			return checkCases([...groupBy(creates, ({ client }) => client)], ([client, failedSends]) => {
				const later = failedSends.filter(({ sentAt }) => sentAt > brakingStart(failedSends));
				// By chance, six go to the bad server while creates still probe often; later, it is one per 27 s at most.
				return (
					later.length > 6 + outage.ms / 15_000 &&
					`process ${client} has ${later.length} more creates in doubt by a service that is half away`
				);
			});
		}
		return checkCases([...groupBy(outageSends, ({ client }) => client)], ([client, failedSends]) => {
			// Where a later request was answered before, it may be a request's own fault.
			const isAnswered = ({ nth, endedAt }: SentRequest) =>
				sentRequests.some(
					(other) =>
						other.client === client && other.nth > nth && other.outcome === 'done' && other.endedAt! <= endedAt!,
				);
			const answered = new Set(failedSends.filter(isAnswered).map(({ id }) => id));
			const from = brakingStart(failedSends.filter(({ id }) => !answered.has(id)));
			// What was sent before is retried for itself, where a later request was answered.
			const sentBefore = new Set(
				sentRequests.filter(({ run, sentAt }) => run !== LOGIN && sentAt < outage.at).map(({ id }) => id),
			);
			const later = sentRequests.filter(
				(send) => send.client === client && send.sentAt > from && send.sentAt < outage.at + outage.ms,
			);
			const probes = later.filter(({ id }) => !sentBefore.has(id));
			// Four probes by delays that double from 0.5 s, then one per 5 s; and four more, such as logins.
			return (
				(probes.length > 8 + outage.ms / 5_000 || probes.filter(isCreate).length > 5) &&
				`process ${client} sends ${probes.length} requests to a service that is away for ${outage.ms} ms`
			);
		});
	},

	retryAfterObeyed: ({ world: { limit }, sentRequests }) => {
		const retryAfterMs = new Map([
			['429 with Retry-After', 2_000],
			...(limit?.retryAfter ? [['limit', 1_000] as const] : []),
		]);
		return checkNothingAfter(
			sentRequests.filter(({ kind, status }) => status === 429 && retryAfterMs.has(kind)),
			sentRequests,
			// A limit of logins holds no other requests.
			(one, next) =>
				next.client === one.client &&
				(one.run !== LOGIN || next.run === LOGIN) &&
				next.sentAt < one.endedAt! + retryAfterMs.get(one.kind)! - 1,
		);
	},
} satisfies Record<string, Invariant>;
