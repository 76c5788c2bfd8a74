import {
	type ICredentialDataDecryptedObject,
	type INode,
	type INodeParameters,
	type INodeType,
	NodeConnectionTypes,
	Workflow,
} from 'n8n-workflow';
import { VoiceAdmin } from '../../../nodes/VoiceAdmin/VoiceAdmin.node';
import { CredentialStore } from './credentialStore';
import { contextOf, loaded, nodeOf, nodeTypesOf } from './nodeTypes';

const { AiTool, Main } = NodeConnectionTypes;

const AGENT = nodeOf('Agent', 'agent');

/** The expression that n8n's editor writes for a field that the model fills. */
export function fromAI(key: string, type: 'string' | 'number' | 'boolean' | 'json', description = ''): string {
	return `={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${key}', \`${description}\`, '${type}') }}`;
}

const agent = {
	description: {
		displayName: 'Agent',
		name: 'agent',
		group: [],
		version: 1,
		description: '',
		defaults: {},
		inputs: [Main, { type: AiTool }],
		outputs: [Main],
		properties: [],
	},
	execute: async () => [],
} as INodeType;

/** A node's tool variant, by the rules of n8n's server; the end-to-end tests have the server itself make it. */
export function toolVariant(node: INodeType = loaded(new VoiceAdmin())): INodeType {
	Object.assign(node.description, {
		name: 'voiceAdminTool',
		displayName: 'Voice Admin Tool',
		inputs: [],
		outputs: [AiTool],
	});
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
	/** What n8n stores of the agent's execution, and the agent's items. */
	stored: unknown;
}

/**
 * The tool that n8n-core makes of the node for an agent which runs its tools itself.
 *
 * @param settings of the node: onError, retryOnFail …
 * @param items how many items the agent has; all calls of the tool share its execute data
 */
export async function toolOfAgent(
	parameters: INodeParameters,
	credential: ICredentialDataDecryptedObject,
	settings: Partial<INode> = {},
	{ items = 1, nodeType = toolVariant() } = {},
): Promise<Tool> {
	const tool = nodeOf('Voice Admin', 'voiceAdminTool', { parameters, ...settings });
	const workflow = new Workflow({
		nodes: [AGENT, tool],
		connections: { [tool.name]: { [AiTool]: [[{ node: AGENT.name, type: AiTool, index: 0 }]] } },
		active: false,
		nodeTypes: nodeTypesOf({ agent, voiceAdminTool: nodeType }),
		settings: { executionOrder: 'v1' },
	});
	const context = contextOf(workflow, AGENT, new CredentialStore(credential), 'manual', items);
	const [made] = (await context.getInputConnectionData(AiTool, 0)) as Tool[];
	return Object.assign(made!, { stored: [context.runExecutionData, context.inputData] });
}
