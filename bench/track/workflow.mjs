import { chain } from '../../scripts/n8n/workflow.mjs';
import { isoCodes } from '../conditions/iso-codes.mjs';
import { PEERS } from '../peers/index.mjs';
import { inLoop } from './loop.mjs';

/** The name that the measured node has in every workflow. */
export const MEASURED = 'Measured';
export const STARTING_LINE = 'Starting Line';
export const FINISH_LINE = 'Finish Line';

/** Nothing is stored of an execution, which would take n8n time. */
export const SETTINGS = { saveDataSuccessExecution: 'none', saveDataErrorExecution: 'none' };

const track = (name, parameters = {}) => ({ name, type: `n8n-nodes-bench-track.${name[0].toLowerCase()}${name.slice(1).replace(' ', '')}`, typeVersion: 1, parameters });

/**
 * The workflow of one run: items, the measured node, and what counts its output.
 * @param {string} id
 * @param {import('../scenarios.mjs').Scenario} scenario
 * @param {import('../conditions/entries.mjs').Entry} entry one with a peer
 * @param {{ url: string, token: string, credential?: string }} world url: of the service; token: one that it takes; credential: its id
 */
export function workflowFor(id, scenario, entry, world) {
	const items = entry.countriesOfOneItem ? 1 : (entry.items ?? scenario.items);
	const workflow = chain({
		id,
		name: id,
		nodes: [track(STARTING_LINE, { items }), measuredNode(scenario, entry, world), track(FINISH_LINE)],
		settings: SETTINGS,
	});
	return scenario.loopOf ? inLoop(workflow, scenario.loopOf) : workflow;
}

/** The node of an entry; the parameters are those of {@link workflowFor}. */
export function measuredNode(scenario, { peer, countriesOfOneItem, inFlight, batching }, { url, token, credential }) {
	const { credentialType, node } = PEERS[peer];
	const countries = countriesOfOneItem && isoCodes(countriesOfOneItem).join(',');
	return {
		name: MEASURED,
		...node(scenario.operation, { url, token, countries, inFlight, batching }),
		...(credential && { credentials: { [credentialType]: { id: credential, name: credential } } }),
		// Where the service rejects some, it is counted what is lost; elsewhere n8n's default holds.
		...(scenario.perSecond && { onError: 'continueRegularOutput' }),
	};
}
