import { chain, webhook } from '../../test/support/n8n/workflow.mts';
import { type ContenderId, CONTENDERS, harness, type Scenario, type Variant } from '../scenarios.mts';

/** The names of the node that is measured and of the last one, in every workflow. */
export const MEASURED = 'Measured';
export const FINISH = 'Finish Run';

/** Nothing is stored of an execution, which would take n8n time. */
const settings = { saveDataSuccessExecution: 'none', saveDataErrorExecution: 'none' };

/** One run of one variant. workflow, credential: their ids in n8n */
export interface Run {
	scenario: Scenario;
	variant: Variant;
	workflow: string;
	credential?: string;
}

/** @param id of its workflow and credential: of 36 characters at most, n8n's own limit in a PostgreSQL */
export function runOf(id: string, round: number, scenario: Scenario, variant: Variant): Run {
	const { credentialType } = CONTENDERS[variant.contender];
	// In a server each has a credential that nobody has used, as the node remembers what it has learned of a key.
	const workflow = scenario.inServer ? `${id}-${round}` : id;
	return { scenario, variant, workflow, credential: credentialType && (scenario.inServer ? workflow : `of-${credentialType}`) };
}

/** A run before the others: a server is slower at its first execution. */
export function warmUp(contender: ContenderId): Run {
	const scenario: Scenario = { title: '', operation: 'get', items: 1, latency: 0, inServer: true, variants: [] };
	return runOf(`warm-up-${contender}`, 1, scenario, { id: contender, name: contender, contender });
}

/** The workflows and credentials of runs, for importInto. @param url of the service */
export function contentOf(runs: Run[], url: string) {
	const credentials = new Map(runs.flatMap(({ variant, credential: id }) => {
		const data = { environment: 'production', baseUrl: url, clientId: id, clientSecret: 'bench-key-not-a-secret' };
		return id ? [[id, { id, name: id, type: CONTENDERS[variant.contender].credentialType, data }]] : [];
	}));
	const workflows = new Map(runs.map((run) => [run.workflow, workflowOf(run, url)]));
	return { credentials: [...credentials.values()], workflow: [...workflows.values()] };
}

/** In a server, a webhook that takes items, and replies with what the node gave for each; otherwise items that n8n makes, and counts when they come out. */
function workflowOf(run: Run, url: string) {
	const { scenario, workflow: id } = run;
	const measured = measuredNode(run, url);
	if (scenario.inServer) {
		const items = { name: 'Items', type: 'n8n-nodes-base.splitOut', typeVersion: 1, parameters: { fieldToSplitOut: 'body.items' } };
		return chain({ id, name: id, start: webhook(id), nodes: [items, measured], settings });
	}
	const make = { name: 'Start Run', ...harness({ step: 'start', items: scenario.items }) };
	return chain({ id, name: id, nodes: [make, measured, { name: FINISH, ...harness({ step: 'finish' }) }], settings });
}

function measuredNode({ scenario, variant, credential }: Run, url: string) {
	const { credentialType, node } = CONTENDERS[variant.contender];
	return {
		name: MEASURED,
		...node(scenario.operation, url),
		...(credentialType && { credentials: { [credentialType]: { id: credential, name: credential } } }),
		// Where the service rejects some, it is counted what is lost; elsewhere n8n's default holds.
		...(scenario.perSecond && { onError: 'continueRegularOutput' }),
	};
}
