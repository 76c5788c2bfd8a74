import type { History, NodeError } from './n8n';
import { LOGIN, SECRET, type SentRequest, TOKEN, TRIGGER } from './service';
import { idsOf, itemOf } from './world';

/** @param problemOf a sentence, or something falsy @returns undefined for no cases: they put nothing to the test */
const checkCases = <Case>(cases: Case[], problemOf: (one: Case) => unknown): string[] | undefined =>
	cases.length === 0 ? undefined : cases.map(problemOf).filter((problem) => typeof problem === 'string');

/** What is sent after something has ended (or has been said), and should not be. */
const checkNothingAfter = <Ended extends { sentBefore?: number }>(
	ended: Ended[],
	sentRequests: SentRequest[],
	isWrong: (one: Ended, next: SentRequest) => boolean,
) =>
	checkCases(
		ended.filter(({ sentBefore }) => sentBefore !== undefined),
		(one) => {
			const wrong = sentRequests.slice(one.sentBefore).find((next) => isWrong(one, next));
			return wrong && `${wrong.id} is sent at ${wrong.sentAt} after ${JSON.stringify(one)}`;
		},
	);

const checkNotSentAgain = (sentRequests: SentRequest[], isSettled: (send: SentRequest) => boolean) =>
	checkNothingAfter(sentRequests.filter(isSettled), sentRequests, (one, next) => next.id === one.id);

/** Of two checks of one promise, which is put to the test by either. */
const mergeProblems = (one?: string[], other?: string[]) => (one || other) && [...(one ?? []), ...(other ?? [])];

function groupBy<Value, Key>(values: Value[], keyOf: (value: Value) => Key): Map<Key, Value[]> {
	const groups = new Map<Key, Value[]>();
	for (const value of values) {
		const group = groups.get(keyOf(value)) ?? [];
		groups.set(keyOf(value), group);
		group.push(value);
	}
	return groups;
}

/** A history, as the invariants look at it. */
export function indexHistory(history: History) {
	const { world, attempts, ends, sentRequests } = history;
	const sendsOf = groupBy(sentRequests, ({ run }) => run);
	const runs = world.runs.map((settings, run) => {
		const all = attempts.filter((attempt) => attempt.run === run);
		const ids = Array.from({ length: settings.items }, (_, item) => idsOf(settings, run, item));
		const last = all.at(-1);
		/** When the attempt began that a request is of, and how long the last one took. */
		const startOf = ({ attempt }: SentRequest) => all[attempt - 1]!.startedAt;
		const lastMs = last ? last.endedAt! - last.startedAt : 0;
		return {
			settings,
			run,
			all,
			ids,
			last,
			startOf,
			lastMs,
			isCut: ends.get(run)?.isCut !== false,
			sentRequests: sendsOf.get(run) ?? [],
		};
	});
	const ended = runs.filter(({ isCut }) => !isCut);
	/** What runs said of each request, by an output or by the error that ended the run, in the last attempt; and all its sends. */
	const reports = ended
		.filter(({ settings }) => !settings.dryRun)
		.flatMap((one) => {
			const { last, ids } = one;
			const sendsOfId = groupBy(one.sentRequests, ({ id }) => id);
			const createReport = (id: string, outcome: SentRequest['outcome'], shown?: unknown) => ({
				...one,
				id,
				outcome,
				shown,
				sentRequests: sendsOfId.get(id) ?? [],
			});
			if (!last?.error) {
				const outcomeOf = (error: unknown) =>
					(error as { outcome: SentRequest['outcome'] } | undefined)?.outcome ?? 'done';
				return last!.output!.map(({ json }, nth) =>
					createReport(ids.flat()[nth] ?? 'none', outcomeOf(json.error), json),
				);
			}
			const {
				context: { itemIndex = -1, outcome = 'unknown' },
				message,
				description,
			} = last.error;
			// Of which of an item's requests an error is, nobody says.
			return ids[itemIndex]?.length === 1 ? [createReport(ids[itemIndex][0]!, outcome, { message, description })] : [];
		});
	/** Whether nothing is wrong with the world but this. */
	const isCalm = (but: {
		faults?: (kind: string, of: string, times: number) => boolean;
		outage?: true;
		limit?: true;
	}) =>
		world.faults.every(({ kind, of, times }) => but.faults?.(kind, of, times)) &&
		(!world.outage || (but.outage === true && world.outage.of === 'all')) &&
		(!world.limit || (but.limit === true && world.limit.status === 429));
	const reportsWith = (outcome: SentRequest['outcome']) => reports.filter((one) => one.outcome === outcome);
	/** What failed, of runs that may wait for long. */
	const failedReports = reports.filter(({ settings, outcome }) => outcome !== 'done' && settings.maxWait > 100);
	// Several processes may revoke each other's tokens again and again: the error says so.
	const isContested =
		world.tokens.newestOnly &&
		new Set([...world.runs, ...(world.trigger ? [world.trigger] : [])].map(({ process }) => process)).size > 1;
	const checkNothingFails = (isTested: boolean) =>
		isTested && !isContested ? failedReports.map(({ id, outcome }) => `${id} failed (${outcome})`) : undefined;
	/** What the trigger reported by itself, by gateway. */
	const eventsByGateway = groupBy(
		history.events.filter(({ mode }) => mode === 'trigger'),
		({ gatewayId }) => gatewayId,
	);
	return {
		...history,
		runs,
		ended,
		reportsWith,
		isCalm,
		isContested,
		failedReports,
		checkNothingFails,
		eventsByGateway,
	};
}

