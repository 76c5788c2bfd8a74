import type { ICredentialDataDecryptedObject, IDataObject, INode, INodeParameters } from 'n8n-workflow';
import type { FaultRule, Sandbox } from '../../../sandbox';
import { executeWorkflow, type NodeRun, type NodeOutput, outcomeOf } from '../../../scripts/n8n/cli.mts';
import { findSecrets } from '../../../scripts/n8n/credentials.mts';
import { chainNodes } from '../../../scripts/n8n/workflow.mts';
import { itemsOf } from './workflow.mts';
import { credentialFor } from '../executor/credentialStore';
import { faultsNotInjected } from '../faults';
import { linesOf, n8n, sharedServer, SHOWN, startOwnSandbox, withEvidence } from './n8n.mts';

/** A node after the items, run once in a real n8n. `SERVICE` becomes the sandbox's address, `CREDENTIAL` the credential's id. */
export interface Scenario {
	/** A row gives an item; one empty item unless told. */
	items?: IDataObject[];
	/** Parameters of the Voice Admin node; values may be expressions. */
	parameters?: INodeParameters;
	/** Settings of the node: onError, retryOnFail, maxTries … */
	settings?: Partial<INode>;
	/** What comes after the node, whose name is `NODE`, or is attached to it. */
	after?: { nodes: Array<{ name: string } & object>; connections: object };
	/** Another node than Voice Admin, with the same credential; a trigger is what the workflow starts with. */
	node?: { type: string; typeVersion: number; parameters: INodeParameters };
	/** Fields of the credential that differ from the demo's. */
	credential?: Partial<ICredentialDataDecryptedObject>;
	/** What goes wrong in the sandbox. */
	faults?: FaultRule[];
	/** Runs in a process of its own, by `n8n execute`, with these environment variables; otherwise in the shared server. */
	ownProcess?: Record<string, string>;
}

/** What came of it. */
interface Ran {
	/** JSON of the items on the main output that are no errors. */
	output: IDataObject[];
	/** The error on which the node stopped, or those of its items, as n8n shows them. */
	errors: NodeOutput['errors'];
	/** What each node gave, run by run. */
	runData: Record<string, NodeRun[]>;
	/** What n8n printed while it ran; in a process of its own, the execution as well. */
	log: string;
	/** Which it ran against. */
	sandbox: Sandbox;
}

export const NODE = 'The node';

/** Registers a test that runs a workflow in a real n8n against a sandbox of its own. */
export function scenario(
	name: string,
	given: Scenario | (() => Scenario),
	check: (ran: Ran) => Promise<void> | void,
): void {
	test(name, async () => {
		const scenario = typeof given === 'function' ? given() : given;
		const sandbox = await startOwnSandbox();
		try {
			sandbox.setFaults(scenario.faults ?? []);
			const { runData, printed, log } = await run(name, scenario, sandbox.url);
			const output = (runData[NODE]?.[0]?.data?.main?.[0] ?? [])
				.filter((item) => !item.error && !item.json.error)
				.map(({ json }) => json as IDataObject);
			const { errors } = outcomeOf(runData[NODE]);
			await withEvidence(
				async () => {
					expect(findSecrets(printed)).toEqual([]);
					await check({ output, errors, runData, log, sandbox });
					expect(faultsNotInjected(sandbox)).toEqual([]);
				},
				() =>
					[
						'Errors of the node:',
						...errors.slice(0, SHOWN).map((error) => JSON.stringify(error)),
						linesOf(sandbox.getRequests()),
					].join('\n'),
			);
		} finally {
			await sandbox.close();
		}
	});
}

/** Runs the workflow of a scenario to its end. @returns also all that is to have no secret in it */
async function run(
	name: string,
	given: Scenario,
	url: string,
): Promise<Pick<Ran, 'runData' | 'log'> & { printed: string }> {
	const { items, parameters, settings, after, node, credential, ownProcess } = given;
	const id = 'tested';
	const filledIn = <T extends object>(record: T, credentialId = ''): T =>
		JSON.parse(JSON.stringify(record).replaceAll('SERVICE', url).replaceAll('CREDENTIAL', credentialId)) as T;
	const stored = filledIn({ id, name, type: 'voiceAdminApi', data: { ...credentialFor('SERVICE'), ...credential } });
	const tested = {
		name: NODE,
		...(node ?? { type: 'n8n-nodes-voice-admin.voiceAdmin', typeVersion: 1, parameters }),
		...settings,
		credentials: { voiceAdminApi: { id: 'CREDENTIAL', name } },
	};
	const isTrigger = /Trigger$/.test(tested.type);
	const end = { name: 'End', type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} };
	const nodes = isTrigger ? { start: tested, nodes: [end] } : { nodes: [...(items ? itemsOf(items) : []), tested] };
	const before = chainNodes<{ name: string }>({ id, name, ...nodes });
	const workflow = {
		...before,
		nodes: [...before.nodes, ...(after?.nodes ?? []).map((each) => ({ id: each.name, position: [0, 0], ...each }))],
		connections: { ...before.connections, ...after?.connections },
	};

	const server = sharedServer();
	const workflowId = await server.create('workflows', filledIn(workflow, await server.create('credentials', stored)));
	if (ownProcess) {
		const { runData, output } = await executeWorkflow(n8n, workflowId, {
			log: `n8n-execute-${process.env.JEST_WORKER_ID}`,
			settings: ownProcess,
		});
		return { runData, printed: output, log: output };
	}
	const logFromHere = await server.logFromHere();
	const { runData, data } = await server.run(workflowId, isTrigger ? NODE : 'Start');
	const log = await logFromHere();
	return { runData, printed: data + log, log };
}
