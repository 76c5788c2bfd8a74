import type { WorkflowNode } from '../../scripts/n8n/workflow.mts';
import { inN8n, NODE } from '../support/n8n/scenario.mts';
import { subWorkflow } from '../support/n8n/subWorkflow.mts';
import { addCustomer } from '../support/operations';

const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 };

const { scenario } = inN8n();

const vatNumbers = (records: Array<{ vatNumber?: unknown }>) => records.map(({ vatNumber }) => vatNumber).sort();
const to = (node: string) => [{ node, type: 'main', index: 0 }];
const customerOfItem = { parameters: addCustomer('={{ $json.vat ?? $json.vatNumber }}'), settings: RETRY };

const LOOP: WorkflowNode = { name: 'Loop', type: 'n8n-nodes-base.splitInBatches', typeVersion: 3, parameters: { batchSize: 2, options: {} } };

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
				nodes: [subWorkflow('Sub', { name: NODE, ...customerOfItem })],
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
