import { readExample } from '../../support/n8n/example.mts';
import type { ExamplesFixture, Prepare } from '../../support/n8n/inExamples.mts';

const FILE = 'ai-agent';

export const prepare: Prepare = async () => [await readExample(FILE)];

export function tests(fixture: () => ExamplesFixture): void {
	const chat = async (chatInput: string, ...calls: object[]) => {
		fixture().model.play(calls);
		return await fixture().server.run(FILE, 'Chat', { sessionId: 'a-session', action: 'sendMessage', chatInput });
	};

	test('is told of its one tool, which can change nothing, calls it, and hears the termination URI from it', async () => {
		const { model, sandbox } = fixture();
		const question = 'What is the termination URI of gateway 1?';
		const { status, data } = await chat(question, { Gateway_ID: '1' });
		expect([status, data]).toEqual(['success', expect.stringContaining('Done.')]);
		expect(model.questions[0]?.messages.at(-1)).toMatchObject({ role: 'user', content: question });
		const properties = { Gateway_ID: { type: 'string', description: 'The ID of the gateway, as the user gave it' } };
		const description = expect.stringMatching(/^Gets one VoIP DSS gateway by its ID/) as string;
		expect(model.tools).toMatchObject([{ name: 'Get_a_gateway', description, parameters: { properties, required: ['Gateway_ID'] } }]);
		expect(Object.keys(model.tools[0]!.parameters.properties)).toEqual(['Gateway_ID']);
		const uri = { terminationUri: 'milano-1.sip.sandbox.example' };
		expect(model.results.map((result) => JSON.parse(result) as unknown)).toMatchObject([[{ id: '1', name: 'Milano Elastic 1', ...uri }]]);
		expect(sandbox.state().counters.byOperation).toMatchObject({ getGateway: 1 });
	});

	test('hears from the tool that there is no such gateway, and goes on with another', async () => {
		const { status } = await chat('And of the gateways 99 and 3?', { Gateway_ID: '99' }, { Gateway_ID: '3' });
		const says = ['The requested DSS resource is not found', '"terminationUri":null'];
		expect([status, ...fixture().model.results]).toEqual(['success', ...says.map((part) => expect.stringContaining(part) as string)]);
	});
}
