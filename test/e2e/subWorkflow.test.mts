import { chain } from '../../scripts/n8n/workflow.mts';
import { NODE, scenario } from '../support/n8n/scenario.mts';
import { addCustomer } from '../support/operations';

const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 };

const vatNumbers = (records: Array<{ vatNumber?: unknown }>) => records.map(({ vatNumber }) => vatNumber).sort();
const CREATE = addCustomer('={{ $json.vat ?? $json.vatNumber }}');

/** A node that runs a sub-workflow, whose one node is the same as the scenario's, with the items that it is given. */
function subWorkflow(name: string) {
	const passThrough = { inputSource: 'passthrough' };
	const start = { name: 'Called', type: 'n8n-nodes-base.executeWorkflowTrigger', typeVersion: 1.1, parameters: passThrough };
	const credentials = { voiceAdminApi: { id: 'CREDENTIAL', name } };
	const node = { name: NODE, type: 'n8n-nodes-voice-admin.voiceAdmin', typeVersion: 1, parameters: CREATE, ...RETRY, credentials };
	// Without an id of its own: n8n has it run as a part of its caller.
	const { nodes, connections } = chain({ id: '', name, start, nodes: [node] });
	const parameters = { source: 'parameter', workflowJson: JSON.stringify({ nodes, connections }), mode: 'once', options: {} };
	return { name, type: 'n8n-nodes-base.executeWorkflow', typeVersion: 1.2, parameters };
}

// In n8n's loop: test/executor/workflows.
scenario(
	'under Retry On Fail a node creates in a sub-workflow what it is given, whatever the node of the same name has created before',
	{
		parameters: CREATE,
		settings: RETRY,
		items: ['A', 'B'].map((vat) => ({ vat })),
		after: { nodes: [subWorkflow('Sub')], connections: { [NODE]: { main: [[{ node: 'Sub', type: 'main', index: 0 }]] } } },
		// The second one is rejected once in the workflow and once in the sub-workflow.
		faults: { rules: [{ fault: 'http400', bodyContains: '"B"', count: 1 }, { fault: 'http400', bodyContains: '"B"', after: 2, count: 1 }] },
	},
	({ runData, output, sandbox }) => {
		expect(vatNumbers(output)).toEqual(['A', 'B']);
		expect(vatNumbers(runData.Sub![0]!.data!.main![0]!.map(({ json }) => json))).toEqual(['A', 'B']);
		expect(vatNumbers(sandbox.state().customers)).toEqual(['A', 'A', 'B', 'B']);
	},
);
