import type { INodeParameters } from 'n8n-workflow';
import {
	addCustomer,
	CONTINUE,
	credentialFor,
	execute,
	type Execution,
	json,
	type Recorder,
	startService,
} from '../support/executor';

let service: Recorder;

beforeEach(async () => {
	service = await startService((_request, response) => json(response, 201, { id: 1 }));
});

/** Two spellings of a number, one that is another's, and the first once more. */
const ITEMS = ['IT01020304059', '0102.030.4059', '12345678903', ' it01020304059 '].map((vat, n) => ({
	vat,
	tenant: n === 3 ? 'B' : 'A',
}));

const run = async (options: INodeParameters = {}, more: Partial<Execution> = {}) =>
	await execute({
		items: ITEMS,
		parameters: addCustomer('={{ $json.vat }}', { options }),
		credential: credentialFor(service.url),
		...more,
	});
const sent = () => service.requests.map(({ body }) => (JSON.parse(body) as { vatNumber: string }).vatNumber).sort();

test('two items with the VAT number of one customer stop the run before anything is sent', async () => {
	const { error } = await run();
	expect(error).toMatchObject({
		message: 'Item 0 of this run (counted from 0) would also create the customer with VAT number 0102.030.4059',
		description: expect.stringMatching(
			/^Remove.* 'Allow Duplicate VAT Numbers' and turn it on.*\.\nThis item didn't create the customer with VAT number 0102\.030\.4059\./s,
		) as string,
		context: { code: 'invalid_parameter', outcome: 'not_sent', itemIndex: 1 },
	});
	expect([service.requests, service.logins]).toEqual([[], []]);
});

test('two items with the VAT number of one customer create it once with On Error set to continue, and the others name the first', async () => {
	const { output } = await run({}, { settings: CONTINUE });
	const messages = output.map(({ json: { error } }) =>
		(error as { message: string } | undefined)?.message.slice(0, 18),
	);
	expect(messages).toEqual([undefined, 'Item 0 of this run', undefined, 'Item 0 of this run']);
	expect(sent()).toEqual(['12345678903', 'IT01020304059']);
});

test('two items with the VAT number of one customer create it as often as they say with Allow Duplicate VAT Numbers', async () => {
	expect((await run({ allowDuplicates: true })).output).toHaveLength(4);
	expect(sent()).toHaveLength(4);
});

test('two items with the VAT number of one customer are two customers with two API keys', async () => {
	const { output } = await run(
		{},
		{ settings: CONTINUE, credential: credentialFor(service.url, { clientId: '={{ $json.tenant }}' }) },
	);
	expect(output.map(({ json: { error } }) => error !== undefined)).toEqual([false, true, false, false]);
});

test('two items with the VAT number of one customer are refused in a dry run too, which gives the key of each other one', async () => {
	const { output } = await run({ dryRun: true }, { settings: CONTINUE });
	expect(output.map(({ json: { key } }) => key)).toEqual(['IT01020304059', undefined, 'IT12345678903', undefined]);
});
