import { json, Recorder } from '../recorder';

/** What a model was asked: OpenAI's chat completions, of which n8n's agent uses this. */
interface Question {
	messages: Array<{ role: string; content: unknown }>;
	tools?: Array<{ function: OfferedTool }>;
}

/** A tool as the model is told of it. */
interface OfferedTool {
	name: string;
	description: string;
	parameters: { properties: Record<string, Record<string, unknown>>; required?: string[] };
}

export type ScriptedModel = Awaited<ReturnType<typeof startScriptedModel>>;

/**
 * A chat model that says what a test has it say: each call of its first tool in its turn, and then that it is done. It
 * speaks OpenAI's protocol, so that n8n's own agent and chat model node are what talks to it.
 */
export async function startScriptedModel() {
	const questions: Question[] = [];
	/** The arguments of each call to come. */
	let calls: object[] = [];

	function answer(question: Question): object {
		questions.push(question);
		const call = calls.shift();
		const asked = { name: question.tools?.[0]?.function.name, arguments: JSON.stringify(call) };
		const tool_calls = [{ id: `call_${questions.length}`, type: 'function', function: asked }];
		return {
			...{ id: `chat_${questions.length}`, object: 'chat.completion', created: 0, model: 'scripted' },
			choices: [
				{
					...{ index: 0, finish_reason: call ? 'tool_calls' : 'stop' },
					message: { role: 'assistant', ...(call ? { content: null, tool_calls } : { content: 'Done.' }) },
				},
			],
			usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
		};
	}

	const server = await Recorder.start(({ body }, response) =>
		json(response, 200, answer(JSON.parse(body) as Question)),
	);
	return {
		/** What to enter as the base URL. */
		url: `${server.url}/v1`,
		questions,
		/** Forgets what it was asked, and what is to come of the script before. */
		play(script: object[]): void {
			calls = [...script];
			questions.length = 0;
		},
		/** The tools that it was told of. */
		tools: () => (questions[0]?.tools ?? []).map((tool) => tool.function),
		/** What came of each call, in the words that the model was told. */
		results: () =>
			(questions.at(-1)?.messages ?? []).filter(({ role }) => role === 'tool').map(({ content }) => content as string),
		close: async () => await server.close(),
	};
}
