import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { GatewayResult } from './fetchGateways';
import { type FailedGateway, allDisappearedFailure } from './pollFailures';
import type { GatewayEvent } from './properties';
import { snapshotFields, type Snapshot } from './snapshot';
import type { State } from './stateStore';
import type { WatchSettings } from './watchSettings';

/**
 * Compares what was read with the state before: the items to emit, what failed, and the state that follows. Two or more
 * gateways that are gone while none is found are more likely a wrong base URL or key: believed when the next poll says so.
 * @param before the state; none for a poll by hand, which shows what items look like, whichever events are wanted
 */
export function detectChanges(results: Map<string, GatewayResult>, before: State | undefined, { events, emitOnFirstPoll }: WatchSettings) {
	const readable = [...results].flatMap(([gatewayId, result]) => ('failure' in result ? [] : [{ gatewayId, ...result }]));
	const presentBefore = readable.filter(({ gatewayId }) => before?.gateways.get(gatewayId));
	const isUnconfirmed = presentBefore.length > 1 && readable.every(({ current }) => current === null) && before?.isUnconfirmed === false;
	const after: State = { gateways: new Map(), isUnconfirmed };
	const items: INodeExecutionData[] = [];
	const failed: FailedGateway[] = isUnconfirmed ? [{ gatewayId: '', failure: allDisappearedFailure(presentBefore.length) }] : [];
	for (const [gatewayId, result] of results) {
		const previous = before?.gateways.get(gatewayId);
		if ('failure' in result || isUnconfirmed) {
			if ('failure' in result) failed.push({ gatewayId, failure: result.failure });
			if (previous !== undefined) after.gateways.set(gatewayId, previous);
			continue;
		}
		const { current, snapshot } = result;
		after.gateways.set(gatewayId, snapshot);
		if (previous === undefined && current === null) {
			// Who tries the trigger by hand may have mistyped the id. One that was never seen can't disappear.
			if (!before) failed.push({ gatewayId, failure: result.notFound });
			continue;
		}
		if (previous === undefined && !emitOnFirstPoll && before) continue;
		const changed = changedFields(previous, snapshot, current);
		const event: GatewayEvent = current === null ? 'disappeared' : previous ? 'changed' : 'appeared';
		if (changed && (events.includes(event) || !before)) items.push({ json: { gatewayId, event, changed: changed as IDataObject, current } });
	}
	return { items, failed, after };
}

/**
 * The fields by which two snapshots of a gateway differ (undefined where there is none before), with their values before and
 * now, null for none. @param gateway as it is now, whose values are known however large it is @returns undefined when it is the same
 */
export function changedFields(
	before: Snapshot | undefined,
	after: Snapshot,
	gateway: IDataObject | null,
): Record<string, { from: unknown; to: unknown }> | undefined {
	const [from, now, to] = [snapshotFields(before), snapshotFields(after), new Map(Object.entries(gateway ?? {}))];
	const changed = [...new Set([...from.keys(), ...to.keys()])].filter((name) => from.get(name)?.digest !== now.get(name)?.digest);
	const isSamePresence = before !== undefined && (before === null) === (after === null);
	if (changed.length === 0 && isSamePresence) return undefined;
	return Object.fromEntries(changed.map((name) => [name, { from: from.get(name)?.value ?? null, to: to.get(name) ?? null }]));
}
