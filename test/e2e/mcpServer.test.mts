import type { Sandbox } from '../../sandbox';
import { credentialFor } from '../support/executor/credentialStore';
import { fromAI } from '../support/executor/toolOfAgent';
import { startOwnSandbox } from '../support/n8n/n8n.mts';
import { sharedServer } from '../support/n8n/n8nServer.mts';
import { addCustomer, getGateway } from '../support/operations';

/** A client of an MCP server, as an assistant outside of n8n is one: JSON-RPC over Streamable HTTP. */
class McpClient {
	private readonly headers: Record<string, string> = {
		'content-type': 'application/json',
		accept: 'application/json, text/event-stream',
	};

	private id = 0;

	private constructor(private readonly url: string) {}

	static async connect(url: string): Promise<McpClient> {
		const client = new McpClient(url);
		await client.call('initialize', { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'test', version: '1' } });
		await client.post({ method: 'notifications/initialized' });
		return client;
	}

	async call(method: string, params: object = {}): Promise<Record<string, unknown>> {
		const id = ++this.id;
		const response = await this.post({ id, method, params });
		const text = await response.text();
		const messages = text.startsWith('{') ? [text] : text.split('\n').flatMap((line) => (line.startsWith('data: ') ? [line.slice(6)] : []));
		const answers = messages.map((each) => JSON.parse(each) as { id?: number; result?: Record<string, unknown>; error?: object });
		const answer = answers.find((each) => each.id === id);
		if (!answer?.result) throw new Error(`${method}: ${response.status} ${text.slice(0, 1_000)}`);
		return answer.result;
	}

	private async post(message: object): Promise<Response> {
		const response = await fetch(this.url, { method: 'POST', headers: this.headers, body: JSON.stringify({ jsonrpc: '2.0', ...message }) });
		this.headers['mcp-session-id'] ??= response.headers.get('mcp-session-id') ?? '';
		return response;
	}
}

const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 100 };

let sandbox: Sandbox;
let client: McpClient;
let workflowId: string;

/** What the client is given of a call. */
const textOf = async (name: string, args: object) => JSON.stringify(await client.call('tools/call', { name, arguments: args }));

beforeAll(async () => {
	sandbox = await startOwnSandbox();
	const server = sharedServer();
	const credential = { id: await server.create('credentials', { name: 'MCP', type: 'voiceAdminApi', data: credentialFor(sandbox.url) }), name: 'MCP' };
	const path = `mcp-${process.pid}-${Date.now()}`;
	const tool = (name: string, parameters: object) => ({
		...{ id: name, name, position: [0, 0], type: 'n8n-nodes-voice-admin.voiceAdminTool', typeVersion: 1, parameters },
		credentials: { voiceAdminApi: credential },
		...RETRY,
	});
	const trigger = { id: 'MCP', name: 'MCP', position: [0, 0], type: '@n8n/n8n-nodes-langchain.mcpTrigger', typeVersion: 2, webhookId: path, parameters: { path } };
	const attached = { ai_tool: [[{ node: trigger.name, type: 'ai_tool', index: 0 }]] };
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
	client = await McpClient.connect(`${server.url}/mcp/${path}`);
});

afterAll(async () => {
	await sharedServer().publish(workflowId, false);
	await sandbox.close();
});

beforeEach(() => {
	sandbox.reset();
	sandbox.setFaults({});
});

describe("a client of n8n's MCP Server Trigger", () => {
	test('is told of the tools and their effect', async () => {
		const { tools } = (await client.call('tools/list')) as { tools: Array<{ name: string; description: string; inputSchema: object }> };
		expect(tools.map(({ name }) => name).sort()).toEqual(['add_customer', 'get_gateway']);
		expect(tools.find(({ name }) => name === 'add_customer')?.description).toMatch(/^Creates a customer record\. The documented API has no way to change or delete a customer/);
	});

	test('gets a gateway', async () => {
		expect(await textOf('get_gateway', { Gateway_ID: '1' })).toContain('milano-1.sip.sandbox.example');
	});

	test('does not create a customer again whose response was lost, under Retry On Fail', async () => {
		sandbox.setFaults({ rules: [{ fault: 'resetAfter', path: '/v1/customers/add', count: 1 }] });
		const text = await textOf('add_customer', { VAT_Number: 'IT12345678903' });
		expect(sandbox.state().customers).toHaveLength(1);
		expect(text).toContain('may already exist');
	});

	test('creates a customer that was certainly not created, by the second attempt of Retry On Fail', async () => {
		sandbox.setFaults({ rules: [{ fault: 'http400', path: '/v1/customers/add', count: 1 }] });
		expect(await textOf('add_customer', { VAT_Number: 'IT12345678903' })).toContain('IT12345678903');
		expect(sandbox.state().customers).toHaveLength(1);
	});
});
