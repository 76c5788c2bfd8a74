import { DirectoryLoader, type ExecuteContext, ExecutionLifecycleHooks, RoutingNode, WorkflowExecute } from 'n8n-core';
import {
	createRunExecutionData,
	type IConnections,
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type IExecuteData,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type INodeTypes,
	type ITaskDataConnections,
	type IRun,
	type IWorkflowExecuteAdditionalData,
	Workflow,
} from 'n8n-workflow';

import { VoiceAdmin } from '../../nodes/VoiceAdmin/VoiceAdmin.node';
import { CredentialStore } from './credentialStore';

const voiceAdmin: INodeType = new VoiceAdmin();
// As n8n's loader does: adds Request Options with batching, time-out, proxy and TLS.
DirectoryLoader.applyDeclarativeNodeOptionParameters(voiceAdmin);
// As n8n's server does for a declarative node; otherwise n8n-core takes a path made for its own tests, without the
// cancel signal.
voiceAdmin.execute = async function (this) {
	return (await new RoutingNode(this as ExecuteContext, voiceAdmin).runNode()) ?? [];
};

/** Execute data of the agents that call the node as a tool; parallel calls of an agent share them. */
const agents = new Map<number, IExecuteData>();

/** The node as n8n runs a tool: its context carries the execute data of the agent that calls it. */
function asTool(itemsOfAgent: number): INodeType {
	const agent = agents.get(itemsOfAgent) ?? {
		node: { name: 'AI Agent' } as INode,
		data: { main: [Array.from({ length: itemsOfAgent }, () => ({ json: {} }))] },
		source: null,
	};
	agents.set(itemsOfAgent, agent);
	return Object.create(voiceAdmin, {
		execute: {
			value: async function (this: ExecuteContext) {
				const context = Object.create(this, { executeData: { value: agent } }) as ExecuteContext;
				return (await new RoutingNode(context, voiceAdmin).runNode()) ?? [];
			},
		},
	}) as INodeType;
}

/** A run of the node in n8n's own executor. */
export interface Execution {
	/** JSON objects of the input items; by default one empty item. */
	items?: IDataObject[];
	/** The node's parameters; values may be expressions such as `={{ $json.id }}`. */
	parameters: INodeParameters;
	credential: ICredentialDataDecryptedObject | CredentialStore;
	/** Settings of the node: onError, retryOnFail, maxTries, waitBetweenTries … */
	settings?: Partial<INode>;
	/** Run the node as n8n runs a tool: with the execute data of an agent that has so many items. */
	calledByAgentWith?: number;
	/** Called when the execution has started, with what cancels it. */
	onStart?: (cancel: () => void) => void;
}

/** The result of a run. */
export interface Result {
	run: IRun;
	store: CredentialStore;
	/** Items on the main output. */
	output: INodeExecutionData[];
	/** Items on the error output, where the node has one. */
	errors: INodeExecutionData[];
	/** The error that stopped the node. */
	error?: Error & { description?: string; httpCode?: string | null; context?: IDataObject };
}

let executions = 0;

/** Runs the node once in n8n-core's WorkflowExecute, over real HTTP. */
export async function execute({
	items = [{}],
	parameters,
	credential,
	settings,
	calledByAgentWith,
	onStart,
}: Execution): Promise<Result> {
	const store = credential instanceof CredentialStore ? credential : new CredentialStore(credential);
	const nodeType = calledByAgentWith === undefined ? voiceAdmin : asTool(calledByAgentWith);
	const nodeTypes: INodeTypes = {
		getByName: () => nodeType,
		getByNameAndVersion: () => nodeType,
		getKnownTypes: () => ({}),
	};
	const nodeOf = (name: string, more: Partial<INode>): INode => ({
		id: name,
		name,
		type: 'n8n-nodes-voice-admin.voiceAdmin',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
		...more,
	});
	// The preceding node has run already, as when n8n resumes an execution.
	const source = nodeOf('Source', { disabled: true });
	const node = nodeOf('Voice Admin', {
		parameters,
		credentials: { voiceAdminApi: { id: '1', name: 'Voice Admin' } },
		...settings,
	});
	const nodes = [source, node];
	const input: ITaskDataConnections = { main: [items.map((json) => ({ json }))] };
	const connections: IConnections = {
		Source: { main: [[{ node: 'Voice Admin', type: 'main', index: 0 }]] },
	};
	const workflow = new Workflow({
		id: 'test',
		nodes,
		connections,
		active: false,
		nodeTypes,
		settings: { executionOrder: 'v1' },
	});
	const executionId = String(++executions);
	const additionalData = {
		credentialsHelper: store,
		executionId,
		currentNodeExecutionIndex: 0,
		hooks: new ExecutionLifecycleHooks('trigger', executionId, { id: 'test', name: 'Test', nodes, connections, active: false, isArchived: false, createdAt: new Date(), updatedAt: new Date() } as never),
		variables: {},
		restApiUrl: '',
		instanceBaseUrl: '',
		webhookBaseUrl: '',
		webhookWaitingBaseUrl: '',
		webhookTestBaseUrl: '',
		formWaitingBaseUrl: '',
		// The rest is for sub-workflows, code nodes and AI, which these workflows have none of.
	} as unknown as IWorkflowExecuteAdditionalData;
	const runExecutionData = createRunExecutionData({
		resultData: {
			runData: {
				Source: [{ startTime: 0, executionTime: 0, executionIndex: 0, source: [], data: input }],
			},
		},
		executionData: {
			nodeExecutionStack: [
				{ node, data: input, source: { main: [{ previousNode: 'Source' }] } },
			],
		},
	});
	const running = new WorkflowExecute(
		additionalData,
		'trigger',
		runExecutionData,
	).processRunExecutionData(workflow);
	onStart?.(() => running.cancel());
	// The promise of a canceled execution never settles.
	const ended = new Promise<IRun>((resolve) => {
		additionalData.hooks?.addHandler('workflowExecuteAfter', async (run) => resolve(run));
	});
	const run = await Promise.race([running, ended]);
	const data = run.data.resultData.runData['Voice Admin']?.[0];
	return {
		run,
		store,
		output: data?.data?.main?.[0] ?? [],
		errors: data?.data?.main?.[1] ?? [],
		error: run.data.resultData.error as Result['error'],
	};
}
