import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { readCredential } from '../transport/auth/credential';
import { failureOfError } from '../transport/failure';
import type { ErrorCode } from '../transport/response/classifyFailure';
import { toNodeApiError } from '../transport/toNodeApiError';
import { detectEvents } from './detectEvents';
import { fetchGateways } from './fetchGateways';
import { combineFailures } from './pollFailures';
import { readState, writeState } from './stateStore';
import { parseWatchSettings } from './watchSettings';

/**
 * The static data of each trigger's last started poll, while in progress in this process. n8n creates new ones when it
 * reloads the workflow.
 */
const currentPolls = new Map<string, IDataObject>();

/**
 * Emits an item for each gateway that changed since the last poll; null if none did. A gateway that could not be read keeps its state, and
 * its error is emitted separately. A manual poll ("Fetch Test Event") emits every gateway as new, and stores nothing.
 */
export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const triggerId = `${this.getWorkflow().id} ${this.getNode().id}`;
	if (this.getMode() === 'manual') return await pollGateways(this, triggerId);
	const staticData = this.getWorkflowStaticData('node');
	// If a poll takes longer than the interval, both would report the same change.
	if (currentPolls.get(triggerId) === staticData) return null;
	currentPolls.set(triggerId, staticData);
	try {
		return await pollGateways(this, triggerId, staticData);
	} finally {
		if (currentPolls.get(triggerId) === staticData) currentPolls.delete(triggerId);
	}
}

/** @param staticData undefined for a manual poll */
async function pollGateways(
	context: IPollFunctions,
	triggerId: string,
	staticData?: IDataObject,
): Promise<INodeExecutionData[][] | null> {
	const { settings, credential } = await readSettings(context);
	const { organizationId, fields } = settings;
	const results = await fetchGateways(context, credential, settings);
	// n8n reloaded the workflow, as after saving: the poll started since sees the same changes.
	if (staticData && currentPolls.get(triggerId) !== staticData) return null;

	const scope = { service: credential.baseUrl, organizationId, fields };
	const { items, failed, after } = detectEvents(results, staticData && readState(staticData, scope), settings);
	if (failed.length > 0) {
		const error = toNodeApiError(context.getNode(), combineFailures(failed));
		// If the first poll failed while n8n starts, n8n would leave the workflow inactive and retry with delays that double up to a
		// day. Users who activate it in the editor need to see the error.
		const startsWithN8n = ['init', 'leadershipChange'].includes(context.getActivationMode());
		if (!staticData || (failed.length === results.size && !startsWithN8n)) throw error;
		context.__emitError(error);
	}
	if (staticData) writeState(staticData, scope, after);
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
