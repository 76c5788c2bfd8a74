import { LOGIN, type SentRequest } from '../service';
import { totalMs } from '../world';
import { checkCases, groupBy, mergeProblems, type Invariant, type View } from './view';

/** By what is between two probes, and a response, less than Max Wait. */
const MAX_OUTAGE_MS = 114_000;

/** For so long, items that always fail may hold up the others of a run. */
const MAX_DELAY_BY_OTHERS_MS = 80_000;

/** What a fault may cost. */
export const COST_INVARIANTS = {
	expiryCostsNothing: ({ checkNothingFails, isCalm, sentRequests }) => {
		const isRevoked = (kind: string, of: string, times: number) =>
			kind === 'token revoked' && of === 'requests' && times < 10;
		return checkNothingFails(isCalm({ faults: isRevoked }) && sentRequests.some(({ status }) => status === 401));
	},

	limitCostsNothing: ({ checkNothingFails, isCalm, sentRequests }) =>
		checkNothingFails(isCalm({ limit: true }) && sentRequests.some(({ kind }) => kind === 'limit')),

	outageCostsOnlyInFlight: ({ world: { outage, tokens, trigger }, failedReports, isCalm, sentRequests }) => {
		// A slow read may be what finds out that the service is back.
		const isProbeSlow =
			outage &&
			[outage.ms, totalMs(outage)].some((ms) => trigger?.slow.some((at) => Math.abs(at - outage.at - ms) < 30_000));
		const isShort = outage && totalMs(outage) <= MAX_OUTAGE_MS;
		const isTested = isShort && !tokens.newestOnly && !isProbeSlow && isCalm({ outage: true });
		if (!isTested || !sentRequests.some(({ kind }) => kind === 'outage')) return undefined;
		// Where nothing has answered yet, it may be the wrong address.
		const hasAnswered = (client?: string) =>
			sentRequests.some((send) => send.client === client && send.status === 200 && send.endedAt! < outage.at);
		const isTold = ({ outcome, settings, sentRequests: own, run }: View['failedReports'][number]) =>
			(outcome === 'unknown' &&
				(settings.operation === 'create' || settings.maxRetries === 0) &&
				own.some((send) => send.kind === 'outage' && send.arrived)) ||
			!hasAnswered(sentRequests.find((send) => send.run === run)?.client);
		return failedReports
			.filter((one) => !isTold(one))
			.map(({ id, outcome }) => `${id} failed (${outcome}) by an outage of ${totalMs(outage)} ms`);
	},

	itemFailsAlone: ({ world: { faults, latency, tokens }, isCalm, isContested, failedReports, ended, sentRequests }) => {
		const failsItself = (kind: string, of: string) =>
			of === 'item' && /^(200 with|303|400|404|408|50\d|response|connection|TLS)/.test(kind);
		if (faults.length === 0 || isContested || !isCalm({ faults: failsItself })) return undefined;
		const isStruck = (own: SentRequest[]) => own.some(({ kind }) => kind !== '');
		const failed = failedReports
			.filter(({ settings, sentRequests: own }) => settings.continues && !isStruck(own))
			.map(({ id }) => `${id} failed with another item`);
		// By its turn, once others have failed for good.
		const delayed = checkCases(
			ended.filter(
				(one) => one.sentRequests.length > 0 && one.all.length === 1 && !tokens.lifetimeMs && !tokens.validAfterMs,
			),
			({ run, startOf, sentRequests: own }) => {
				const others = [...groupBy(own, ({ id }) => id).values()].filter((one) => !isStruck(one)).flat();
				const delays = others.map((send) => send.endedAt! - startOf(send));
				const count = sentRequests.filter(({ client, kind }) => client === own[0]!.client && kind === '').length;
				const maximum = MAX_DELAY_BY_OTHERS_MS + 1.5 * latency * count;
				return Math.max(...delays) > maximum && `run ${run} waits ${Math.max(...delays)} ms for other items`;
			},
		);
		return mergeProblems(failed, delayed);
	},

	loginsBounded: ({ world: { tokens }, isCalm, sentRequests, simulatedMs }) => {
		// A login is also a probe, where the service may be away.
		const isUsual =
			isCalm({
				faults: (kind, of) => of === 'requests' && /^(400|404(?! with a page)|500|200 with an error|token)/.test(kind),
			}) &&
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
} satisfies Record<string, Invariant>;
