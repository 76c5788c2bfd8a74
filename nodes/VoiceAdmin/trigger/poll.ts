import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { readCredential } from '../transport/auth/credential';
import { failureOfError } from '../transport/failure';
import type { ErrorCode } from '../transport/http/classify';
import { toNodeApiError } from '../transport/toNodeApiError';
import { detectChanges } from './detectChanges';
import { fetchGateways } from './fetchGateways';
import { combineFailures } from './pollFailures';
import { readState, writeState } from './stateStore';
import { parseWatchSettings } from './watchSettings';

/** A poll that is under way. n8n gives a trigger other static data when it loads the workflow again. */
type CurrentPoll = { staticData: IDataObject };

/** The last poll that has begun of each trigger, while it is under way in this process. */
const currentPolls = new Map<string, CurrentPoll>();

/**
 * Gets the gateways and emits an item for each that has changed since the last poll; null when none has. The state of one
 * that could not be read stays as it was, and its error is emitted apart. A poll by hand ("Fetch Test Event") emits every
 * gateway as if it were new and stores nothing.
 */
export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const triggerId = `${this.getWorkflow().id} ${this.getNode().id}`;
	if (this.getMode() === 'manual') return await pollGateways(this, triggerId);
	const currentPoll = { staticData: this.getWorkflowStaticData('node') };
	// When a poll takes longer than the time between two, both would see the same change.
	if (currentPolls.get(triggerId)?.staticData === currentPoll.staticData) return null;
	currentPolls.set(triggerId, currentPoll);
	try {
		return await pollGateways(this, triggerId, currentPoll);
	} finally {
		if (currentPolls.get(triggerId) === currentPoll) currentPolls.delete(triggerId);
	}
}

/** @param currentPoll none for one by hand */
async function pollGateways(context: IPollFunctions, triggerId: string, currentPoll?: CurrentPoll): Promise<INodeExecutionData[][] | null> {
	const { settings, credential } = await readSettings(context);
	const { organizationId, fields } = settings;
	const results = await fetchGateways(context, credential, settings);
	// n8n has loaded the workflow again, as after its user saved it: what this poll sees, the one that began since sees too.
	if (currentPoll && currentPolls.get(triggerId) !== currentPoll) return null;

	const scope = { service: credential.baseUrl, organizationId, fields };
	const { items, failed, after } = detectChanges(results, currentPoll && readState(currentPoll.staticData, scope), settings);
	if (failed.length > 0) {
		const error = toNodeApiError(context.getNode(), combineFailures(failed));
		// As n8n itself starts, it would leave the workflow inactive if the first poll failed, and try again after times that
		// double up to a day. Who activates it in the editor is to see the error.
		const startsWithN8n = ['init', 'leadershipChange'].includes(context.getActivationMode());
		if (!currentPoll || (failed.length === results.size && !startsWithN8n)) throw error;
		context.__emitError(error);
	}
	if (currentPoll) writeState(currentPoll.staticData, scope, after);
	return items.length > 0 ? [items] : null;
}

async function readSettings(context: IPollFunctions) {
	let code: ErrorCode = 'invalid_parameter';
	try {
		const settings = parseWatchSettings((name) => context.getNodeParameter(name, null));
		code = 'invalid_credential';
		return { settings, credential: await readCredential(context) };
	} catch (error) {
		throw toNodeApiError(context.getNode(), failureOfError(error, code));
	}
}
