import { readExample } from '../../support/n8n/example.mts';
import type { ExamplesFixture, Prepare } from '../../support/n8n/inExamples.mts';

const FILE = 'ai-agent';

export const prepare: Prepare = async () => [readExample(FILE)];

export function tests(fixture: () => ExamplesFixture): void {
	test('has one tool, which can only read, and hears from it of each gateway, also that there is none', async () => {
		const { model, server } = fixture();
		model.play(['1', '99', '3'].map((id) => ({ Gateway_ID: id })));
		const chatInput = 'What are the termination URIs of the gateways 1, 99 and 3?';
		const { status, data } = await server.run(FILE, 'Chat', {
			sessionId: 'a-session',
			action: 'sendMessage',
			chatInput,
		});
		expect([status, data]).toEqual(['success', expect.stringContaining('Done.')]);
		expect(model.questions[0]?.messages.at(-1)).toMatchObject({ role: 'user', content: chatInput });
		const properties = { Gateway_ID: { type: 'string', description: 'The ID of the gateway, as the user gave it' } };
		const description = expect.stringMatching(/^Gets one VoIP DSS gateway by its ID/) as string;
		expect(model.tools()).toMatchObject([
			{ name: 'Get_a_gateway', description, parameters: { properties, required: ['Gateway_ID'] } },
		]);
		expect(Object.keys(model.tools()[0]!.parameters.properties)).toEqual(['Gateway_ID']);
		const hears = [
			'"terminationUri":"milano-1.sip.sandbox.example"',
			'The requested DSS resource is not found',
			'"terminationUri":null',
		];
		expect(model.results()).toEqual(hears.map((part) => expect.stringContaining(part) as string));
	});
}
