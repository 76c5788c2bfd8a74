import { chainNodes, createWebhook } from '../../scripts/n8n/workflow.mts';
import { type ContenderId, CONTENDERS, createHarness, type Scenario, type Variant } from '../scenarios.mts';

/** The names of the measured node and of the last one, in every workflow. */
export const MEASURED_NODE = 'Measured';
export const FINISH_NODE = 'Finish Run';

/** Executions aren't saved: that would take n8n time. */
const settings = { saveDataSuccessExecution: 'none', saveDataErrorExecution: 'none' };

/** A run of a variant. workflow, credential: ids in n8n */
export interface Run {
	scenario: Scenario;
	variant: Variant;
	workflow: string;
	credential?: string;
}

/** @param id of its workflow and credential: at most 36 characters, n8n's limit in PostgreSQL */
export function createRun(id: string, round: number, scenario: Scenario, variant: Variant): Run {
	const { credentialType } = CONTENDERS[variant.contender];
	// In a server, each run has an unused credential, as the node remembers rate limits and tokens per key.
	const workflow = scenario.inServer ? `${id}-${round}` : id;
	const credential = credentialType && (scenario.inServer ? workflow : `of-${credentialType}`);
	return { scenario, variant, workflow, credential };
}

/** A run before the others: the first execution in a server is slower. */
export function createWarmUpRun(contender: ContenderId): Run {
	const scenario: Scenario = { title: '', operation: 'get', items: 1, latency: 0, inServer: true, variants: [] };
	return createRun(`warm-up-${contender}`, 1, scenario, { id: contender, name: contender, contender });
}

/** Workflows and credentials of runs, for importInto. @param url of the service */
export function createImportContent(runs: Run[], url: string) {
	const credentials = new Map(
		runs.flatMap(({ variant, credential: id }) => {
			const data = { environment: 'production', baseUrl: url, clientId: id, clientSecret: 'bench-key-not-a-secret' };
			return id ? [[id, { id, name: id, type: CONTENDERS[variant.contender].credentialType, data }]] : [];
		}),
	);
	const workflows = new Map(runs.map((run) => [run.workflow, createWorkflow(run, url)]));
	return { credentials: [...credentials.values()], workflow: [...workflows.values()] };
}

/**
 * In a server, a webhook that receives items and responds with the node's results; otherwise, harness nodes that make
 * the items and count the results.
 */
function createWorkflow(run: Run, url: string) {
	const { scenario, workflow: id } = run;
	const node = createMeasuredNode(run, url);
	if (scenario.inServer) {
		const parameters = { fieldToSplitOut: 'body.items' };
		const items = { name: 'Items', type: 'n8n-nodes-base.splitOut', typeVersion: 1, parameters };
		return chainNodes({ id, name: id, start: createWebhook(id), nodes: [items, node], settings });
	}
	const startNode = { name: 'Start Run', ...createHarness({ step: 'start', items: scenario.items }) };
	const finishNode = { name: FINISH_NODE, ...createHarness({ step: 'finish' }) };
	return chainNodes({ id, name: id, nodes: [startNode, node, finishNode], settings });
}

function createMeasuredNode({ scenario, variant, credential }: Run, url: string) {
	const { credentialType, createNode } = CONTENDERS[variant.contender];
	return {
		name: MEASURED_NODE,
		...createNode(scenario.operation, url),
		...(credentialType && { credentials: { [credentialType]: { id: credential, name: credential } } }),
		// If the service rejects some requests, lost items are counted; otherwise n8n's default applies.
		...(scenario.perSecond && { onError: 'continueRegularOutput' }),
	};
}
