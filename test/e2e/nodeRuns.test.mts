import { chain, type WorkflowNode } from '../../scripts/n8n/workflow.mts';
import { inN8n, NODE } from '../support/n8n/scenario.mts';
import { addCustomer } from '../support/operations';

const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 };

const { scenario } = inN8n();

const vatNumbers = (records: Array<{ vatNumber?: unknown }>) => records.map(({ vatNumber }) => vatNumber).sort();
const to = (node: string) => [{ node, type: 'main', index: 0 }];
const CREATE = addCustomer('={{ $json.vat ?? $json.vatNumber }}');
const customerOfItem = { parameters: CREATE, settings: RETRY };

const LOOP: WorkflowNode = { name: 'Loop', type: 'n8n-nodes-base.splitInBatches', typeVersion: 3, parameters: { batchSize: 2, options: {} } };

/** A node that runs a sub-workflow, whose one node is the same as the scenario's, with the items that it is given. */
function subWorkflow(name: string): WorkflowNode {
	const passThrough = { inputSource: 'passthrough' };
	const start = { name: 'Called', type: 'n8n-nodes-base.executeWorkflowTrigger', typeVersion: 1.1, parameters: passThrough };
	const credentials = { voiceAdminApi: { id: 'CREDENTIAL', name } };
	const node = { name: NODE, type: 'n8n-nodes-voice-admin.voiceAdmin', typeVersion: 1, parameters: CREATE, ...RETRY, credentials };
	// Without an id of its own: n8n has it run as a part of its caller.
	const { nodes, connections } = chain({ id: '', name, start, nodes: [node] });
	const parameters = { source: 'parameter', workflowJson: JSON.stringify({ nodes, connections }), mode: 'once', options: {} };
	return { name, type: 'n8n-nodes-base.executeWorkflow', typeVersion: 1.2, parameters };
}

describe('a node that runs several times in an execution, under Retry On Fail', () => {
	scenario(
		"in n8n's loop: each pass creates what it has, also where the same item had the same VAT number in the pass before",
		{
			...customerOfItem,
			items: ['A', 'B', 'A', 'C'].map((vat) => ({ vat })),
			after: {
				nodes: [LOOP],
				connections: { Items: { main: [to('Loop')] }, Loop: { main: [[], to(NODE)] }, [NODE]: { main: [to('Loop')] } },
			},
			// Each pass has a second attempt, in which the first item is not created again.
			faults: { rules: [{ fault: 'http400', bodyContains: '"B"', count: 1 }, { fault: 'http400', bodyContains: '"C"', count: 1 }] },
		},
		({ runData, state }) => {
			const passes = runData[NODE]!.map(({ data }) => vatNumbers(data!.main![0]!.map(({ json }) => json)));
			expect(passes).toEqual([['A', 'B'], ['A', 'C']]);
			expect(vatNumbers(state.customers)).toEqual(['A', 'A', 'B', 'C']);
		},
	);

	scenario(
		'and again in a sub-workflow: it creates there what it is given, whatever the node of the same name has created before',
		{
			...customerOfItem,
			items: ['A', 'B'].map((vat) => ({ vat })),
			after: {
				nodes: [subWorkflow('Sub')],
				connections: { [NODE]: { main: [to('Sub')] } },
			},
			// The second one is rejected once in the workflow and once in the sub-workflow.
			faults: { rules: [{ fault: 'http400', bodyContains: '"B"', count: 1 }, { fault: 'http400', bodyContains: '"B"', after: 2, count: 1 }] },
		},
		({ runData, output, state }) => {
			expect(vatNumbers(output)).toEqual(['A', 'B']);
			expect(vatNumbers(runData.Sub![0]!.data!.main![0]!.map(({ json }) => json))).toEqual(['A', 'B']);
			expect(vatNumbers(state.customers)).toEqual(['A', 'A', 'B', 'B']);
		},
	);
});
