import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { FaultRule, Sandbox } from '../../sandbox';
import { credentialFor } from '../support/executor/credentialStore';
import { faultsNotInjected } from '../support/faults';
import { sharedServer, startOwnSandbox } from '../support/n8n/n8n.mts';
import { chainNodes } from '../../scripts/n8n/workflow.mts';
import { itemsOf } from '../support/n8n/workflow.mts';
import { addCustomer, numbered } from '../support/operations';

const NODE = 'Create customers';

let sandbox: Sandbox;

beforeEach(async () => (sandbox = await startOwnSandbox()));
afterEach(async () => {
	expect(faultsNotInjected(sandbox)).toEqual([]);
	await sandbox.close();
});

const created = () => sandbox.getRecordsAndCounters().customers.map(({ vatNumber }) => vatNumber);
const parameters = (options: INodeParameters = {}) =>
	addCustomer('={{ "C" + $json.n }}', { options: { maxConcurrency: 1, ...options } });

/** Stores a workflow that creates five customers, one after the other; the third gets the fault. */
async function fiveCustomers(name: string, fault: Partial<FaultRule>, more: object = {}, settings = {}) {
	sandbox.setFaults([{ ...fault, bodyContains: '"C2"', count: 1 } as FaultRule]);
	const server = sharedServer();
	const data = credentialFor(sandbox.url);
	const credentials = {
		voiceAdminApi: { id: await server.create('credentials', { name, type: 'voiceAdminApi', data }), name },
	};
	const type = 'n8n-nodes-voice-admin.voiceAdmin';
	const node = { name: NODE, type, typeVersion: 1, parameters: parameters(), credentials, ...more };
	const workflow = chainNodes({ id: name, name, nodes: [...itemsOf(numbered(5)), node], settings });
	const id = await server.create('workflows', workflow);
	/** Changes the node of the stored workflow. */
	const change = async (changes: object) => {
		const { versionId } = await server.rest<{ versionId: string }>('GET', `/workflows/${id}`);
		const nodes = workflow.nodes.map((each) => (each.name === NODE ? { ...each, ...changes } : each));
		await server.rest('PATCH', `/workflows/${id}`, { versionId, nodes, connections: workflow.connections });
	};
	return { server, workflow, id, change };
}

const outputOf = ({ runData }: { runData: Awaited<ReturnType<ReturnType<typeof sharedServer>['run']>>['runData'] }) =>
	(runData[NODE]?.at(-1)?.data?.main?.[0] ?? []).map(
		({ json }) => (json.error as IDataObject | undefined)?.outcome ?? json.vatNumber,
	);

describe("n8n's Retry of an execution whose third of five customers", () => {
	test('was rejected creates each once, and gives all five', async () => {
		const { server, id } = await fiveCustomers('rejected', { fault: 'http', status: 400 });
		const failed = await server.run(id, 'Start');
		expect(failed.error?.description).toContain('Created before the run stopped: items 0 to 1 (counted from 0)');
		expect(created()).toEqual(['C0', 'C1']);
		const retried = await server.retry(failed.id);
		expect([retried.status, outputOf(retried)]).toEqual(['success', ['C0', 'C1', 'C2', 'C3', 'C4']]);
		expect(created()).toEqual(['C0', 'C1', 'C2', 'C3', 'C4']);
		expect(retried.context[`node:${NODE}`]).toEqual({});
	});

	test('is rejected again creates nobody, however often a person retries the same execution', async () => {
		const { server, id, change } = await fiveCustomers('again', { fault: 'http', status: 400 });
		await change({ parameters: addCustomer('={{ "C" + $json.n }}', { options: { maxConcurrency: 2 } }) });
		sandbox.setFaults([{ fault: 'http', status: 400, bodyContains: '"C2"', count: 3 }]);
		const failed = await server.run(id, 'Start');
		const first = created().sort();
		for (const _ of [1, 2]) expect((await server.retry(failed.id)).status).toBe('error');
		expect(created().sort()).toEqual(first);
		expect((await server.retry(failed.id)).status).toBe('success');
		expect(created().sort()).toEqual(['C0', 'C1', 'C2', 'C3', 'C4']);
	});

	test('may exist sends nothing and names it, until a person sets On Error to continue', async () => {
		const { server, id, change } = await fiveCustomers('may exist', { fault: 'http', status: 500, processed: true });
		const failed = await server.run(id, 'Start');
		const retried = await server.retry(failed.id);
		expect(retried.error?.message).toContain('The customer with VAT number C2 may already exist');
		expect(retried.error?.description).toContain('Created before the run stopped: items 0 to 1 (counted from 0)');
		expect(created()).toEqual(['C0', 'C1', 'C2']);
		await change({ onError: 'continueRegularOutput' });
		const decided = await server.retry(retried.id, true);
		expect(outputOf(decided)).toEqual(['C0', 'C1', 'unknown', 'C3', 'C4']);
		expect(created()).toEqual(['C0', 'C1', 'C2', 'C3', 'C4']);
	});
});

test('an error output that leads back to the node creates no customer twice', async () => {
	const again = {
		name: 'Twice',
		type: 'n8n-nodes-base.if',
		typeVersion: 2.2,
		parameters: {
			conditions: {
				options: { version: 2, caseSensitive: true, leftValue: '', typeValidation: 'loose' },
				combinator: 'and',
				conditions: [
					{ id: '1', leftValue: '={{ $runIndex }}', rightValue: 2, operator: { type: 'number', operation: 'lt' } },
				],
			},
			options: {},
		},
	};
	const fault = { fault: 'http', status: 500, processed: true } as const;
	const { server, workflow, id } = await fiveCustomers('wired back', fault, {
		onError: 'continueErrorOutput',
		parameters: addCustomer('={{ "C" + $json.n }}'),
	});
	const { versionId } = await server.rest<{ versionId: string }>('GET', `/workflows/${id}`);
	const to = (node: string) => [{ node, type: 'main', index: 0 }];
	await server.rest('PATCH', `/workflows/${id}`, {
		versionId,
		nodes: [...workflow.nodes, { id: 'again', position: [0, 0], ...again }],
		connections: { ...workflow.connections, [NODE]: { main: [[], to('Twice')] }, Twice: { main: [to(NODE)] } },
	});
	const { runData } = await server.run(id, 'Start');
	expect(runData[NODE]).toHaveLength(3);
	expect(created().sort()).toEqual(['C0', 'C1', 'C2', 'C3', 'C4']);
});
