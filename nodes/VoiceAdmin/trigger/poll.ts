import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { serviceUrl } from '../transport/auth/credential';
import { asNodeApiError, failureOf } from '../transport/http/errors';
import { Attempt } from '../execution/nodeRun';
import { settingsOf } from '../transport/settings';
import { failureOfAll, type Unread } from './pollErrors';
import { lookAt } from './fetchGateways';
import { Memory, type Snapshots } from './stateStore';
import { changesSince } from './snapshot';
import { watchedBy } from './watchSettings';

/** A poll that is under way. */
interface Poll {
	/** What it remembers in: n8n gives a trigger another one when the workflow is loaded anew. */
	memory: IDataObject;
	/** Whether one of the workflow as it was loaded since has begun. */
	isSuperseded: boolean;
}

/** Polls that are under way in this process, by trigger. */
const polls = new Map<string, Poll>();

/**
 * Looks at the gateways and gives an item for each that has changed since the last poll; null when none has.
 *
 * What could not be read is left as it was remembered, and told as an error of its own, so that it does not
 * hide what has changed elsewhere. A poll by hand ("Fetch Test Event") gives every gateway as if it were new and
 * remembers nothing.
 */
export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const trigger = `${this.getWorkflow().id} ${this.getNode().id}`;
	if (this.getMode() === 'manual') return await changes(this);
	const own: Poll = { memory: this.getWorkflowStaticData('node'), isSuperseded: false };
	const running = polls.get(trigger);
	// A poll that takes longer than the time between two would let both see the same change.
	if (running?.memory === own.memory) return null;
	// n8n has loaded the workflow anew, as after its user saved it: what the old one sees, this one sees too.
	if (running) running.isSuperseded = true;
	polls.set(trigger, own);
	try {
		return await changes(this, own);
	} finally {
		if (polls.get(trigger) === own) polls.delete(trigger);
	}
}

/** @param own the poll; none for one by hand */
async function changes(context: IPollFunctions, own?: Poll): Promise<INodeExecutionData[][] | null> {
	const read = (name: string): unknown => context.getNodeParameter(name, null);
	const attempt = new Attempt();
	let watched, settings, service;
	try {
		watched = watchedBy(read);
		settings = settingsOf(read);
		service = serviceUrl((await attempt.signIn(context)).credential);
	} catch (error) {
		throw asNodeApiError(context.getNode(), failureOf(error));
	}
	const { organizationId, fields, emitOnFirstPoll } = watched;
	const sightings = await lookAt(context, attempt, watched, settings);
	if (own?.isSuperseded) return null;

	const memory = own && new Memory(own.memory, { service, organizationId, fields });
	const before: Snapshots = memory?.read() ?? new Map();
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
		const { current, snapshot } = sighting;
		after.set(gatewayId, snapshot);
		if (known === undefined && !emitOnFirstPoll && own) continue;
		const changed = changesSince(known, current, fields);
		if (changed) items.push({ json: { gatewayId, changed: changed as IDataObject, current } });
	}

	if (unread.length > 0) {
		const error = asNodeApiError(context.getNode(), failureOfAll(unread));
		if (!own || unread.length === sightings.size) throw error;
		context.__emitError(error);
	}
	memory?.write(after);
	return items.length > 0 ? [items] : null;
}
