import { readExample } from '../../support/n8n/example.mts';
import type { ExamplesFixture, Prepare } from '../../support/n8n/inExamples.mts';

const FILE = 'ai-agent';

export const prepare: Prepare = async () => [await readExample(FILE)];

export function tests(fixture: () => ExamplesFixture): void {
	const chat = async (chatInput: string) => await fixture().server.run(FILE, 'Chat', { sessionId: 'a-session', action: 'sendMessage', chatInput });
	const reached = () => fixture().sandbox.requests().filter(({ path }) => path.startsWith('/v1')).map(({ method, path }) => `${method} ${path}`);

	test('is told of the tool, calls it, and hears the termination URI from it', async () => {
		const { model } = fixture();
		model.play([{ Gateway_ID: '1' }]);
		const { status, data } = await chat('What is the termination URI of gateway 1?');
		expect(status).toBe('success');
		expect(data).toContain('Done.');

		expect(model.questions[0]?.messages.at(-1)).toMatchObject({ role: 'user', content: 'What is the termination URI of gateway 1?' });
		expect(model.tools).toMatchObject([
			{
				name: 'Get_a_gateway',
				description: expect.stringMatching(/^Gets one VoIP DSS gateway by its ID/),
				parameters: { properties: { Gateway_ID: { type: 'string', description: 'The ID of the gateway, as the user gave it' } }, required: ['Gateway_ID'] },
			},
		]);
		expect(model.results.map((result) => JSON.parse(result) as unknown)).toEqual([
			[{ id: '1', name: 'Milano Elastic 1', type: 'elastic-sip-trunk', organizationId: 10, terminationUri: 'milano-1.sip.sandbox.example' }],
		]);
		expect(reached()).toEqual(['GET /v1/voip/dss/gtw/1']);
	});

	test('hears from the tool that there is no such gateway, and goes on with another', async () => {
		const { model } = fixture();
		model.play([{ Gateway_ID: '99' }, { Gateway_ID: '3' }]);
		const { status } = await chat('And of the gateways 99 and 3?');
		expect(status).toBe('success');
		expect(model.results).toEqual([expect.stringContaining('The requested DSS resource is not found'), expect.stringContaining('"terminationUri":null')]);
	});

	test('has one tool, which can change nothing whatever it is asked', async () => {
		const { model } = fixture();
		model.play([]);
		await chat('Enable premium to Italy on trunk 1001, and add the customer IT12345678903.');
		expect(model.tools).toHaveLength(1);
		expect(model.tools[0]?.parameters.properties).toEqual({ Gateway_ID: expect.anything() });
		expect(reached()).toEqual([]);
	});
}
