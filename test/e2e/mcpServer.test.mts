import { createRequire } from 'node:module';
import path from 'node:path';

import type { Sandbox } from '../../sandbox';
import { credentialFor } from '../support/executor/credentialStore';
import { fromAI } from '../support/executor/toolOfAgent';
import { faultsNotInjected } from '../support/faults';
import { n8n, startOwnSandbox } from '../support/n8n/n8n.mts';
import { sharedServer } from '../support/n8n/n8nServer.mts';
import { addCustomer, getGateway } from '../support/operations';

/** What is used of the SDK by which n8n itself serves: a client such as an assistant outside of n8n is. */
interface Client {
	connect(transport: object): Promise<void>;
	listTools(): Promise<{ tools: Array<{ name: string; description: string }> }>;
	callTool(call: { name: string; arguments: object }): Promise<object>;
	close(): Promise<void>;
}

async function connect(url: string): Promise<Client> {
	const folder = path.join(n8n.modules, '@modelcontextprotocol/sdk/dist/cjs/client');
	const sdk = (name: string) => createRequire(import.meta.url)(path.join(folder, name)) as object;
	const { Client, StreamableHTTPClientTransport: Transport } = { ...sdk('index.js'), ...sdk('streamableHttp.js') } as {
		Client: new (info: object) => Client;
		StreamableHTTPClientTransport: new (url: URL) => object;
	};
	const connected = new Client({ name: 'test', version: '1' });
	await connected.connect(new Transport(new URL(url)));
	return connected;
}

let sandbox: Sandbox;
let client: Client;
let workflowId: string;

/** What the client is given of a call. */
const textOf = async (name: string, args: object) => JSON.stringify(await client.callTool({ name, arguments: args }));

beforeAll(async () => {
	sandbox = await startOwnSandbox();
	const server = sharedServer();
	const id = await server.create('credentials', { name: 'MCP', type: 'voiceAdminApi', data: credentialFor(sandbox.url) });
	const at = `mcp-${process.pid}-${Date.now()}`;
	const tool = (name: string, parameters: object) => ({
		...{ id: name, name, position: [0, 0], type: 'n8n-nodes-voice-admin.voiceAdminTool', typeVersion: 1, parameters },
		...{ credentials: { voiceAdminApi: { id, name: 'MCP' } }, retryOnFail: true, maxTries: 3, waitBetweenTries: 100 },
	});
	const type = '@n8n/n8n-nodes-langchain.mcpTrigger';
	const trigger = { id: 'MCP', name: 'MCP', position: [0, 0], type, typeVersion: 2, webhookId: at, parameters: { path: at } };
	const attached = { ai_tool: [[{ node: 'MCP', type: 'ai_tool', index: 0 }]] };
	workflowId = await server.create('workflows', {
		name: 'MCP',
		settings: {},
		nodes: [
			trigger,
			tool('get_gateway', getGateway(fromAI('Gateway_ID', 'string'))),
			tool('add_customer', addCustomer(fromAI('VAT_Number', 'string'))),
		],
		connections: { get_gateway: attached, add_customer: attached },
	});
	await server.publish(workflowId);
	client = await connect(`${server.url}/mcp/${at}`);
});

afterAll(async () => {
	await client.close();
	await sharedServer().publish(workflowId, false);
	await sandbox.close();
});

beforeEach(() => sandbox.reset());

describe("a client of n8n's MCP Server Trigger", () => {
	test('is told of the tools and their effect, and gets a gateway', async () => {
		const { tools } = await client.listTools();
		expect(tools.map(({ name }) => name).sort()).toEqual(['add_customer', 'get_gateway']);
		const described = tools.find(({ name }) => name === 'add_customer')?.description;
		expect(described).toMatch(/^Creates a customer record\. The documented API has no way/);
		expect(await textOf('get_gateway', { Gateway_ID: '1' })).toContain('milano-1.sip.sandbox.example');
	});

	test.each([
		['does not create a customer again whose response was lost', 'resetAfter', 'may already exist'],
		['creates a customer that was certainly not created, by the second attempt', 'http400', 'IT12345678903'],
	] as const)('%s, under Retry On Fail', async (_what, fault, told) => {
		sandbox.setFaults({ rules: [{ fault, path: '/v1/customers/add', count: 1 }] });
		expect(await textOf('add_customer', { VAT_Number: 'IT12345678903' })).toContain(told);
		expect(sandbox.state().customers).toHaveLength(1);
		expect(faultsNotInjected(sandbox)).toEqual([]);
	});
});
