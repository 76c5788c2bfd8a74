import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import {
	createRunExecutionData,
	type IConnections,
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type ITaskDataConnections,
	type IRun,
	type IWorkflowExecuteAdditionalData,
	Workflow,
} from 'n8n-workflow';

import { VoiceAdmin } from '../../nodes/VoiceAdmin/VoiceAdmin.node';
import { CredentialStore } from './credentialStore';
import { loaded, nodeTypesOf } from './nodeTypes';

const TYPE = 'n8n-nodes-voice-admin.voiceAdmin';

const nodeTypes = nodeTypesOf({ [TYPE]: loaded(new VoiceAdmin()) });

/** A run of the node in n8n's own executor. */
export interface Execution {
	/** JSON objects of the input items; by default one empty item. */
	items?: IDataObject[];
	/** The node's parameters; values may be expressions such as `={{ $json.id }}`. */
	parameters: INodeParameters;
	credential: ICredentialDataDecryptedObject | CredentialStore;
	/** Settings of the node: onError, retryOnFail, maxTries, waitBetweenTries … */
	settings?: Partial<INode>;
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
	onStart,
}: Execution): Promise<Result> {
	const store = credential instanceof CredentialStore ? credential : new CredentialStore(credential);
	const nodeOf = (name: string, more: Partial<INode>): INode => ({
		id: name,
		name,
		type: TYPE,
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
