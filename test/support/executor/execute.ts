import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import { createRunExecutionData, Workflow } from 'n8n-workflow';
import type { IConnections, ICredentialDataDecryptedObject, IDataObject, INode, INodeExecutionData, INodeParameters, INodeType, IRun } from 'n8n-workflow';

import { VoiceAdmin } from '../../../nodes/VoiceAdmin/VoiceAdmin.node';
import { CredentialStore } from './credentialStore';
import { additionalDataOf, loaded, nodeOf, nodeTypesOf } from './nodeTypes';

const TYPE = 'n8n-nodes-voice-admin.voiceAdmin';

const voiceAdmin = loaded(new VoiceAdmin());

/** A run of the node in n8n's own executor. */
export interface Execution {
	/** Run in place of this package's node, under its name. */
	nodeType?: INodeType;
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
export async function execute({ nodeType = voiceAdmin, items = [{}], parameters, credential, settings, onStart }: Execution): Promise<Result> {
	const store = credential instanceof CredentialStore ? credential : new CredentialStore(credential);
	// The preceding node has run already, as when n8n resumes an execution.
	const source = nodeOf('Source', TYPE, { disabled: true });
	const node = nodeOf('Voice Admin', TYPE, { parameters, ...settings });
	const connections: IConnections = { [source.name]: { main: [[{ node: node.name, type: 'main', index: 0 }]] } };
	const saved = { id: 'test', name: 'Test', nodes: [source, node], connections, active: false };
	const workflow = new Workflow({ ...saved, nodeTypes: nodeTypesOf({ [TYPE]: nodeType }), settings: { executionOrder: 'v1' } });
	const executionId = String(++executions);
	const hooks = new ExecutionLifecycleHooks('trigger', executionId, { ...saved, isArchived: false, createdAt: new Date(), updatedAt: new Date() } as never);
	const data = { main: [items.map((json) => ({ json }))] };
	const runExecutionData = createRunExecutionData({
		resultData: { runData: { [source.name]: [{ startTime: 0, executionTime: 0, executionIndex: 0, source: [], data }] } },
		executionData: { nodeExecutionStack: [{ node, data, source: { main: [{ previousNode: source.name }] } }] },
	});
	const running = new WorkflowExecute(additionalDataOf(store, { executionId, hooks }), 'trigger', runExecutionData).processRunExecutionData(workflow);
	onStart?.(() => running.cancel());
	// The promise of a canceled execution never settles.
	const ended = new Promise<IRun>((resolve) => hooks.addHandler('workflowExecuteAfter', async (run) => resolve(run)));
	const run = await Promise.race([running, ended]);
	const { runData, error } = run.data.resultData;
	const [output, errors] = runData[node.name]?.[0]?.data?.main ?? [];
	return { run, store, output: output ?? [], errors: errors ?? [], error: error as Result['error'] };
}
