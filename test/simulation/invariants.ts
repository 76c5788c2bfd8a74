import { type History, idsOf, itemOf, runOf } from './n8n';
import { LOGIN, SECRET, type Send, TOKEN } from './service';

/** What is wrong with a history; undefined where it does not put the invariant to the test. */
type Invariant = (history: History) => string[] | undefined;

/** @param problemOf a sentence, or something falsy */
const each = <Case>(cases: Case[], problemOf: (one: Case) => unknown): string[] | undefined =>
	cases.length === 0 ? undefined : cases.map(problemOf).filter((problem) => typeof problem === 'string');

const remembered = <Made>(make: (history: History) => Made): ((history: History) => Made) => {
	const known = new WeakMap<History, Made>();
	return (history) => known.get(history) ?? (known.set(history, make(history)), known.get(history)!);
};

const runsOf = remembered(({ world, attempts, ends, sends }) =>
	world.runs.map((of, run) => {
		const all = attempts.filter((attempt) => attempt.run === run);
		const ids = Array.from({ length: of.items }, (_, item) => idsOf(of, run, item));
		return { of, run, all, ids, last: all.at(-1), isCut: ends.get(run)?.isCut !== false, sends: sends.filter((send) => send.run === run) };
	}),
);

/** What runs said of each request, by an output or by the error that ended the run; and what became of it in truth. */
const allTold = remembered((history) =>
	runsOf(history).flatMap(({ of, run, last, isCut, sends, ids }) => {
		if (isCut || of.dryRun) return [];
		// In whatever attempt: what may have been done stays so.
		const tell = (id: string, outcome: Send['means'], json?: Record<string, unknown>) => ({ of, run, id, outcome, json, sends: sends.filter((send) => send.id === id) });
		const { itemIndex = -1, outcome: ofError = 'unknown' } = last?.error?.context ?? {};
		const ofItem = ids[itemIndex] ?? [];
		return last?.error
			? ofItem.slice(ofItem.length === 1 ? 0 : 1, 1).map((id) => tell(id, ofError))
			: last!.output!.map(({ json }, nth) => tell(ids.flat()[nth] ?? 'none', (json.error as { outcome: Send['means'] } | undefined)?.outcome ?? 'done', json));
	}),
);
const told = (history: History, outcome: Send['means']) => allTold(history).filter((each) => each.outcome === outcome);

/** Whether nothing is wrong with the world but this. */
const isCalm = ({ world }: History, but: { faults?: (kind: string, of: string, times: number) => boolean; outage?: true; limit?: true }): boolean =>
	world.faults.every(({ kind, of, times }) => but.faults?.(kind, of, times)) && (but.outage || !world.outage) === true && (but.limit || !world.limit) === true;

/** Whether processes end each other's tokens, and do nothing else for a while. */
const isContested = ({ world: { tokens }, sends }: History) => tokens.newestOnly === true && new Set(sends.map(({ process }) => process)).size > 1;

const failed = (history: History) => allTold(history).filter(({ outcome }) => outcome !== 'done');
const nothingFails = (history: History, isTested: boolean) => (isTested ? failed(history).map(({ id, outcome }) => `${id} failed (${outcome})`) : undefined);

/** Of requests after which there is no other with the same id. */
const isLast = (sends: Send[], of: (send: Send) => boolean) =>
	each(sends.filter((send) => of(send) && send.endedAt !== undefined), ({ sentBefore, run, id, kind, means }) =>
		sends.slice(sentBefore).some((next) => next.run === run && next.id === id) && `${id} was sent again after ${kind || means}`);

/** Whether a fault ends its request, and with it a run that stops on failure. */
const isFinal = ({ kind, status }: Send) => /^(400|404|500|200 with)/.test(kind) && kind.startsWith(String(status));

const CODES = ['invalid_parameter', 'invalid_credential', 'login_failed', 'unauthorized', 'forbidden', 'not_found', 'rate_limited', 'rejected',
	'service_error', 'connection_failed', 'invalid_response'];

