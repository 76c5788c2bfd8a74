import type { IConnections, INodeExecutionData, INodeType, IRun } from 'n8n-workflow';
import {
	addCustomer,
	credentialFor,
	executeWorkflow,
	getGateway,
	nodeOf,
	numbered,
	RETRY,
	setPremium,
	voiceAdmin,
} from '../support/executor';
import { sandbox } from '../support/executor/sandboxOfEachTest';

const created = () =>
	sandbox
		.getRecordsAndCounters()
		.customers.map(({ vatNumber }) => vatNumber)
		.sort();

/** VAT numbers that a node gave, run by run. */
const givenBy = ({ data }: IRun, node: string) =>
	data.resultData.runData[node]!.map((run) => run.data?.main?.[0]?.map(({ json }) => json.vatNumber));

/** A rule that rejects the create of a VAT number once. */
const rejectOnce = (vatNumber: string, after = 0) =>
	({ fault: 'http', status: 400, bodyContains: `"${vatNumber}"`, after, count: 1 }) as const;

describe('nodes one after the other', () => {
	test('know which item comes from which, where one of them gives several for one', async () => {
		const nodes = [
			voiceAdmin('First', getGateway('={{ $json.n + 1 }}')),
			voiceAdmin('Second', setPremium(1001, 'IT, FR')),
			voiceAdmin('Third', addCustomer("={{ $('First').item.json.name }} in {{ $('Second').item.json.iso }}")),
		];
		const { run } = await executeWorkflow({ items: numbered(3), nodes, credential: credentialFor(sandbox.url) });
		const names = ['Milano Elastic 1', 'Milano PBX', 'Milano Carrier'];
		expect(givenBy(run, 'Third')).toEqual([names.flatMap((name) => [`${name} in IT`, `${name} in FR`])]);
	});

	test('each create what they are given under Retry On Fail, also where an item before had the same VAT number there', async () => {
		// In the first try of each: what the first creates comes before all of the second.
		sandbox.setFaults([rejectOnce('C1'), rejectOnce('C2', 1)]);
		const nodes = [
			voiceAdmin('First', addCustomer('={{ "C" + $json.n }}'), RETRY),
			voiceAdmin('Second', addCustomer("={{ $('First').item.json.vatNumber }}"), RETRY),
		];
		const { run } = await executeWorkflow({ items: numbered(3), nodes, credential: credentialFor(sandbox.url) });
		expect([givenBy(run, 'First'), givenBy(run, 'Second')]).toEqual([[['C0', 'C1', 'C2']], [['C0', 'C1', 'C2']]]);
		expect(created()).toEqual(['C0', 'C0', 'C1', 'C1', 'C2', 'C2']);
	});
});

describe('a node in a loop', () => {
	/** Gives two of its items a pass, as n8n's Loop Over Items does. */
	const loop = {
		description: {
			displayName: '',
			name: 'loop',
			group: [],
			version: 1,
			description: '',
			defaults: {},
			properties: [],
			inputs: ['main'],
			outputs: ['main', 'main'],
		},
		async execute(this) {
			const state = this.getContext('node') as { left?: INodeExecutionData[] };
			const [pass, left] = [
				(state.left ?? this.getInputData()).slice(0, 2),
				(state.left ?? this.getInputData()).slice(2),
			];
			state.left = left;
			return pass.length > 0 ? [[], pass] : [pass, []];
		},
	} as INodeType;

	const to = (node: string) => [{ node, type: 'main', index: 0 }] as const;

	const inPasses = async (vatNumbers: string[]) =>
		await executeWorkflow({
			items: vatNumbers.map((vat) => ({ vat })),
			nodes: [nodeOf('Loop', 'loop'), voiceAdmin('Voice Admin', addCustomer('={{ $json.vat }}'), RETRY)],
			connections: {
				Loop: { main: [[], to('Voice Admin')] },
				'Voice Admin': { main: [to('Loop')] },
			} as unknown as IConnections,
			types: { loop },
			credential: credentialFor(sandbox.url),
		});

	test('creates in each pass what that pass has, also where the same item had the same VAT number in the pass before', async () => {
		// Each pass has a second try, in which the first item is not created again.
		sandbox.setFaults([rejectOnce('B'), rejectOnce('C')]);
		const { run } = await inPasses(['A', 'B', 'A', 'C']);
		expect(run.data.resultData.error).toBeUndefined();
		expect(givenBy(run, 'Voice Admin')).toEqual([
			['A', 'B'],
			['A', 'C'],
		]);
		expect(created()).toEqual(['A', 'A', 'B', 'C']);
	});

	test('stops at a create with an unknown outcome, which its second try does not send again', async () => {
		sandbox.setFaults([{ fault: 'resetAfter', bodyContains: '"B"', count: 1 }]);
		const { run } = await inPasses(['A', 'B', 'C', 'D']);
		expect(run.data.resultData.error?.description).toContain('Look for the customer with VAT number B in');
		expect(created().filter((vatNumber) => vatNumber !== 'A')).toEqual(['B']);
		expect(sandbox.getRequests().filter(({ fault }) => fault === 'resetAfter')).toHaveLength(1);
	});
});
