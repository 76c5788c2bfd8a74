import {
	addCustomer,
	credentialFor,
	fromAI,
	json,
	RETRY,
	setPremium,
	startService,
	toolOfAgent,
	until,
} from '../support/executor';
import { sandbox } from '../support/executor/sandboxOfEachTest';

/** Set Premium with every field filled by the model, as n8n's editor sets it up. */
const PREMIUM = setPremium(fromAI('Trunk_ID', 'number'), fromAI('Country', 'string', 'Ask for it'), {
	additionalFields: {
		organizationId: fromAI('Organization_ID', 'number'),
		premiumAvailable: fromAI('Premium_Available', 'string'),
	},
});

test('a tool describes to the model its effect, and each field that the model fills', async () => {
	const tool = await toolOfAgent(PREMIUM, credentialFor('http://127.0.0.1:9'));
	const { shape } = tool.schema;
	const samples = { string: 'text', number: 1, boolean: true };
	const typesOf = (key: string) =>
		Object.entries(samples).flatMap(([type, value]) => (shape[key]!.safeParse(value).success ? [type] : []));
	expect(Object.fromEntries(Object.keys(shape).map((key) => [key, typesOf(key).join()]))).toEqual({
		Trunk_ID: 'number',
		Country: 'string',
		Organization_ID: 'number',
		Premium_Available: 'string',
	});
	expect(shape.Country!.description).toBe('Ask for it');
	expect(tool.description).toMatch(/^Enables premium traffic .+ may be billed, .+ no way to turn it off:/);
	for (const field of ['Trunk ID (required)', 'Country (required)', 'Premium Available (optional: never invent one)'])
		expect(tool.description).toContain(`\n- ${field}: `);
});

describe('a tool', () => {
	test('throws an error to the agent with its details, or returns it to the model, when it is set to continue', async () => {
		const premium = setPremium(fromAI('Trunk_ID', 'string'), fromAI('Country', 'string'));
		const called = async (settings = {}) =>
			await (
				await toolOfAgent(premium, credentialFor(sandbox.url), settings)
			).invoke({ Trunk_ID: '9999', Country: 'IT' });
		const message = 'The requested DSS resource is not found';
		const description = "No trunk has the id 9999.\nThe request wasn't carried out: trunk 9999, country IT.";
		await expect(called()).rejects.toThrow(`${message}\n\n${description}`);
		const error = {
			message,
			description,
			httpCode: '404',
			code: 'not_found',
			outcome: 'not_done',
			request: { idTrunk: 9999, iso: 'IT' },
		};
		expect(JSON.parse(await called({ onError: 'continueRegularOutput' }))).toEqual([{ error }]);
	});

	test('creates the customer of each call, also while an earlier one is in progress, for an agent of several items', async () => {
		let endFirst = (): void => undefined;
		const service = await startService(({ body }, response, index) => {
			const answer = () => json(response, 201, JSON.parse(body));
			if (index === 0) endFirst = answer;
			else answer();
		});
		const parameters = addCustomer(fromAI('VAT_Number', 'string'));
		const tool = await toolOfAgent(parameters, credentialFor(service.url), {}, { items: 5 });
		const call = async (number: string) => JSON.parse(await tool.invoke({ VAT_Number: number })) as unknown;
		const first = call('C0');
		await until(() => service.requests.length === 1, 'the first call is in progress');
		expect(await call('C1')).toEqual([{ vatNumber: 'C1' }]);
		endFirst();
		expect(await first).toEqual([{ vatNumber: 'C0' }]);
	});

	test('under Retry On Fail does not enable a country again that the same call has enabled', async () => {
		const sent: string[] = [];
		const service = await startService(({ body }, response) => {
			const { iso } = JSON.parse(body) as { iso: string };
			sent.push(iso);
			json(response, iso === 'FR' && sent.filter((each) => each === 'FR').length === 1 ? 400 : 200, { iso });
		});
		const tool = await toolOfAgent(
			setPremium(1001, fromAI('Country', 'string'), { options: { maxConcurrency: 1 } }),
			credentialFor(service.url),
			RETRY,
		);
		expect(JSON.parse(await tool.invoke({ Country: 'IT, FR' }))).toEqual([{ iso: 'IT' }, { iso: 'FR' }]);
		expect(sent).toEqual(['IT', 'FR', 'FR']);
	});

	test('under Retry On Fail remembers nothing of a call that succeeded: the next one is sent', async () => {
		const service = await startService((_request, response, index) => json(response, 200, { id: `${index}` }));
		const tool = await toolOfAgent(setPremium(1001, fromAI('Country', 'string')), credentialFor(service.url), RETRY);
		const call = async () => JSON.parse(await tool.invoke({ Country: 'IT' })) as unknown;
		expect([await call(), await call()]).toEqual([[{ id: '0' }], [{ id: '1' }]]);
	});

	test('does not create again what may exist since an earlier call of the execution, and creates another one', async () => {
		const service = await startService((_request, response, index) => json(response, index === 0 ? 500 : 201, {}));
		const settings = { ...RETRY, onError: 'continueRegularOutput' } as const;
		const tool = await toolOfAgent(addCustomer(fromAI('VAT_Number', 'string')), credentialFor(service.url), settings);
		const call = async (number: string) => (JSON.parse(await tool.invoke({ VAT_Number: number })) as object[])[0];
		const unknown = {
			error: { outcome: 'unknown', message: expect.stringContaining('C0 may already exist') as string },
		};
		expect(await call('C0')).toMatchObject(unknown);
		expect(await call('C0')).toMatchObject(unknown);
		expect(await call('C1')).toMatchObject({ success: true, vatNumber: 'C1' });
		expect(service.requests).toHaveLength(2);
	});
});
