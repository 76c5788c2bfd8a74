import { chain, webhook } from '../../scripts/n8n/workflow.mjs';
import { PEERS } from '../peers/index.mjs';
import { credential, warmCredential } from '../track/credentials.mjs';
import { measuredNode, SETTINGS } from '../track/workflow.mjs';

/** Called before anything is measured: a server is slower at its first execution. */
export const WARM_UPS = ['voiceAdmin', 'httpRequest'].map((peer) => ({
	workflow: `server-warm-up-${peer}`,
	scenario: { operation: 'get' },
	entry: { peer },
	credential: warmCredential(PEERS[peer].credentialType),
}));

/**
 * The workflows and credentials of runs and warm-ups, for importInto.
 * @param {import('../plan.mjs').Run[]} runs
 * @param {{ url: string, token: string }} service
 */
export function contentOf(runs, service) {
	const all = [...WARM_UPS, ...runs];
	const credentials = new Map(all.map((run) => [run.credential, credential(run.credential, PEERS[run.entry.peer].credentialType, service.url)]));
	return { credentials: [...credentials.values()], workflow: all.map((run) => webhookWorkflow(run, service)) };
}

/**
 * The workflow of one run in a server: a webhook that takes items, and replies with what the node gave for each.
 * @param {import('../plan.mjs').Run} run
 * @param {{ url: string, token: string }} service
 */
function webhookWorkflow({ workflow: id, scenario, entry, credential: credentialId }, service) {
	return chain({
		id,
		name: id,
		start: webhook(id),
		nodes: [
			{ name: 'Items', type: 'n8n-nodes-base.splitOut', typeVersion: 1, parameters: { fieldToSplitOut: 'body.items' } },
			measuredNode(scenario, entry, { ...service, credential: credentialId }),
		],
		settings: SETTINGS,
	});
}
