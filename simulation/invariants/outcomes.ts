import type { NodeError } from '../n8n';
import { SECRET, type SentRequest, TOKEN } from '../service';
import { itemOf } from '../world';
import { checkCases, checkNothingAfter, checkNotSentAgain, isCreate, isOwnFault, type Invariant } from './view';

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

/** What runs say of their items, and what they leave behind. */
export const OUTCOME_INVARIANTS = {
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
				const [, done = '', whole] =
					/before the run stopped: ((?:items? ([\d, to]+))?.*) \(counted from 0\)\. A new execution/.exec(text) ?? [];
				const nameOf = (id: string) =>
					settings.operation === 'create' ? `RO1${id}` : `trunk ${id.replace('/', ', country ')}`;
				const isSaidToBeDone = (id: string) =>
					isIn(whole, itemOf(id)) || done.includes(`${nameOf(id)} (item ${itemOf(id)})`);
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
} satisfies Record<string, Invariant>;
