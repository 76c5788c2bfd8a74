import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A call of a tool, as a model asks for it. */
export interface Call {
	/** Name of the tool, as the model was told it; the first tool unless told. */
	tool?: string;
	arguments: Record<string, unknown>;
}

/** A tool as the model is told of it. */
export interface OfferedTool {
	name: string;
	description: string;
	parameters: { properties: Record<string, Record<string, unknown>>; required?: string[] };
}

/** What a model was asked: OpenAI's chat completions, of which n8n's agent uses this. */
interface Question {
	messages: Array<{ role: string; content: unknown }>;
	tools?: Array<{ function: OfferedTool }>;
}

/**
 * A chat model that says what a test has it say: each call of a tool in its turn, and then that it is done. It
 * speaks OpenAI's protocol, so that n8n's own agent and chat model node are what talks to it.
 */
export class ScriptedModel {
	readonly questions: Question[] = [];

	private calls: Call[] = [];

	private constructor(
		private readonly server: ReturnType<typeof createServer>,
		/** What to enter as the base URL. */
		readonly url: string,
	) {}

	static async start(): Promise<ScriptedModel> {
		const server = createServer((request, response) => {
			const chunks: Buffer[] = [];
			request.on('data', (chunk: Buffer) => chunks.push(chunk));
			request.on('end', () => {
				const answer = model.answer(JSON.parse(Buffer.concat(chunks).toString('utf8')) as Question);
				response.writeHead(200, { 'Content-Type': 'application/json' });
				response.end(JSON.stringify(answer));
			});
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		const model = new ScriptedModel(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
		return model;
	}

	/** Forgets what it was asked, and what is to come of the script before. */
	play(calls: Call[]): void {
		this.calls = [...calls];
		this.questions.length = 0;
	}

	/** The tools that it was told of. */
	get tools(): OfferedTool[] {
		return (this.questions[0]?.tools ?? []).map((tool) => tool.function);
	}

	/** What came of each call, in the words that the model was told. */
	get results(): string[] {
		const told = this.questions.at(-1)?.messages ?? [];
		return told.filter(({ role }) => role === 'tool').map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)));
	}

	async close(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}

	private answer(question: Question): object {
		this.questions.push(question);
		const call = this.calls.shift();
		const name = call?.tool ?? question.tools?.[0]?.function.name;
		const message = call
			? { content: null, tool_calls: [{ id: `call_${this.questions.length}`, type: 'function', function: { name, arguments: JSON.stringify(call.arguments) } }] }
			: { content: 'Done.' };
		return {
			id: `chat_${this.questions.length}`,
			object: 'chat.completion',
			created: 0,
			model: 'scripted',
			choices: [{ index: 0, finish_reason: call ? 'tool_calls' : 'stop', message: { role: 'assistant', ...message } }],
			usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
		};
	}
}