export const INVARIANTS = {
	createdOnce: ({ world, done }) => each([...done].filter(([id]) => world.runs[runOf(id)]?.operation === 'create'), ([id, times]) => times > 1 && `${id} was created ${times} times`),

	unknownNotSentAgain: ({ sends }) => isLast(sends, ({ method, run, means }) => method === 'POST' && run !== LOGIN && means === 'unknown'),

	doneNotSentAgain: ({ sends }) => isLast(sends, ({ method, means }) => method === 'PUT' && means === 'done'),

	doneIsThere: (history) =>
		each(told(history, 'done'), ({ of, id, json, sends }) => {
			const times = history.done.get(id) ?? 0;
			const isThere = of.operation === 'create' ? times === 1 : times > 0;
			const isTrue = of.operation === 'get' ? json?.id === id && sends.some(({ means }) => means === 'done') : isThere;
			return !isTrue && `${id} is said to be done, and is there ${times} times: ${JSON.stringify(json)}`;
		}),

	notDoneIsNotThere: (history) => each(told(history, 'not_done'), ({ id, sends }) => sends.some(({ wasDone }) => wasDone) && `${id} is said to be not done, and is there`),

	notSentNeverArrived: (history) => each(told(history, 'not_sent'), ({ id, sends }) => sends.some(({ arrived }) => arrived) && `${id} is said to be not sent, and arrived`),

	unknownOnlyWhereLost: (history) =>
		each(told(history, 'unknown'), ({ id, sends }) => !sends.some(({ means }) => means === 'unknown') && `${id} is said to be unknown: ${sends.map(({ kind, status }) => kind || status).join(', ')}`),

	everyItemAnswered: (history) =>
		each(runsOf(history).filter(({ isCut }) => !isCut), ({ of, run, last, ids }) => {
			const { itemIndex = -1, outcome, code = '' } = last?.error?.context ?? {};
			if (last?.error) return (!ids[itemIndex] || !CODES.includes(code) || !outcome || of.continues) && `run ${run} ends in ${String(last.error)} of item ${itemIndex}`;
			const got = last?.output?.map(({ pairedItem }) => (pairedItem as { item: number }).item).join();
			return got !== ids.flat().map(itemOf).join() && `run ${run} has outputs of the items ${got}`;
		}),

	nothingAfterCancel: ({ ends, sends }) =>
		each([...ends].filter(([, { isCut }]) => isCut), ([run, { sentBefore }]) => sends.slice(sentBefore).some((send) => send.run === run) && `run ${run} sends after its cancel`),

	nothingAfterStop: ({ world, sends }) =>
		each(sends.filter((send) => isFinal(send) && world.runs[send.run]?.continues === false), ({ run, attempt, sentBefore, id }) =>
			sends.slice(sentBefore).some((next) => next.run === run && next.attempt === attempt) && `run ${run} sends after ${id} has failed`),

	errorNamesWhatWasDone: (history) =>
		each(runsOf(history).filter(({ isCut, last, of }) => !isCut && last?.error && of.operation !== 'get'), ({ of, run, last, ids, sends }) => {
			const { description, context } = last!.error!;
			const more = Number(/ and (\d+) more/.exec(String(description))?.[1] ?? 0);
			const wasDone = (id: string) => history.done.has(id) && (of.operation === 'create' || sends.some((send) => send.id === id && send.means === 'done'));
			const unnamed = ids.flat().filter((id) => wasDone(id) && itemOf(id) !== context.itemIndex && !String(description).includes(id.split('/')[0]!));
			return unnamed.length > more && `run ${run} (${of.operation}) does not name ${unnamed.join(', ')}`;
		}),

	batchesWait: (history) =>
		each(runsOf(history).filter(({ of, sends }) => of.batch && sends.length > 0), ({ of: { batch }, all, sends }) => {
			const startOf = (id: string) => Math.floor(itemOf(id) / batch!.batchSize) * batch!.batchInterval;
			const early = sends.find(({ id, attempt, sentAt }) => sentAt < all[attempt - 1]!.startedAt + startOf(id));
			return early && `${early.id} is sent before its batch`;
		}),

	dryRunSendsNothing: (history) =>
		each(runsOf(history).filter(({ of, all }) => of.dryRun && all.length > 0), ({ run, sends }) => sends.length > 0 && `run ${run} sends in a dry run`),

	inFlightBound: (history) =>
		each(runsOf(history).filter(({ of, sends }) => sends.length > of.maxConcurrency), ({ of, run, sends }) => {
			const most = Math.max(...sends.map(({ nth }, index) => sends.slice(0, index + 1).filter(({ sentBefore = Infinity }) => sentBefore > nth).length));
			return most > of.maxConcurrency && `run ${run} has ${most} in flight`;
		}),

	maxRetriesHeld: ({ world, sends }) =>
		each(sends.filter(({ kind, status }) => status === 408 && kind.startsWith('408')), ({ run, attempt, id, method }) => {
			const times = sends.filter((send) => send.id === id && send.run === run && send.attempt === attempt && send.status === 408).length;
			return run >= 0 && times > 1 + (method === 'POST' ? 0 : world.runs[run]!.maxRetries) && `${id} was sent ${times} times`;
		}),

	retriesFirst: ({ sends }) => {
		const known = new Map<string, Send[]>();
		const ended = sends.filter(({ run, endedAt }) => run !== LOGIN && endedAt !== undefined).sort((one, other) => one.endedAt! - other.endedAt!);
		const last = new Map<number, Send>();
		// While the service is away, what has not failed yet is tried first.
		const firsts = sends.filter((send) => {
			while (ended[0] && ended[0].sentBefore! <= send.nth) last.set(ended[0].process, ended.shift()!);
			const key = `${send.id} ${send.run} ${send.attempt}`;
			known.set(key, [...(known.get(key) ?? []), send]);
			return known.get(key)!.length === 1 && last.get(send.process)?.means === 'done';
		});
		return each([...known.values()].filter((all) => all.length > 1 && all[0]!.run >= 0 && all.every(({ status }) => status !== 401)), (all) => {
			const [before, { id, run, attempt, sentAt }] = all.slice(-2) as [Send, Send];
			const waitMs = Math.min(10_000, 250 * 2 ** (all.length - 2)) + 200 + (before.kind.includes('Retry-After') ? 2_000 : 0);
			const early = firsts.filter((send) => send.run === run && send.attempt === attempt && send.sentAt > before.endedAt! + waitMs && send.sentAt < sentAt);
			return early.length > 6 && `${id} is sent again after ${early.length} that had not been sent before`;
		});
	},

	runsTakeTurns: (history) =>
		each(runsOf(history).filter(({ sends }) => sends.length > 0), ({ run, all, sends: [first] }) => {
			const before = history.sends.slice(0, first!.nth)
				// Where the service is away, what costs least goes first.
				.filter(({ status = 503 }) => status < 502 && status !== 429)
				.filter((send) => send.process === first!.process && send.run >= 0 && send.sentAt > all[0]!.startedAt);
			return before.length > 12 && `run ${run} sends after ${before.length} requests of others`;
		}),

	outageBrakes: ({ world: { outage, latency }, sends }) => {
		const struck = sends.filter(({ kind, endedAt }) => kind === 'outage' && endedAt !== undefined);
		return outage && each([...new Set(struck.map(({ process }) => process))], (process) => {
			const known = struck.filter((send) => send.process === process).map(({ endedAt }) => endedAt!).sort((one, other) => one - other)[2] ?? Infinity;
			const probes = sends.filter((send) => send.process === process && send.sentAt > known + 1.5 * latency + 20 && send.sentAt < outage.at + outage.ms);
			return probes.length > 8 + outage.ms / 5_000 && `process ${process} sends ${probes.length} requests to a service that is away for ${outage.ms} ms`;
		});
	},

	retryAfterObeyed: ({ sends }) =>
		each(sends.filter(({ kind, status }) => status === 429 && kind === '429 with Retry-After'), ({ process, endedAt, sentBefore }) => {
			const early = sends.slice(sentBefore).find((send) => send.process === process && send.sentAt < endedAt! + 1_999);
			return early && `${early.id} is sent ${early.sentAt - endedAt!} ms after the service asked to wait for 2 s`;
		}),

	expiryCostsNothing: (history) =>
		nothingFails(history, isCalm(history, { faults: (kind, of, times) => kind === 'token revoked' && of === 'requests' && times < 10 }) && !isContested(history) &&
			history.sends.some(({ status }) => status === 401)),

	limitCostsNothing: (history) =>
		nothingFails(history, isCalm(history, { limit: true }) && !isContested(history) && history.sends.some(({ kind }) => kind === 'limit')),

	outageCostsOnlyInFlight: (history) => {
		const { world: { outage }, sends } = history;
		if (!outage || outage.ms > 100_000 || history.world.tokens.newestOnly || !isCalm(history, { outage: true }) || !sends.some(({ kind }) => kind === 'outage')) return undefined;
		// Where nothing has answered yet, it may be the wrong address.
		const hasAnswered = (process: number) => sends.some((send) => send.process === process && send.status === 200 && send.endedAt! < outage.at);
		const mayFail = ({ outcome, sends: own, run }: ReturnType<typeof failed>[number]) =>
			(outcome === 'unknown' && own.some(({ kind, arrived }) => kind === 'outage' && arrived)) || !hasAnswered(sends.find((send) => send.run === run)?.process ?? 0);
		return failed(history).filter((one) => !mayFail(one)).map(({ id, outcome }) => `${id} failed (${outcome}) by an outage of ${outage.ms} ms`);
	},

	itemFailsAlone: (history) =>
		history.world.faults.length > 0 && isCalm(history, { faults: (kind, of) => of === 'item' && /^(200|303|400|404|408|50\d($|,)|response)/.test(kind) })
			? failed(history).filter(({ sends }) => sends.every(({ kind }) => kind === '')).map(({ id }) => `${id} failed with another item`)
			: undefined,

	loginsBounded: (history) => {
		// A login is also a probe, where the service may be away.
		const { world: { tokens }, sends, simulatedMs } = history;
		const logins = sends.filter(({ run }) => run === LOGIN);
		const isUsual = isCalm(history, { faults: (kind, of) => of === 'requests' && /^(400|404|500|200|token)/.test(kind) }) && !tokens.newestOnly && !tokens.validAfterMs;
		if (!isUsual || logins.length === 0) return undefined;
		const ended = sends.filter(({ kind }) => kind === 'token revoked').length + simulatedMs / ((tokens.lifetimeMs ?? Infinity) * 0.9 - 200);
		const most = Math.ceil(new Set(logins.map(({ process }) => process)).size * (1 + ended));
		return logins.length > most ? [`${logins.length} logins, where ${most} are enough`] : [];
	},

	everythingEnds: ({ left }) => left.map((what) => `what is not over or was left behind: ${what}`),

	noSecret: ({ attempts, log, pollErrors }) =>
		each([...attempts.map(({ output, error, hints }) => [output, error, error?.message, error?.description, hints]), log, pollErrors], (shown) => {
			const text = JSON.stringify(shown);
			const at = Math.max(text.indexOf(TOKEN), text.indexOf(SECRET));
			return at !== -1 && `a secret in ${text.slice(Math.max(0, at - 100), at + 100)}`;
		}),

	eachChangeOnce: ({ events, gateways }) =>
		each([...gateways.keys()].map((id) => events.filter(({ gatewayId }) => gatewayId === id)).filter(({ length }) => length > 1), (own) => {
			const wrong = own.findIndex(({ changed }, nth) => nth > 0 && (changed.version?.from ?? null) !== (own[nth - 1]!.changed.version?.to ?? null));
			return wrong > 0 && `${JSON.stringify(own[wrong])} comes after ${JSON.stringify(own[wrong - 1])}`;
		}),

	eventsAreTrue: ({ events, gateways }) =>
		each(events, ({ at, gatewayId, event, current }) => {
			const wasSo = gateways.get(gatewayId)!.some((state) => state.at <= at && JSON.stringify(state.value ?? null) === JSON.stringify(current));
			return (!wasSo || (event === 'disappeared') !== (current === null)) && `gateway ${gatewayId} is said to have ${event}: ${JSON.stringify(current)}`;
		}),

	lastChangeReported: ({ events, gateways }) =>
		// What happened before the trigger knew a gateway is not reported.
		each([...gateways].filter(([id]) => events.some(({ gatewayId }) => gatewayId === id)), ([id, states]) => {
			const last = events.filter(({ gatewayId }) => gatewayId === id).at(-1)!;
			return JSON.stringify(last.current) !== JSON.stringify(states.at(-1)!.value ?? null) && `gateway ${id} ends as ${JSON.stringify(states.at(-1))}, last reported ${JSON.stringify(last)}`;
		}),
} satisfies Record<string, Invariant>;

export type InvariantName = keyof typeof INVARIANTS;
