import type { History } from './n8n';
import { idsOf, itemOf } from './n8n';
import { SECRET, type Send, TOKEN } from './service';

/** What is wrong with a history, in sentences; undefined where it does not put the invariant to the test. */
type Invariant = (history: History) => string[] | undefined;

const each = <Case>(cases: Case[], problemOf: (one: Case) => string | false | undefined): string[] | undefined =>
	cases.length === 0 ? undefined : cases.map(problemOf).filter((problem) => typeof problem === 'string');

/** What a run that was not cut short said of one request: by an output, or by the error that ended it. */
interface Told {
	run: number;
	id: string;
	outcome: Send['means'];
	/** All requests of it: of a create, in all attempts, as none may be forgotten. */
	sends: Send[];
	json?: Record<string, unknown>;
}

const runsOf = ({ world, attempts, ends, sends }: History) =>
	world.runs.map((of, run) => {
		const all = attempts.filter((each) => each.run === run);
		return { of, run, all, last: all.at(-1), isCut: ends.get(run)?.isCut !== false, sends: sends.filter((send) => send.run === run), ids: Array.from({ length: of.items }, (_, item) => idsOf(of, run, item)) };
	});

const toldOf = (history: History): Told[] =>
	runsOf(history).flatMap(({ of, run, last, isCut, sends, ids }) => {
		if (isCut || !last || of.dryRun) return [];
		const told = (id: string, outcome: Send['means'], json?: Told['json']): Told => {
			return { run, id, outcome, json, sends: sends.filter((send) => send.id === id && (of.operation === 'create' || send.attempt === last.attempt)) };
		};
		if (last.error) {
			const { itemIndex = -1, outcome = 'unknown' } = last.error.context ?? {};
			return ids[itemIndex]?.length === 1 ? [told(ids[itemIndex][0]!, outcome)] : [];
		}
		return last.output!.map(({ json }, nth) => told(ids.flat()[nth] ?? 'none', (json.error as { outcome: Send['means'] } | undefined)?.outcome ?? 'done', json));
	});

const isCalm = ({ world: { faults, outages, limit } }: History, but: { faults?: (kind: string, of: string) => boolean; outages?: true; limit?: true }): boolean =>
	faults.every(({ kind, of }) => but.faults?.(kind, of)) && (but.outages === true || outages.length === 0) && (but.limit === true || limit === undefined);

const failedOf = (history: History) => toldOf(history).filter(({ outcome }) => outcome !== 'done');

/** No item fails, in a world in which nothing is wrong but what costs none. */
const nothingFails = (history: History, isTested: boolean) =>
	isTested ? [...failedOf(history).map(({ id, outcome }) => `${id} failed: ${outcome}`), ...runsOf(history).flatMap(({ last, isCut, run }) => (!isCut && last?.error ? [`run ${run} failed: ${last.error.message}`] : []))] : undefined;

/** Replies that no request is sent again after, and that stop a run. */
const FINAL = ['400', '400 with the token', '404', '404 of a proxy', '500', '500 after the work', '200 with a page', '200 with an error'];

const CODES = ['invalid_parameter', 'invalid_credential', 'login_failed', 'unauthorized', 'forbidden', 'not_found', 'rate_limited', 'rejected', 'service_error', 'connection_failed', 'invalid_response'];

const again = (sends: Send[], id: (send: Send) => boolean, isLast: (send: Send) => boolean) =>
	each(sends.filter((send) => id(send) && isLast(send)), (send) => {
		const next = sends.find((other) => other.run === send.run && other.id === send.id && sends.indexOf(other) > sends.indexOf(send));
		return next && `${send.id} was sent again, after ${send.kind || 'it was done'}`;
	});

const isCreate = ({ method, run }: Send) => method === 'POST' && run >= 0;