type View = ReturnType<typeof indexHistory>;

const CODES = [
	'invalid_parameter',
	'invalid_credential',
	'login_failed',
	'unauthorized',
	'forbidden',
	'not_found',
	'rate_limited',
	'rejected',
	'service_error',
	'connection_failed',
	'invalid_response',
];

const isCreate = ({ run, method }: SentRequest) => run !== LOGIN && method === 'POST';

/** Whether a run's request failed by a fault that is its own, and not the service's. */
const isOwnFault = ({ run, kind, status }: SentRequest) =>
	run >= 0 && /^(400|404|408|500|200 with an error)/.test(kind) && kind.startsWith(String(status));

/** Each says what is wrong with a history; undefined where it is not put to the test. */
export const INVARIANTS = {
	createdOnce: ({ runs, doneCounts }) =>
		checkCases(
			runs
				.filter(({ settings }) => settings.operation === 'create')
				.flatMap(({ ids }) => ids.flat())
				.filter((id) => doneCounts.has(id)),
			(id) => doneCounts.get(id)! > 1 && `${id} was created ${doneCounts.get(id)} times`,
		),

	unknownNotSentAgain: ({ sentRequests }) =>
		checkNotSentAgain(sentRequests, (send) => isCreate(send) && send.outcome === 'unknown'),

	doneNotSentAgain: ({ sentRequests }) =>
		checkNotSentAgain(sentRequests, ({ run, method, outcome }) => run >= 0 && method !== 'GET' && outcome === 'done'),

	doneIsThere: ({ reportsWith, doneCounts }) =>
		checkCases(reportsWith('done'), ({ settings, id, shown, sentRequests }) => {
			const times = doneCounts.get(id) ?? 0;
			const json = shown as Record<'id' | 'idTrunk' | 'iso', unknown>;
			const isOwn = (settings.operation === 'premium' ? `${json.idTrunk}/${json.iso}` : json.id) === id;
			const wasDone =
				settings.operation === 'get'
					? sentRequests.some(({ outcome }) => outcome === 'done')
					: settings.operation === 'create'
						? times === 1
						: times > 0;
			return !(isOwn && wasDone) && `${id} is said to be done, and is there ${times} times: ${JSON.stringify(shown)}`;
		}),

	notDoneIsNotThere: ({ reportsWith }) =>
		checkCases(
			reportsWith('not_done'),
			({ id, sentRequests }) =>
				sentRequests.some(({ wasDone }) => wasDone) && `${id} is said to be not done, and is there`,
		),

	notSentNeverArrived: ({ reportsWith }) =>
		checkCases(
			reportsWith('not_sent'),
			// A read is another one in each try.
			({ settings, id, sentRequests }) =>
				settings.operation !== 'get' &&
				sentRequests.some(({ arrived }) => arrived) &&
				`${id} is said to be not sent, and arrived`,
		),

	unknownOnlyWhereLost: ({ reportsWith }) =>
		checkCases(
			reportsWith('unknown'),
			({ id, sentRequests }) =>
				!sentRequests.some(({ outcome }) => outcome === 'unknown') &&
				`${id} is said to be unknown: ${sentRequests.map(({ kind, status }) => kind || status).join(', ')}`,
		),

	everyItemAnswered: ({ ended }) =>
		checkCases(ended, ({ settings, run, last, ids }) => {
			const isWhole = ({ outcome, code = '' }: NodeError['context']) => outcome !== undefined && CODES.includes(code);
			const { context = {} } = last?.error ?? {};
			const { itemIndex = -1 } = context;
			if (last?.error)
				return (
					(settings.continues || !ids[itemIndex] || !isWhole(context)) &&
					`run ${run} ends in ${String(last.error)} of item ${itemIndex}`
				);
			const got = last?.output?.map(({ pairedItem }) => (pairedItem as { item: number }).item).join();
			const errors = (last?.output ?? []).flatMap(({ json }) =>
				json.error ? [json.error as NodeError['context']] : [],
			);
			const isWrong =
				got !== ids.flat().map(itemOf).join() || errors.some((error) => !settings.continues || !isWhole(error));
			return isWrong && `run ${run} has outputs of the items ${got}, with the errors ${JSON.stringify(errors)}`;
		}),

	nothingAfterEnd: ({ runs, ends, sentRequests }) => {
		const cancelled = runs
			.filter(({ isCut }) => isCut)
			.map(({ run }) => ({ run, attempt: undefined, ...ends.get(run) }));
		const isSettled = (send: SentRequest) =>
			(isOwnFault(send) && send.status !== 408) || (isCreate(send) && send.outcome === 'unknown');
		const isFinal = (send: SentRequest) => isSettled(send) && !runs[send.run]!.settings.continues;
		return checkNothingAfter(
			[...cancelled, ...sentRequests.filter(isFinal)],
			sentRequests,
			({ run, attempt = 0 }, next) => next.run === run && (attempt === 0 || next.attempt === attempt),
		);
	},

	errorNamesWhatWasDone: ({ ended, doneCounts }) =>
		checkCases(
			ended.filter(({ last, settings }) => last?.error && settings.operation !== 'get'),
			({ settings, run, last, ids, sentRequests }) => {
				const { description, context } = last!.error!;
				const isKnown = new Set(
					sentRequests
						.filter(({ outcome }) => settings.operation === 'create' || outcome === 'done')
						.map(({ id }) => id),
				);
				const text = String(description);
				const isIn = (ranges: string | undefined, number: number) =>
					(ranges ?? '').split(', ').some((range) => {
						const [from, to = from] = range.split(' to ').map(Number);
						return range !== '' && number >= from! && number <= to!;
					});
				const [, whole] = /before the run stopped, counted from 0: items? ([\d, to]+)/.exec(text) ?? [];
				const requestOf = (id: string) => ids[itemOf(id)]!.indexOf(id);
				const isSaidToBeDone = (id: string) =>
					isIn(whole, itemOf(id)) ||
					isIn(new RegExp(`of item ${itemOf(id)}, requests? ([\\d, to]+) of`).exec(text)?.[1], requestOf(id));
				const nameOf = (id: string) =>
					settings.operation === 'create' ? `RO1${id}` : `trunk ${id.replace('/', ', country ')}`;
				const others = ids
					.flat()
					.filter((id) => itemOf(id) !== context.itemIndex && doneCounts.has(id) && isKnown.has(id));
				const unnamed = others.filter((id) => !isSaidToBeDone(id) && !text.includes(nameOf(id)));
				const untrue = ids.flat().find((id) => !doneCounts.has(id) && isSaidToBeDone(id));
				if (untrue) return `run ${run} says that ${untrue} is done`;
				return unnamed.length > 0 && `run ${run} (${settings.operation}) does not name ${unnamed.join(', ')}`;
			},
		),

	dryRunSendsNothing: ({ world, runs, sentRequests: everySend }) =>
		checkCases(
			runs.filter(({ settings, all }) => settings.dryRun && all.length > 0),
			({ run, sentRequests }) =>
				// Not even a login, where nothing else is run.
				(sentRequests.length > 0 ||
					(!world.trigger && runs.every(({ settings }) => settings.dryRun) && everySend.length > 0)) &&
				`run ${run} sends in a dry run`,
		),

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
				const isTooFew =
					is408Alone && ended.some((one) => one.run === run && one.settings.continues) && own.length < 1 + retries;
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
			return (
				probes.length > 8 + outage.ms / 5_000 &&
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

	expiryCostsNothing: ({ checkNothingFails, isCalm, sentRequests }) => {
		const isRevoked = (kind: string, of: string, times: number) =>
			kind === 'token revoked' && of === 'requests' && times < 10;
		return checkNothingFails(isCalm({ faults: isRevoked }) && sentRequests.some(({ status }) => status === 401));
	},

	limitCostsNothing: ({ checkNothingFails, isCalm, sentRequests }) =>
		checkNothingFails(isCalm({ limit: true }) && sentRequests.some(({ kind }) => kind === 'limit')),

	outageCostsOnlyInFlight: ({ world: { outage, tokens, trigger }, failedReports, isCalm, sentRequests }) => {
		// A slow read may be what finds out that the service is back.
		const isProbeSlow = outage && trigger?.slow.some((at) => Math.abs(at - outage.at - outage.ms) < 30_000);
		const isTested = outage && !tokens.newestOnly && !isProbeSlow && isCalm({ outage: true });
		if (!isTested || !sentRequests.some(({ kind }) => kind === 'outage')) return undefined;
		// Where nothing has answered yet, it may be the wrong address.
		const hasAnswered = (client?: string) =>
			sentRequests.some((send) => send.client === client && send.status === 200 && send.endedAt! < outage.at);
		const isTold = ({ outcome, sentRequests: own, run }: View['failedReports'][number]) =>
			(outcome === 'unknown' && own.some(({ kind, arrived }) => kind === 'outage' && arrived)) ||
			!hasAnswered(sentRequests.find((send) => send.run === run)?.client);
		return failedReports
			.filter((one) => !isTold(one))
			.map(({ id, outcome }) => `${id} failed (${outcome}) by an outage of ${outage.ms} ms`);
	},

	itemFailsAlone: ({ world: { faults }, isCalm, isContested, failedReports }) =>
		faults.length > 0 &&
		!isContested &&
		isCalm({
			faults: (kind, of) => of === 'item' && /^(200 with an error|303|400|404$|408|50\d($|,)|response)/.test(kind),
		})
			? failedReports
					.filter(({ sentRequests }) => sentRequests.every(({ kind }) => kind === ''))
					.map(({ id }) => `${id} failed with another item`)
			: undefined,

	loginsBounded: ({ world: { tokens }, isCalm, sentRequests, simulatedMs }) => {
		// A login is also a probe, where the service may be away.
		const isUsual =
			isCalm({ faults: (kind, of) => of === 'requests' && /^(400|404|500|200 with an error|token)/.test(kind) }) &&
			!tokens.newestOnly &&
			!tokens.validAfterMs;
		const ended =
			sentRequests.filter(({ kind }) => kind === 'token revoked').length +
			simulatedMs / ((tokens.lifetimeMs ?? Infinity) * 0.9 - 200);
		const maximum = Math.ceil(1 + ended);
		const logins = groupBy(isUsual ? sentRequests.filter(({ run }) => run === LOGIN) : [], ({ client }) => client);
		return checkCases(
			[...logins],
			([client, { length }]) =>
				length > maximum && `process ${client} logs in ${length} times, where ${maximum} are enough`,
		);
	},

	everythingEnds: ({ leftovers, runs, sentRequests }) => [
		...leftovers.map((what) => `what is not over or was left behind: ${what}`),
		...sentRequests
			.filter(({ run, attempt, sentAt }) => run >= 0 && sentAt > (runs[run]!.all[attempt - 1]!.endedAt ?? Infinity))
			.map(({ id, run, sentAt }) => `${id} is sent at ${sentAt}, when run ${run} was over`),
	],

	noSecret: ({ attempts, log, pollErrors, events }) =>
		checkCases(
			[
				...attempts.map(({ output, error, hints }) => [output, error, error?.description, error?.stack, hints]),
				log,
				pollErrors,
				events,
			],
			(shown) => {
				const text = JSON.stringify(shown);
				const at = Math.max(...[TOKEN, SECRET, encodeURIComponent(SECRET)].map((secret) => text.indexOf(secret)));
				return at !== -1 && `a secret in ${text.slice(Math.max(0, at - 100), at + 100)}`;
			},
		),

	eachChangeOnce: ({ eventsByGateway }) =>
		checkCases(
			[...eventsByGateway.values()].filter(({ length }) => length > 1),
			(own) => {
				const wrong = own.findIndex(
					({ changed }, nth) =>
						nth > 0 && (changed.version?.from ?? null) !== (own[nth - 1]!.changed.version?.to ?? null),
				);
				const versions = own.flatMap(({ current }) => (current ? [current.version] : []));
				if (new Set(versions).size < versions.length) return `the same was reported twice: ${versions.join(', ')}`;
				return wrong > 0 && `${JSON.stringify(own[wrong])} comes after ${JSON.stringify(own[wrong - 1])}`;
			},
		),

	eventsAreTrue: ({ events, gateways }) =>
		checkCases(events, ({ at, gatewayId, event, changed, current }) => {
			const wasSo = gateways
				.get(gatewayId)!
				.some((state) => state.at <= at && JSON.stringify(state.value ?? null) === JSON.stringify(current));
			const isNamed =
				(event === 'disappeared') === (current === null) &&
				(event === 'appeared') === ((changed.version?.from ?? null) === null);
			return (!wasSo || !isNamed) && `gateway ${gatewayId} is said to have ${event}: ${JSON.stringify(current)}`;
		}),

	lastChangeReported: ({ world, eventsByGateway, gateways, sentRequests, isCalm }) => {
		// What happened before the trigger knew a gateway is not reported.
		const isKnown = (id: string, at: number) =>
			sentRequests.some(
				(send) => send.run === TRIGGER && send.id === id && send.outcome === 'done' && send.endedAt! + 60_000 < at,
			);
		const mayForget = world.trigger?.restarts.length !== 0 || !isCalm({});
		return checkCases(
			[...gateways].filter(([id, states]) => eventsByGateway.has(id) || (!mayForget && isKnown(id, states.at(-1)!.at))),
			([id, states]) => {
				const [last, state] = [
					JSON.stringify(eventsByGateway.get(id)?.at(-1)!.current),
					JSON.stringify(states.at(-1)!.value ?? null),
				];
				return last !== state && `gateway ${id} ends as ${state}, last reported as ${last}`;
			},
		);
	},
} satisfies Record<string, (view: View) => string[] | undefined>;

export type InvariantName = keyof typeof INVARIANTS;
