import { ExecuteContext } from 'n8n-core';
import {
	createRunExecutionData,
	type ICredentialDataDecryptedObject,
	type IExecuteData,
	type INode,
	type INodeParameters,
	type INodeType,
	type IWorkflowExecuteAdditionalData,
	NodeConnectionTypes,
	Workflow,
} from 'n8n-workflow';

import { VoiceAdmin } from '../../nodes/VoiceAdmin/VoiceAdmin.node';
import { CredentialStore } from './credentialStore';
import { loaded, nodeTypesOf } from './nodeTypes';

/** The expression that n8n's editor writes for a field that the model fills. */
export function fromAI(key: string, type: 'string' | 'number' | 'boolean' | 'json', description = ''): string {
	return `={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${key}', \`${description}\`, '${type}') }}`;
}

const agent = {
	description: { displayName: 'Agent', name: 'agent', group: [], version: 1, description: '', defaults: {}, inputs: [NodeConnectionTypes.Main, { type: NodeConnectionTypes.AiTool }], outputs: [NodeConnectionTypes.Main], properties: [] },
	execute: async () => [],
} as INodeType;

const AGENT: INode = { id: 'agent', name: 'Agent', type: 'agent', typeVersion: 1, position: [0, 0], parameters: {} };

/** The node's tool variant, by the rules of n8n's server; the end-to-end tests have the server itself make it. */
function toolVariant(): INodeType {
	const node = loaded(new VoiceAdmin());
	Object.assign(node.description, { name: 'voiceAdminTool', displayName: 'Voice Admin Tool', inputs: [], outputs: [NodeConnectionTypes.AiTool] });
	return node;
}

/** What n8n-core makes of a node for an agent: a LangChain tool. */
export interface Tool {
	name: string;
	description: string;
	/** A Zod object, by the keys that the model fills. */
	schema: { shape: Record<string, { safeParse: (value: unknown) => { success: boolean }; description?: string }> };
	/** @returns JSON */
	invoke: (args: object) => Promise<string>;
}

/**
 * The tool that n8n-core makes of the node for an agent which runs its tools itself.
 *
 * @param settings of the node: onError, retryOnFail …
 * @param itemsOfAgent how many items the agent has; all calls of the tool share its execute data
 */
export async function toolOfAgent(
	parameters: INodeParameters,
	credential: ICredentialDataDecryptedObject,
	settings: Partial<INode> = {},
	itemsOfAgent = 1,
): Promise<Tool> {
	const tool: INode = { id: 'tool', name: 'Voice Admin', type: 'voiceAdminTool', typeVersion: 1, position: [0, 0], parameters, credentials: { voiceAdminApi: { id: '1', name: 'Voice Admin' } }, ...settings };
	const workflow = new Workflow({
		nodes: [AGENT, tool],
		connections: { 'Voice Admin': { [NodeConnectionTypes.AiTool]: [[{ node: 'Agent', type: NodeConnectionTypes.AiTool, index: 0 }]] } },
		active: false,
		nodeTypes: nodeTypesOf({ agent, voiceAdminTool: toolVariant() }),
		settings: { executionOrder: 'v1' },
	});
	const data = { main: [Array.from({ length: itemsOfAgent }, () => ({ json: {} }))] };
	const executeData: IExecuteData = { node: AGENT, data, source: null };
	const additionalData = { credentialsHelper: new CredentialStore(credential), currentNodeExecutionIndex: 0, variables: {}, executionId: '1' } as unknown as IWorkflowExecuteAdditionalData;
	const context = new ExecuteContext(workflow, AGENT, additionalData, 'manual', createRunExecutionData(), 0, data.main[0]!, data, executeData, []);
	const [made] = (await context.getInputConnectionData(NodeConnectionTypes.AiTool, 0)) as Tool[];
	return made!;
}
