import type { INode, INodeParameters } from 'n8n-workflow';

import { type FaultPlan, type LoggedRequest, type SandboxState, startSandbox, type Sandbox } from '../../sandbox';
import { executeWorkflow } from '../../scripts/n8n/execute.mjs';
import { importInto } from '../../scripts/n8n/import.mjs';
import { outcomeOf } from '../../scripts/n8n/outcome.mjs';
import { secretsIn } from '../../scripts/n8n/secrets.mjs';
import { chain } from '../../scripts/n8n/workflow.mjs';
import { credentialFor } from './credentialStore';
import { n8n } from './n8n.mts';
import { type Call, type OfferedTool, ScriptedModel } from './scriptedModel.mts';

/** An agent with the node as its one tool, run once in a real n8n. */
export interface AgentScenario {
	/** Parameters of the tool; those for the model hold `$fromAI`. */
	parameters: INodeParameters;
	/** Settings of the tool: onError, retryOnFail … */
	settings?: Partial<INode>;
	/** Which of n8n's agents: 3 hands a call to n8n's executor, 2.2 runs the tool itself. */
	agent: 2.2 | 3;
	/** What the model calls the tool with, one call after the other. */
	calls: Array<Call['arguments']>;
	/** What goes wrong in the sandbox. */
	faults?: FaultPlan;
}

/** What came of it. */
export interface AgentRan {
	/** The tool as the model was told of it. */
	tool: OfferedTool;
	/** What the model was told of each call. */
	results: string[];
	/** The agent's answer; undefined when the execution ended before it had one. */
	answer: unknown;
	/** Errors of the tool node, as n8n shows them. */
	errors: Array<{ message: string; description?: string; httpCode?: string }>;
	/** Requests that reached the sandbox, without logins. */
	requests: LoggedRequest[];
	/** The sandbox's books. */
	state: SandboxState;
}

const TOOL = 'The tool';
const AGENT = 'The agent';
const MODEL = 'The model';

/** Registers tests that each run an agent in a real n8n, with a scripted model and a sandbox. */
export function inAgent() {
	const workflows: object[] = [];
	let sandbox: Sandbox;
	let model: ScriptedModel;

	beforeAll(async () => {
		[sandbox, model] = await Promise.all([startSandbox(), ScriptedModel.start()]);
		await importInto(n8n, {
			credentials: [
				{ id: 'agentVoiceAdmin', name: 'Voice Admin', type: 'voiceAdminApi', data: credentialFor(sandbox.url) },
				{ id: 'agentModel', name: 'Model', type: 'openAiApi', data: { apiKey: 'none-needed', url: model.url } },
			],
			workflow: workflows,
		});
	});

	afterAll(async () => {
		await Promise.all([sandbox.close(), model.close()]);
	});

	function scenario(name: string, { parameters, settings, agent, calls, faults }: AgentScenario, check: (ran: AgentRan) => void): void {
		const id = `agent${workflows.length}`;
		const workflow = chain({
			id,
			name,
			nodes: [{ name: AGENT, type: '@n8n/n8n-nodes-langchain.agent', typeVersion: agent, parameters: { promptType: 'define', text: 'Do it' } }],
		});
		workflows.push({
			...workflow,
			nodes: [
				...workflow.nodes,
				{
					id: 'model',
					position: [0, 200],
					name: MODEL,
					type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
					typeVersion: 1.2,
					parameters: { model: { __rl: true, mode: 'id', value: 'scripted' } },
					credentials: { openAiApi: { id: 'agentModel', name: 'Model' } },
				},
				{
					id: 'tool',
					position: [200, 200],
					name: TOOL,
					type: 'n8n-nodes-voice-admin.voiceAdminTool',
					typeVersion: 1,
					parameters,
					credentials: { voiceAdminApi: { id: 'agentVoiceAdmin', name: 'Voice Admin' } },
					...settings,
				},
			],
			connections: {
				...workflow.connections,
				[MODEL]: { ai_languageModel: [[{ node: AGENT, type: 'ai_languageModel', index: 0 }]] },
				[TOOL]: { ai_tool: [[{ node: AGENT, type: 'ai_tool', index: 0 }]] },
			},
		});

		test(name, async () => {
			sandbox.reset();
			sandbox.setFaults(faults ?? {});
			model.play(calls.map((args) => ({ arguments: args })));
			const before = sandbox.requests().length;
			const { runData, error, output } = await executeWorkflow(n8n, id, { log: 'n8n-execute' });
			const agentRuns = runData[AGENT] as Array<{ data?: { main?: Array<Array<{ json: { output?: unknown } }>> } }> | undefined;
			const ran: AgentRan = {
				tool: model.tools[0]!,
				results: model.results,
				answer: agentRuns?.at(-1)?.data?.main?.[0]?.[0]?.json.output,
				errors: outcomeOf(runData[TOOL] as never).errors,
				requests: sandbox.requests().slice(before).filter(({ path }) => path.startsWith('/v1')),
				state: sandbox.state(),
			};
			try {
				expect(secretsIn(output + JSON.stringify(model.questions))).toEqual([]);
				check(ran);
			} catch (failure) {
				(failure as Error).message += `\n\n${JSON.stringify({ ...ran, state: undefined, error }, null, 1).slice(0, 6_000)}`;
				throw failure;
			}
		});
	}

	return { scenario };
}
