import type { INode, INodeParameters } from 'n8n-workflow';

import type { FaultPlan } from '../../sandbox';
import { secretsIn } from '../../scripts/n8n/credentials.mts';
import { outcomeOf } from '../../scripts/n8n/outcome.mts';
import { withEvidence } from '../support/n8n/evidence.mts';
import { sharedServer } from '../support/n8n/n8nServer.mts';
import { inN8n, NODE, type Ran, type Scenario } from '../support/n8n/scenario.mts';
import { type OfferedTool, ScriptedModel } from '../support/n8n/scriptedModel.mts';

/** An agent with the node as its one tool, run once in a real n8n. */
interface AgentScenario {
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

/** What came of it; requests: without logins; errors: of the tool. */
interface AgentRan extends Pick<Ran, 'requests' | 'state' | 'errors'> {
	/** The tool as the model was told of it. */
	tool: OfferedTool;
	/** What the model was told of each call. */
	results: string[];
	/** The agent's answer; undefined when the execution ended before it had one. */
	answer: unknown;
}

const TOOL = 'The tool';
const MODEL = 'The model';

/** Registers tests that each run an agent in a real n8n, with a scripted model and a sandbox of its own. */
export function inAgent() {
	const { scenario: inOne } = inN8n();
	let model: ScriptedModel;
	let openAiApi: { id: string; name: string };

	beforeAll(async () => {
		model = await ScriptedModel.start();
		const data = { apiKey: 'none-needed', url: model.url };
		openAiApi = { id: await sharedServer().create('credentials', { name: MODEL, type: 'openAiApi', data }), name: MODEL };
	});

	afterAll(async () => await model.close());

	function scenario(name: string, { parameters, settings, agent, calls, faults }: AgentScenario, check: (ran: AgentRan) => void): void {
		const given = (): Scenario => {
			model.play(calls);
			const chat = {
				name: MODEL,
				type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
				typeVersion: 1.2,
				parameters: { model: { __rl: true, mode: 'id', value: 'scripted' } },
				credentials: { openAiApi },
			};
			const tool = {
				name: TOOL,
				type: 'n8n-nodes-voice-admin.voiceAdminTool',
				typeVersion: 1,
				parameters,
				credentials: { voiceAdminApi: { id: 'CREDENTIAL', name } },
				...settings,
			};
			const attached = (type: string) => ({ [type]: [[{ node: NODE, type, index: 0 }]] });
			return {
				faults,
				node: { type: '@n8n/n8n-nodes-langchain.agent', typeVersion: agent, parameters: { promptType: 'define', text: 'Do it' } },
				after: { nodes: [chat, tool], connections: { [MODEL]: attached('ai_languageModel'), [TOOL]: attached('ai_tool') } },
			};
		};
		inOne(name, given, async ({ runData, requests, state }) => {
			const ran = {
				tool: model.tools[0]!,
				results: model.results,
				// An agent of version 3 runs once more after each call.
				answer: runData[NODE]?.at(-1)?.data?.main?.[0]?.[0]?.json.output,
				errors: outcomeOf(runData[TOOL]).errors,
				requests: requests.filter(({ path }) => path.startsWith('/v1')),
				state,
			};
			await withEvidence(
				() => {
					expect(secretsIn(JSON.stringify(model.questions))).toEqual([]);
					check(ran);
				},
				() => JSON.stringify({ ...ran, requests: undefined, state: undefined }, null, 1).slice(0, 6_000),
			);
		});
	}

	return { scenario };
}
