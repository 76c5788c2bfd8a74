import type { History } from '../n8n';
import { LOGIN, type SentRequest } from '../service';
import { idsOf } from '../world';

/** @param problemOf a sentence, or something falsy @returns undefined for no cases: they put nothing to the test */
export const checkCases = <Case>(cases: Case[], problemOf: (one: Case) => unknown): string[] | undefined =>
	cases.length === 0 ? undefined : cases.map(problemOf).filter((problem) => typeof problem === 'string');

/** What is sent after something has ended (or has been said), and should not be. */
export const checkNothingAfter = <Ended extends { sentBefore?: number }>(
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

export const checkNotSentAgain = (sentRequests: SentRequest[], isSettled: (send: SentRequest) => boolean) =>
	checkNothingAfter(sentRequests.filter(isSettled), sentRequests, (one, next) => next.id === one.id);

/** Of two checks of one promise, which is put to the test by either. */
export const mergeProblems = (one?: string[], other?: string[]) => (one || other) && [...(one ?? []), ...(other ?? [])];

export function groupBy<Value, Key>(values: Value[], keyOf: (value: Value) => Key): Map<Key, Value[]> {
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

export type View = ReturnType<typeof indexHistory>;

/** Says what is wrong with a history; undefined where it is not put to the test. */
export type Invariant = (view: View) => string[] | undefined;

export const isCreate = ({ run, method }: SentRequest) => run !== LOGIN && method === 'POST';

/** Whether a run's request failed by a fault that is its own, and not the service's. */
export const isOwnFault = ({ run, kind, status }: SentRequest) =>
	run >= 0 && /^(400|404(?! with a page)|408|500|200 with an error)/.test(kind) && kind.startsWith(String(status));