export const INVARIANTS = {
	createdOnce: ({ world, done }) =>
		each([...done].filter(([id]) => world.runs[Math.floor(Number.parseInt(id, 10) / 1_000) - 1]?.operation === 'create'), ([id, times]) => times > 1 && `${id} was created ${times} times`),

	inDoubtNotSentAgain: ({ sends }) => again(sends, isCreate, ({ means, endedAt }) => means === 'unknown' && endedAt !== undefined),

	doneNotSentAgain: ({ sends }) => again(sends, ({ method }) => method === 'PUT', ({ means, endedAt }) => means === 'done' && endedAt !== undefined),

	doneIsThere: (history) =>
		each(toldOf(history).filter(({ outcome }) => outcome === 'done'), ({ run, id, json, sends }) => {
			const { operation } = history.world.runs[run]!;
			const times = history.done.get(id) ?? 0;
			if (operation === 'get') return (json?.id !== id || !sends.some(({ means }) => means === 'done')) && `the output of ${id} is ${JSON.stringify(json)}`;
			return (operation === 'create' ? times !== 1 : times === 0) && `${id} is said to be done, and is there ${times} times`;
		}),

	notDoneIsNotThere: (history) =>
		each(toldOf(history).filter(({ outcome }) => outcome === 'not_done'), ({ id, sends }) => sends.some(({ wasDone }) => wasDone) && `${id} is said to be not done, and is there`),

	notSentNeverArrived: (history) =>
		each(toldOf(history).filter(({ outcome }) => outcome === 'not_sent'), ({ id, sends }) => sends.some(({ arrived }) => arrived) && `${id} is said to be not sent, and arrived`),

	unknownOnlyWhereLost: (history) =>
		each(toldOf(history).filter(({ outcome }) => outcome === 'unknown'), ({ id, sends }) =>
			!sends.some(({ means }) => means === 'unknown') && `${id} is said to be unknown after ${sends.map(({ kind, status }) => kind || status).join(', ')}`),

	everyItemAnswered: (history) =>
		each(runsOf(history).filter(({ isCut }) => !isCut), ({ of, run, last, ids }) => {
			if (last?.error) {
				const { itemIndex = -1, outcome, code } = last.error.context ?? {};
				return (!ids[itemIndex] || !code || !CODES.includes(code) || !outcome || of.continues) && `run ${run} ends in ${String(last.error)}, of item ${itemIndex}`;
			}
			const got = last?.output?.map(({ pairedItem }) => (pairedItem as { item: number }).item).join();
			return got !== ids.flat().map(itemOf).join() && `run ${run} has outputs of the items ${got}`;
		}),

	nothingAfterCancel: ({ ends, sends }) =>
		each([...ends].filter(([, { isCut }]) => isCut), ([run, { sentBefore }]) => sends.slice(sentBefore).some((send) => send.run === run) && `run ${run} sends after it has been cancelled`),

	nothingAfterStop: (history) =>
		each(runsOf(history).filter(({ of }) => !of.continues).flatMap(({ sends }) => sends.filter(({ kind, status }) => status !== undefined && status !== 401 && FINAL.includes(kind))), ({ run, attempt, sentBefore, id }) =>
			history.sends.slice(sentBefore).some((send) => send.run === run && send.attempt === attempt) && `run ${run} sends after ${id} has failed`),

	errorNamesWhatWasDone: (history) =>
		each(runsOf(history).filter(({ isCut, last, of }) => !isCut && last?.error && of.operation !== 'get'), ({ of, run, last, ids }) => {
			const said = String(last!.error!.description);
			const more = Number(/ and (\d+) more/.exec(said)?.[1] ?? 0);
			const unnamed = ids.flat().filter((id) => history.done.has(id) && itemOf(id) !== last!.error!.context.itemIndex && !said.includes(id.split('/')[0]!));
			return unnamed.length > more && `run ${run} (${of.operation}) does not name ${unnamed.join(', ')} among what it has done`;
		}),

	batchesWait: (history) =>
		each(runsOf(history).filter(({ of, sends }) => of.batch && sends.length > 0), ({ of, run, all, sends }) => {
			const early = sends.find((send) => send.sentAt < all[send.attempt - 1]!.startedAt + Math.floor(itemOf(send.id) / of.batch!.batchSize) * of.batch!.batchInterval);
			return early && `run ${run} sends ${early.id} before its batch`;
		}),

	dryRunSendsNothing: (history) => each(runsOf(history).filter(({ of }) => of.dryRun), ({ run, sends }) => sends.length > 0 && `run ${run} sends in a dry run`),

	inFlightBound: (history) =>
		each(runsOf(history).filter(({ of, sends }) => of.maxConcurrency < of.items && sends.length > 0), ({ of, run, sends }) => {
			const most = Math.max(...sends.map((send, nth) => sends.slice(0, nth + 1).filter(({ endedAt = Infinity, sentBefore = Infinity }) => endedAt > send.sentAt || sentBefore > history.sends.indexOf(send)).length));
			return most > of.maxConcurrency && `run ${run} has ${most} in flight`;
		}),

	retryAfterObeyed: ({ sends }) =>
		each(sends.filter(({ kind, status }) => status === 429 && kind === '429 with Retry-After'), ({ process, endedAt, sentBefore, id }) => {
			const early = sends.slice(sentBefore).find((send) => send.process === process && send.sentAt < endedAt! + 1_999);
			return early && `${early.id} is sent ${early.sentAt - endedAt!} ms after the service has asked to wait 2 s (${id})`;
		}),

	expiryCostsNothing: (history) =>
		nothingFails(history, isCalm(history, { faults: (kind, of) => kind === 'token revoked' && of === 'requests' }) && history.sends.some(({ status }) => status === 401)),

	limitCostsNothing: (history) => nothingFails(history, isCalm(history, { limit: true }) && history.sends.some(({ kind }) => kind === 'limit')),

	outageCostsOnlyInFlight: (history) => {
		const { world, sends } = history;
		const [outage] = world.outages;
		const isShort = outage && outage.ms < 100_000;
		// Where nothing has answered yet, it may be the wrong address.
		const hasAnswered = (process: number) => sends.some((send) => send.process === process && send.status === 200 && send.endedAt! < outage!.at + 1_000);
		if (!isShort || !isCalm(history, { outages: true }) || !sends.some(({ kind }) => kind === 'outage')) return undefined;
		return failedOf(history).filter(({ run, outcome, sends: own }) => hasAnswered(world.runs[run]!.process) && !(outcome === 'unknown' && own.some(({ kind, arrived }) => kind === 'outage' && arrived)))
			.map(({ id, outcome }) => `${id} failed by an outage of ${outage.ms} ms: ${outcome}`);
	},

	itemFailsAlone: (history) =>
		isCalm(history, { faults: (_kind, of) => of === 'item' }) && history.world.faults.length > 0
			? failedOf(history).filter(({ sends }) => sends.length === 0 || sends.every(({ kind }) => kind === '')).map(({ id, outcome }) => `${id} failed with another item: ${outcome}`)
			: undefined,

	loginsBounded: (history) => {
		const { world, sends, simulatedMs } = history;
		const isUsual = isCalm(history, { faults: (kind, of) => of === 'requests' && !/40[13]|303/.test(kind) }) && !world.tokens.newestOnly && !world.tokens.validAfterMs;
		const logins = sends.filter(({ run }) => run === -1);
		if (!isUsual || logins.length === 0) return undefined;
		const revoked = sends.filter(({ kind }) => kind === 'token revoked').length;
		const processes = new Set(logins.map(({ process }) => process)).size;
		const most = processes * (1 + revoked + simulatedMs / ((world.tokens.lifetimeMs ?? Infinity) * 0.9 - 0.2));
		return logins.length > Math.ceil(most) ? [`${logins.length} logins of ${processes} processes, ${revoked} tokens revoked, in ${simulatedMs} ms`] : [];
	},

	everythingEnds: ({ isOver, leftSleeping, leftPermits, simulatedMs }) => [
		...(isOver ? [] : [`it is not over after ${simulatedMs} ms`]), ...(leftSleeping > 0 ? [`${leftSleeping} waits are left`] : []),
		...(leftPermits > 0 ? [`${leftPermits} processes have a permit that was not given back`] : []),
	],

	noSecret: ({ attempts, log, pollErrors }) =>
		each([...attempts.map(({ output, error, hints }) => [output, error, error?.message, error?.description, hints]), log, pollErrors], (shown) => {
			const text = JSON.stringify(shown);
			return (text.includes(TOKEN) || text.includes(SECRET)) && `a secret in ${text.slice(Math.max(0, Math.max(text.indexOf(TOKEN), text.indexOf(SECRET)) - 100)).slice(0, 200)}`;
		}),

	eachChangeOnce: ({ events, gateways }) =>
		each([...gateways].filter(([id]) => events.filter(({ gatewayId }) => gatewayId === id).length > 1), ([id]) => {
			const own = events.filter(({ gatewayId }) => gatewayId === id);
			const wrong = own.findIndex(({ changed }, nth) => nth > 0 && JSON.stringify(changed.version?.from ?? null) !== JSON.stringify(own[nth - 1]!.changed.version?.to ?? null));
			return wrong > 0 && `gateway ${id}: ${JSON.stringify(own[wrong])} comes after ${JSON.stringify(own[wrong - 1])}`;
		}),

	eventsAreTrue: ({ events, gateways }) =>
		each(events, ({ at, gatewayId, event, current }) => {
			const states = gateways.get(gatewayId)!;
			const wasSo = states.some((state) => state.at <= at && JSON.stringify(state.value ?? null) === JSON.stringify(current));
			return (!wasSo || (event === 'disappeared') !== (current === null)) && `gateway ${gatewayId} is said to have ${event}: ${JSON.stringify(current)}`;
		}),

	lastChangeReported: ({ events, gateways, world }) =>
		// What happened before the trigger knew the gateway is not reported.
		world.trigger && each([...gateways].filter(([id]) => events.some(({ gatewayId }) => gatewayId === id)), ([id, states]) => {
			const last = events.filter(({ gatewayId }) => gatewayId === id).at(-1);
			return JSON.stringify(last!.current) !== JSON.stringify(states.at(-1)!.value ?? null) && `gateway ${id} is ${JSON.stringify(states.at(-1)!.value)}, and the last report ${JSON.stringify(last)}`;
		}),
} satisfies Record<string, Invariant>;

export type InvariantName = keyof typeof INVARIANTS;
