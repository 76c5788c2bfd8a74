import { TRIGGER } from '../service';
import { checkCases, type Invariant } from './view';

/** What the trigger reports. */
export const TRIGGER_INVARIANTS = {
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
} satisfies Record<string, Invariant>;
