import { secretsIn } from '../../scripts/n8n/credentials.mts';
import { outcomeOf } from '../../scripts/n8n/cli.mts';
import { fromAI } from '../support/executor/toolOfAgent';
import { n8n } from '../support/n8n/n8n.mts';
import { sharedServer } from '../support/n8n/n8nServer.mts';
import { inN8n, NODE } from '../support/n8n/scenario.mts';
import { ScriptedModel } from '../support/n8n/scriptedModel.mts';
import { addCustomer } from '../support/operations';

const TOOL = 'The tool';
const MODEL = 'The model';

const { scenario } = inN8n();
let model: ScriptedModel;
let openAiApi: { id: string; name: string };

beforeAll(async () => {
	model = await ScriptedModel.start();
	const data = { apiKey: 'none-needed', url: model.url };
	openAiApi = { id: await sharedServer().create('credentials', { name: MODEL, type: 'openAiApi', data }), name: MODEL };
});

afterAll(async () => await model.close());

/** n8n's agent of a version, to which the node is attached as its one tool, and the scripted model. */
function agent(version: number, name: string) {
	const attached = (type: string) => ({ [type]: [[{ node: NODE, type, index: 0 }]] });
	const chat = {
		...{ name: MODEL, type: '@n8n/n8n-nodes-langchain.lmChatOpenAi', typeVersion: 1.2, credentials: { openAiApi } },
		parameters: { model: { __rl: true, mode: 'id', value: 'scripted' } },
	};
	const tool = {
		...{ name: TOOL, type: 'n8n-nodes-voice-admin.voiceAdminTool', typeVersion: 1 },
		parameters: addCustomer(fromAI('VAT_Number', 'string'), { otherFields: fromAI('Other_Fields', 'json') }),
		credentials: { voiceAdminApi: { id: 'CREDENTIAL', name } },
		...{ retryOnFail: true, maxTries: 3, waitBetweenTries: 100 },
	};
	return {
		node: { type: '@n8n/n8n-nodes-langchain.agent', typeVersion: version, parameters: { promptType: 'define', text: 'Do it' } },
		after: { nodes: [chat, tool], connections: { [MODEL]: attached('ai_languageModel'), [TOOL]: attached('ai_tool') } },
	};
}

// Version 3 hands a call to n8n's executor, 2.2 runs the tool itself. What a model is told by a tool that continues: examples/aiAgent.
for (const version of [3, 2.2]) {
	const name = `an agent of version ${version} does not create a customer again under Retry On Fail whose response was lost`;
	const given = () => {
		model.play([{ VAT_Number: 'IT12345678903', Other_Fields: { name: 'Example S.p.A.' } }]);
		return { ...agent(version, name), faults: { rules: [{ fault: 'resetAfter' as const, path: '/v1/customers/add', count: 1 }] } };
	};
	scenario(name, given, ({ runData, state }) => {
		const unknown = /The customer with VAT number IT12345678903 may already exist\. [^]+The node did not send it again under Retry On Fail/;
		expect(secretsIn(JSON.stringify(model.questions))).toEqual([]);
		expect(model.tools[0]?.description).toMatch(/^Creates a customer record\. The documented API has no way to change or delete a customer/);
		expect(state.customers).toEqual([expect.objectContaining({ vatNumber: 'IT12345678903', name: 'Example S.p.A.' })]);
		expect(outcomeOf(runData[TOOL]).errors.at(-1)?.message).toMatch(unknown);
		// By version 2.2 the model is told nothing, not even that the call failed, unless the tool is set to continue.
		if (version === 2.2) return;
		// An agent of version 3 runs once more after each call. n8n 2.8 ends the run instead of telling the model.
		const answer = runData[NODE]?.at(-1)?.data?.main?.[0]?.[0]?.json.output;
		const isTold = !n8n.version.startsWith('2.8.');
		expect([model.results, answer]).toEqual(isTold ? [[expect.stringMatching(unknown)], 'Done.'] : [[], undefined]);
	});
}
