import { createRequire } from 'node:module';
import path from 'node:path';

import type { Sandbox } from '../../sandbox';
import { outcomeOf } from '../../scripts/n8n/cli.mts';
import { findSecrets } from '../../scripts/n8n/credentials.mts';
import { credentialFor } from '../support/executor/credentialStore';
import { fromAI } from '../support/executor/toolOfAgent';
import { faultsNotInjected } from '../support/faults';
import { n8n, sharedServer, startOwnSandbox } from '../support/n8n/n8n.mts';
import { NODE, scenario } from '../support/n8n/scenario.mts';
import { type ScriptedModel, startScriptedModel } from '../support/n8n/scriptedModel.mts';
import { addCustomer } from '../support/operations';

const TOOL = 'add_customer';
const CUSTOMER = { VAT_Number: 'IT12345678903', Other_Fields: { name: 'Example S.p.A.' } };
const STORED = [expect.objectContaining({ vatNumber: 'IT12345678903', name: 'Example S.p.A.' })];

const tool = (credential: { id: string; name: string }) => ({
	...{ name: TOOL, type: 'n8n-nodes-voice-admin.voiceAdminTool', typeVersion: 1 },
	parameters: addCustomer(fromAI('VAT_Number', 'string'), { otherFields: fromAI('Other_Fields', 'json') }),
	credentials: { voiceAdminApi: credential },
	...{ retryOnFail: true, maxTries: 3, waitBetweenTries: 100 },
});

const attachedTo = (node: string, type: string) => ({ [type]: [[{ node, type, index: 0 }]] });

describe("n8n's agent", () => {
	const MODEL = 'The model';
	let model: ScriptedModel;
	let openAiApi: { id: string; name: string };

	beforeAll(async () => {
		model = await startScriptedModel();
		const data = { apiKey: 'none-needed', url: model.url };
		openAiApi = {
			id: await sharedServer().create('credentials', { name: MODEL, type: 'openAiApi', data }),
			name: MODEL,
		};
	});

	afterAll(async () => await model.close());

	// Version 3 hands a call to n8n's executor, 2.2 runs the tool itself. A tool that continues: examples/aiAgent.
	for (const version of [3, 2.2]) {
		const name = `of version ${version} does not create a customer again under Retry On Fail whose response was lost`;
		const given = () => {
			model.play([CUSTOMER]);
			const chat = {
				...{ name: MODEL, type: '@n8n/n8n-nodes-langchain.lmChatOpenAi', typeVersion: 1.2, credentials: { openAiApi } },
				parameters: { model: { __rl: true, mode: 'id', value: 'scripted' } },
			};
			const connections = { [MODEL]: attachedTo(NODE, 'ai_languageModel'), [TOOL]: attachedTo(NODE, 'ai_tool') };
			return {
				node: {
					type: '@n8n/n8n-nodes-langchain.agent',
					typeVersion: version,
					parameters: { promptType: 'define', text: 'Do it' },
				},
				after: { nodes: [chat, tool({ id: 'CREDENTIAL', name })], connections },
				faults: [{ fault: 'resetAfter' as const, path: '/v1/customers/add', count: 1 }],
			};
		};
		scenario(name, given, ({ runData, sandbox }) => {
			const unknown =
				/The customer with VAT number IT12345678903 may already exist[^]+This execution doesn't send it again/;
			expect(findSecrets(JSON.stringify(model.questions))).toEqual([]);
			expect(model.tools()[0]?.description).toMatch(
				/^Creates a customer record\. The documented API has no way to change/,
			);
			expect(sandbox.getRecordsAndCounters().customers).toEqual(STORED);
			expect(outcomeOf(runData[TOOL]).errors.at(-1)?.message).toMatch(unknown);
			// By version 2.2 the model is told nothing, not even that the call failed, unless the tool is set to continue.
			if (version === 2.2) return;
			// An agent of version 3 runs once more after each call. n8n 2.8 ends the run instead of telling the model.
			const answer = runData[NODE]?.at(-1)?.data?.main?.[0]?.[0]?.json.output;
			const isTold = !n8n.version.startsWith('2.8.');
			expect([model.results(), answer]).toEqual(isTold ? [[expect.stringMatching(unknown)], 'Done.'] : [[], undefined]);
		});
	}
});

/** What is used of the SDK by which n8n itself serves: a client such as an assistant outside of n8n is. */
interface Client {
	connect(transport: object): Promise<void>;
	listTools(): Promise<{ tools: Array<{ name: string }> }>;
	callTool(call: { name: string; arguments: object }): Promise<object>;
	close(): Promise<void>;
}

describe("a client of n8n's MCP Server Trigger", () => {
	let sandbox: Sandbox;
	let client: Client;
	let workflowId: string;

	beforeAll(async () => {
		sandbox = await startOwnSandbox();
		const [server, name, at] = [sharedServer(), 'MCP', `mcp-${process.pid}-${Date.now()}`];
		const id = await server.create('credentials', { name, type: 'voiceAdminApi', data: credentialFor(sandbox.url) });
		const type = '@n8n/n8n-nodes-langchain.mcpTrigger';
		const trigger = { name, type, typeVersion: 2, webhookId: at, parameters: { path: at } };
		const nodes = [trigger, tool({ id, name })].map((node) => ({ id: node.name, position: [0, 0], ...node }));
		workflowId = await server.create('workflows', {
			name,
			settings: {},
			nodes,
			connections: { [TOOL]: attachedTo(name, 'ai_tool') },
		});
		await server.publish(workflowId);

		const folder = path.join(n8n.modules, '@modelcontextprotocol/sdk/dist/cjs/client');
		const sdk = (file: string) => createRequire(import.meta.url)(path.join(folder, file)) as object;
		const { Client, StreamableHTTPClientTransport: Transport } = {
			...sdk('index.js'),
			...sdk('streamableHttp.js'),
		} as {
			Client: new (info: object) => Client;
			StreamableHTTPClientTransport: new (url: URL) => object;
		};
		client = new Client({ name: 'test', version: '1' });
		await client.connect(new Transport(new URL(`${server.url}/mcp/${at}`)));
	});

	afterAll(async () => {
		await client.close();
		await sharedServer().publish(workflowId, false);
		await sandbox.close();
	});

	test.each([
		['does not create a customer again whose response was lost', { fault: 'resetAfter' }, 'may already exist'],
		[
			'creates a customer that was certainly not created, by the second try',
			{ fault: 'http', status: 400 },
			'IT12345678903',
		],
	] as const)('%s, under Retry On Fail', async (_what, fault, told) => {
		sandbox.reset();
		sandbox.setFaults([{ ...fault, path: '/v1/customers/add', count: 1 }]);
		expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([TOOL]);
		expect(JSON.stringify(await client.callTool({ name: TOOL, arguments: CUSTOMER }))).toContain(told);
		expect(sandbox.getRecordsAndCounters().customers).toEqual(STORED);
		expect(faultsNotInjected(sandbox)).toEqual([]);
	});
});
