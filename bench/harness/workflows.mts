import { chain, webhook } from '../../scripts/n8n/workflow.mts';
import { CONTENDERS } from '../contenders.mts';
import type { Run } from '../plan.mts';

/** The names of the nodes around the one that is measured, which has the same name in every workflow. */
export const START = 'Start Run';
export const MEASURED = 'Measured';
export const FINISH = 'Finish Run';

/** Nothing is stored of an execution, which would take n8n time. */
const settings = { saveDataSuccessExecution: 'none', saveDataErrorExecution: 'none' };

/** Texts in the form of a country's ISO code, AA to ZZ, but for those that the node knows not to be one: the service does not look them up. */
const ISO_CODES = Array.from({ length: 26 * 26 }, (_, n) => String.fromCharCode(65 + Math.floor(n / 26), 65 + (n % 26))).filter((code) => !['EL', 'UK'].includes(code));

const isoCodes = (count = ISO_CODES.length) => ISO_CODES.slice(0, count).join(',');

/** How a service is reached; token: one that it takes. */
export type Service = Record<'url' | 'token', string>;

/** The workflows and credentials of runs, for importInto. */
export function contentOf(runs: Run[], service: Service) {
	const credentials = new Map(runs.flatMap((run) => (run.credential ? [[run.credential, credentialOf(run, run.credential, service)]] : [])));
	const workflows = new Map(runs.map((run) => [run.workflow, run.scenario.server ? webhookWorkflow(run, service) : executedWorkflow(run, service)]));
	return { credentials: [...credentials.values()], workflow: [...workflows.values()] };
}

function credentialOf({ variant }: Run, id: string, { url }: Service) {
	const data = { environment: 'production', baseUrl: url, clientId: id, clientSecret: 'bench-key-not-a-secret' };
	return { id, name: id, type: CONTENDERS[variant.contender].credentialType, data };
}

/** Items, the measured node, and what counts its output. */
function countedNodes(run: Run, service: Service) {
	const { scenario, variant } = run;
	const items = variant.countriesOfOneItem ? 1 : (variant.items ?? scenario.items);
	const harness = (name: string, parameters: object) => ({ name, type: 'n8n-nodes-bench-harness.harness', typeVersion: 1, parameters });
	return [harness(START, { step: 'start', items, isoCodes: isoCodes() }), measuredNode(run, service), harness(FINISH, { step: 'finish' })];
}

function executedWorkflow(run: Run, service: Service) {
	return chain({ id: run.workflow, name: run.workflow, nodes: countedNodes(run, service), settings });
}

/**
 * A webhook that takes items, and replies with what the node gave for each. Where n8n's health is asked, n8n makes and
 * counts the items: to read and write them as JSON would keep it busy, whatever the node.
 */
function webhookWorkflow(run: Run, service: Service) {
	const { scenario, workflow: id } = run;
	const items = { name: 'Items', type: 'n8n-nodes-base.splitOut', typeVersion: 1, parameters: { fieldToSplitOut: 'body.items' } };
	const nodes = scenario.healthEveryMs ? countedNodes(run, service) : [items, measuredNode(run, service)];
	return chain({ id, name: id, start: webhook(id), nodes, settings });
}

function measuredNode({ scenario, variant, credential }: Run, service: Service) {
	const { credentialType, node } = CONTENDERS[variant.contender];
	const countries = variant.countriesOfOneItem ? isoCodes(variant.countriesOfOneItem) : undefined;
	return {
		name: MEASURED,
		...node(scenario.operation, { ...service, countries, batching: variant.batching }),
		...(credentialType && { credentials: { [credentialType]: { id: credential, name: credential } } }),
		// Where the service rejects some, it is counted what is lost; elsewhere n8n's default holds.
		...(scenario.perSecond && { onError: 'continueRegularOutput' }),
	};
}
