import { readExample } from '../../support/example.mts';
import type { Desk, Prepare } from '../../support/inExamples.mts';

const FILE = 'ai-agent';

export const prepare: Prepare = async () => [await readExample(FILE)];

export function tests(desk: () => Desk): void {
	const chat = async (chatInput: string) => await desk().server.run(FILE, 'Chat', { sessionId: 'a-session', action: 'sendMessage', chatInput });

	test('is told of the tool, calls it, and hears the termination URI from it', async () => {
		const { model, sandbox } = desk();
		model.play([{ arguments: { Gateway_ID: '1' } }], 'Its termination URI is milano-1.sip.sandbox.example.');
		const { status, data } = await chat('What is the termination URI of gateway 1?');
		expect(status).toBe('success');
		expect(data).toContain('Its termination URI is milano-1.sip.sandbox.example.');

		const [first, second, ...more] = model.questions;
		expect(more).toEqual([]);
		expect(first?.messages.at(-1)).toMatchObject({ role: 'user', content: 'What is the termination URI of gateway 1?' });
		expect(first?.tools?.map(({ function: { name, description } }) => [name, description])).toEqual([['Get_a_gateway', expect.stringMatching(/^Gets one VoIP DSS gateway by its id/)]]);
		expect(first?.tools?.[0]?.function.parameters).toMatchObject({ properties: { Gateway_ID: { type: 'string', description: 'The id of the gateway, as the user gave it' } }, required: ['Gateway_ID'] });

		const heard = second?.messages.at(-1);
		expect(heard?.role).toBe('tool');
		expect(JSON.parse(String(heard?.content))).toEqual([{ id: '1', name: 'Milano Elastic 1', type: 'elastic-sip-trunk', organizationId: 10, terminationUri: 'milano-1.sip.sandbox.example' }]);
		expect(sandbox.requests().filter(({ path }) => path.startsWith('/v1')).map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /v1/voip/dss/gtw/1']);
	});

	test('hears from the tool that there is no such gateway, and can say so', async () => {
		const { model } = desk();
		model.play([{ arguments: { Gateway_ID: '99' } }], 'There is no gateway 99.');
		const { status } = await chat('And of gateway 99?');
		expect(status).toBe('success');
		expect(model.questions[1]?.messages.at(-1)).toMatchObject({ role: 'tool', content: expect.stringContaining('The requested DSS resource is not found') });
	});

	test('is offered nothing that changes anything', async () => {
		desk().model.play([], 'I can only look gateways up.');
		await chat('Enable premium to Italy on trunk 1001, and add the customer IT12345678903.');
		expect(desk().model.questions[0]?.tools).toHaveLength(1);
		expect(desk().sandbox.requests()).toEqual([]);
	});
}
