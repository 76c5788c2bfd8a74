import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import { createRunExecutionData, LoggerProxy, Workflow } from 'n8n-workflow';
import type {
	IConnections,
	ICredentialDataDecryptedObject,
	IDataObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	IRun,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { VoiceAdmin } from '../../../nodes/VoiceAdmin/VoiceAdmin.node';
import { CredentialStore } from './credentialStore';
import { additionalDataOf, loaded, nodeOf, nodeTypesOf } from './nodeTypes';

const TYPE = 'n8n-nodes-voice-admin.voiceAdmin';

const voiceAdminType = loaded(new VoiceAdmin());

/** The node's last run in each execution: a canceled execution ends before it. */
const nodeRuns = new Map<string, Promise<unknown>>();

const executeNode = voiceAdminType.execute!;
voiceAdminType.execute = async function (this, ...rest) {
	const run = executeNode.apply(this, rest);
	nodeRuns.set(this.getExecutionId(), run);
	return await run;
};

/** A workflow in n8n's own executor. */
interface WorkflowExecution {
	/** JSON objects of the input items of the first node; by default one empty item. */
	items?: IDataObject[];
	/** One after the other, where no connections are given. */
	nodes: INode[];
	connections?: IConnections;
	/** Types of nodes that are not Voice Admin. */
	types?: Record<string, INodeType>;
	credential: ICredentialDataDecryptedObject | CredentialStore;
	/** How the execution was started; by default `trigger`. */
	mode?: WorkflowExecuteMode;
	/** Called when the execution has started, with what cancels it. */
	onStart?: (cancel: () => void) => void;
}

/** A run of the node alone. */
export interface Execution extends Omit<WorkflowExecution, 'nodes' | 'connections' | 'types'> {
	/** The node's parameters; values may be expressions such as `={{ $json.id }}`. */
	parameters: INodeParameters;
	/** Settings of the node: onError, retryOnFail, maxTries, waitBetweenTries … */
	settings?: Partial<INode>;
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

/** Settings of a node, as its user sets them. */
export const CONTINUE = { onError: 'continueRegularOutput' } as const;
export const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 };

/** How a test's executions may be started: by a trigger, in the editor, by a webhook, or by n8n's Retry of a failed one. */
export const MODES: WorkflowExecuteMode[] = ['trigger', 'manual', 'webhook', 'retry'];

let executions = 0;

/** A Voice Admin node. */
export const voiceAdmin = (name: string, parameters: INodeParameters, settings: Partial<INode> = {}): INode =>
	nodeOf(name, TYPE, { parameters, ...settings });

/** Runs the node once in n8n-core's WorkflowExecute, over real HTTP. */
export async function execute({ parameters, settings, ...more }: Execution): Promise<Result> {
	const node = voiceAdmin('Voice Admin', parameters, settings);
	const { run, store } = await executeWorkflow({ ...more, nodes: [node] });
	const { runData, error } = run.data.resultData;
	const [output, errors] = runData[node.name]?.[0]?.data?.main ?? [];
	return { run, store, output: output ?? [], errors: errors ?? [], error: error as Result['error'] };
}

/** Runs a workflow from its first node on, in n8n-core's WorkflowExecute, until its last node has ended too. */
export async function executeWorkflow(execution: WorkflowExecution): Promise<Pick<Result, 'run' | 'store'>> {
	const { items = [{}], nodes, connections = chainOf(nodes), types, credential, mode = 'trigger', onStart } = execution;
	const store = credential instanceof CredentialStore ? credential : new CredentialStore(credential);
	// The preceding node has run already, as when n8n resumes an execution.
	const source = nodeOf('Source', TYPE, { disabled: true });
	const [node] = nodes as [INode];
	const saved = {
		id: 'test',
		name: 'Test',
		nodes: [source, ...nodes],
		connections: { ...connections, ...chainOf([source, node]) },
		active: false,
	};
	const nodeTypes = nodeTypesOf({ [TYPE]: voiceAdminType, ...types });
	const workflow = new Workflow({ ...saved, nodeTypes, settings: { executionOrder: 'v1' } });
	const executionId = String(++executions);
	const hooks = new ExecutionLifecycleHooks(mode, executionId, {
		...saved,
		isArchived: false,
		createdAt: new Date(),
		updatedAt: new Date(),
	} as never);
	const data = { main: [items.map((json) => ({ json }))] };
	const runExecutionData = createRunExecutionData({
		resultData: {
			runData: { [source.name]: [{ startTime: 0, executionTime: 0, executionIndex: 0, source: [], data }] },
		},
		executionData: { nodeExecutionStack: [{ node, data, source: { main: [{ previousNode: source.name }] } }] },
	});
	const running = new WorkflowExecute(
		additionalDataOf(store, { executionId, hooks }),
		mode,
		runExecutionData,
	).processRunExecutionData(workflow);
	onStart?.(() => running.cancel());
	// The promise of a canceled execution never settles.
	const ended = new Promise<IRun>((resolve) => hooks.addHandler('workflowExecuteAfter', async (run) => resolve(run)));
	const run = await Promise.race([running, ended]);
	await nodeRuns.get(executionId)?.catch(() => {});
	nodeRuns.delete(executionId);
	return { run, store };
}

/** The lines of a level that the package writes to n8n's log from here on, until the test ends. */
export function logLines(level: 'debug' | 'warn' = 'debug'): string[] {
	const lines: string[] = [];
	// n8n-core puts its own logger in place when it is first used.
	jest.spyOn(LoggerProxy, 'init').mockImplementation(() => {});
	jest.spyOn(LoggerProxy, level).mockImplementation((line) => void lines.push(line));
	return lines;
}

/** Connects nodes one after the other. */
function chainOf(nodes: INode[]): IConnections {
	return Object.fromEntries(
		nodes.slice(1).map(({ name }, index) => [nodes[index]!.name, { main: [[{ node: name, type: 'main', index: 0 }]] }]),
	);
}
