import { json, Recorder } from '../recorder';

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
 * A chat model that says what a test has it say: each call of its first tool in its turn, and then that it is done. It
 * speaks OpenAI's protocol, so that n8n's own agent and chat model node are what talks to it.
 */
export class ScriptedModel {
	readonly questions: Question[] = [];

	/** The arguments of each call to come. */
	private calls: object[] = [];

	private constructor(private readonly server: Recorder) {}

	static async start(): Promise<ScriptedModel> {
		const server = await Recorder.start(({ body }, response) => json(response, 200, model.answer(JSON.parse(body) as Question)));
		const model = new ScriptedModel(server);
		return model;
	}

	/** What to enter as the base URL. */
	get url(): string {
		return `${this.server.url}/v1`;
	}

	/** Forgets what it was asked, and what is to come of the script before. */
	play(calls: object[]): void {
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
		await this.server.close();
	}

	private answer(question: Question): object {
		this.questions.push(question);
		const call = this.calls.shift();
		const asked = { name: question.tools?.[0]?.function.name, arguments: JSON.stringify(call) };
		const message = call
			? { content: null, tool_calls: [{ id: `call_${this.questions.length}`, type: 'function', function: asked }] }
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
