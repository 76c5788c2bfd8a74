import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { asVoiceAdminCredential, CREDENTIAL_TYPE, serviceUrl } from '../VoiceAdmin/transport/credential';
import { asNodeApiError, failureOf } from '../VoiceAdmin/transport/errors';
import { settingsOf } from '../VoiceAdmin/transport/settings';
import { failureOfAll, type Unread } from './failures';
import { lookAt } from './look';
import { Memory, type Snapshots } from './memory';
import { changesSince, snapshotOf } from './snapshot';
import { watchedBy } from './watched';

/** Triggers whose poll is under way in this process. */
const polling = new Set<string>();

/**
 * Looks at the gateways and gives an item for each that has changed since the last poll; null when none has.
 *
 * What could not be read is left as it was remembered, and told as an error of its own, so that it does not
 * hide what has changed elsewhere. A poll by hand ("Fetch Test Event") gives every gateway as if it were new and
 * remembers nothing.
 */
export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const trigger = `${this.getWorkflow().id} ${this.getNode().id}`;
	const isByHand = this.getMode() === 'manual';
	// A poll that takes longer than the time between two would let both see the same change.
	if (!isByHand && polling.has(trigger)) return null;
	if (!isByHand) polling.add(trigger);
	try {
		return await changes(this, isByHand);
	} finally {
		if (!isByHand) polling.delete(trigger);
	}
}

async function changes(context: IPollFunctions, isByHand: boolean): Promise<INodeExecutionData[][] | null> {
	const read = (name: string): unknown => context.getNodeParameter(name, null);
	let watched, settings, service;
	try {
		watched = watchedBy(read);
		settings = settingsOf(read);
		service = serviceUrl(asVoiceAdminCredential(await context.getCredentials(CREDENTIAL_TYPE)));
	} catch (error) {
		throw asNodeApiError(context.getNode(), failureOf(error));
	}
	const { organizationId, fields, emitOnFirstPoll } = watched;
	const sightings = await lookAt(context, watched, settings);

	const memory = new Memory(context.getWorkflowStaticData('node'), { service, organizationId, fields });
	const before: Snapshots = isByHand ? new Map() : memory.read();
	const after: Snapshots = new Map();
	const items: INodeExecutionData[] = [];
	const unread: Unread[] = [];
	for (const [gatewayId, sighting] of sightings) {
		const known = before.get(gatewayId);
		if ('failure' in sighting) {
			unread.push({ gatewayId, failure: sighting.failure });
			if (known !== undefined) after.set(gatewayId, known);
			continue;
		}
		const { current } = sighting;
		after.set(gatewayId, snapshotOf(current, fields));
		if (known === undefined && !emitOnFirstPoll && !isByHand) continue;
		const changed = changesSince(known, current, fields);
		if (changed) items.push({ json: { gatewayId, changed: changed as IDataObject, current } });
	}

	if (unread.length > 0) {
		const error = asNodeApiError(context.getNode(), failureOfAll(unread));
		if (isByHand || unread.length === sightings.size) throw error;
		context.__emitError(error);
	}
	if (!isByHand) memory.write(after);
	return items.length > 0 ? [items] : null;
}
