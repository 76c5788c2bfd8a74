import type { INode, INodeParameters } from 'n8n-workflow';

import { type FaultPlan, type LoggedRequest, type Sandbox, type SandboxState } from '../../sandbox';
import { secretsIn } from '../../scripts/n8n/credentials.mts';
import { outcomeOf } from '../../scripts/n8n/outcome.mts';
import { chain } from '../../scripts/n8n/workflow.mts';
import { credentialFor } from './credentialStore';
import { startOwnSandbox } from './n8n.mts';
import { sharedServer } from './n8nServer.mts';
import { type OfferedTool, ScriptedModel } from './scriptedModel.mts';

/** An agent with the node as its one tool, run once in a real n8n. */
export interface AgentScenario {
	/** Parameters of the tool; those for the model hold `$fromAI`. */
	parameters: INodeParameters;
	/** Settings of the tool: onError, retryOnFail … */
	settings?: Partial<INode>;
	/** Which of n8n's agents: 3 hands a call to n8n's executor, 2.2 runs the tool itself. */
	agent: 2.2 | 3;
	/** What the model calls the tool with, one call after the other. */
	calls: object[];
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
	/** The sandbox's data. */
	state: SandboxState;
}

const TOOL = 'The tool';
const AGENT = 'The agent';
const MODEL = 'The model';

/** Registers tests that each run an agent in a real n8n, with a scripted model and a sandbox of its own. */
export function inAgent() {
	let model: ScriptedModel;

	beforeAll(async () => {
		model = await ScriptedModel.start();
	});

	afterAll(async () => await model.close());

	function scenario(name: string, given: AgentScenario, check: (ran: AgentRan) => void): void {
		test(name, async () => {
			const sandbox = await startOwnSandbox();
			try {
				sandbox.setFaults(given.faults ?? {});
				await runAgent(name, given, sandbox, model, check);
			} finally {
				await sandbox.close();
			}
		});
	}

	return { scenario };
}

async function runAgent(name: string, given: AgentScenario, sandbox: Sandbox, model: ScriptedModel, check: (ran: AgentRan) => void): Promise<void> {
	const { parameters, settings, agent, calls } = given;
	const server = sharedServer();
	const voiceAdmin = await server.create('credentials', { name: 'Voice Admin', type: 'voiceAdminApi', data: credentialFor(sandbox.url) });
	const openAi = await server.create('credentials', { name: 'Model', type: 'openAiApi', data: { apiKey: 'none-needed', url: model.url } });
	const workflow = chain({
		id: 'agent',
		name,
		nodes: [{ name: AGENT, type: '@n8n/n8n-nodes-langchain.agent', typeVersion: agent, parameters: { promptType: 'define', text: 'Do it' } }],
	});
	const id = await server.create('workflows', {
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
				credentials: { openAiApi: { id: openAi, name: 'Model' } },
			},
			{
				id: 'tool',
				position: [200, 200],
				name: TOOL,
				type: 'n8n-nodes-voice-admin.voiceAdminTool',
				typeVersion: 1,
				parameters,
				credentials: { voiceAdminApi: { id: voiceAdmin, name: 'Voice Admin' } },
				...settings,
			},
		],
		connections: {
			...workflow.connections,
			[MODEL]: { ai_languageModel: [[{ node: AGENT, type: 'ai_languageModel', index: 0 }]] },
			[TOOL]: { ai_tool: [[{ node: AGENT, type: 'ai_tool', index: 0 }]] },
		},
	});

	model.play(calls);
	const printed = await server.logFromHere();
	const { runData, error, data } = await server.run(id, 'Start');
	const ran: AgentRan = {
		tool: model.tools[0]!,
		results: model.results,
		answer: runData[AGENT]?.at(-1)?.data?.main?.[0]?.[0]?.json.output,
		errors: outcomeOf(runData[TOOL]).errors,
		requests: sandbox.requests().filter(({ path }) => path.startsWith('/v1')),
		state: sandbox.state(),
	};
	try {
		expect(secretsIn(data + (await printed()) + JSON.stringify(model.questions))).toEqual([]);
		check(ran);
	} catch (failure) {
		(failure as Error).message += `\n\n${JSON.stringify({ ...ran, state: undefined, error }, null, 1).slice(0, 6_000)}`;
		throw failure;
	}
}
