import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { changedFields } from './changedFields';
import type { GatewayResult } from './fetchGateways';
import { type FailedGateway, allDisappearedFailure } from './pollFailures';
import type { GatewayEvent } from './properties';
import type { State } from './stateStore';
import type { WatchSettings } from './watchSettings';

/**
 * Compares results with the previous state. If two or more gateways disappeared and none is found, the base URL or key is probably wrong:
 * the next poll has to confirm it. @param before undefined for a manual poll, which emits all gateways, whatever events are selected
 * @returns the items to emit, the failures, and the next state
 */
export function detectEvents(
	results: Map<string, GatewayResult>,
	before: State | undefined,
	{ events, emitOnFirstPoll }: WatchSettings,
): { items: INodeExecutionData[]; failed: FailedGateway[]; after: State } {
	const isManual = before === undefined;
	const readable = [...results].flatMap(([gatewayId, result]) =>
		'failure' in result ? [] : [{ gatewayId, ...result }],
	);
	const presentBefore = readable.filter(({ gatewayId }) => before?.snapshots.get(gatewayId));
	const isUnconfirmed =
		presentBefore.length > 1 && readable.every(({ current }) => current === null) && before?.isUnconfirmed === false;
	const after: State = { snapshots: new Map(), isUnconfirmed };
	const items: INodeExecutionData[] = [];
	const failed: FailedGateway[] = isUnconfirmed
		? [{ gatewayId: '', failure: allDisappearedFailure(presentBefore.length) }]
		: [];
	for (const [gatewayId, result] of results) {
		const previous = before?.snapshots.get(gatewayId);
		if ('failure' in result) failed.push({ gatewayId, failure: result.failure });
		if ('failure' in result || isUnconfirmed) {
			if (previous !== undefined) after.snapshots.set(gatewayId, previous);
			continue;
		}
		const { current, snapshot } = result;
		after.snapshots.set(gatewayId, snapshot);
		if (previous === undefined && current === null) {
			// In a manual poll, the ID may be mistyped. A gateway that was never seen can't disappear.
			if (isManual) failed.push({ gatewayId, failure: result.notFound });
			continue;
		}
		if (previous === undefined && !emitOnFirstPoll && !isManual) continue;
		const changed = changedFields(previous, snapshot, current);
		const event: GatewayEvent = current === null ? 'disappeared' : previous ? 'changed' : 'appeared';
		if (changed && (events.includes(event) || isManual))
			items.push({ json: { gatewayId, event, changed: changed as IDataObject, current } });
	}
	return { items, failed, after };
}
