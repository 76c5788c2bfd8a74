import type { INodeParameters } from 'n8n-workflow';

import {
	addCustomer,
	credentialFor,
	execute,
	getGateway,
	json,
	type Recorder,
	setPremium,
	startService,
} from '../support/executor';

let service: Recorder;

beforeEach(async () => {
	service = await startService((_request, response) => json(response, 200, {}));
});

/** Values and messages are tables of `unit`: here is a parameter of each operation, an option, and a field of the credential. */
const noTrunk: INodeParameters = {
	resource: 'dssTrunk',
	operation: 'setPremium',
	iso: { __rl: true, mode: 'code', value: 'IT' },
};
const unchecked = { ...addCustomer('12345678904'), options: {} };

test.each<[string, INodeParameters, object, string]>([
	['a trunk id that is missing', noTrunk, {}, `'Trunk ID' is required. Enter a whole number, e.g. 1001`],
	[
		'an additional field',
		setPremium(1001, 'IT', { additionalFields: { sbcId: 2.5 } }),
		{},
		`'Session Border Controller ID' is`,
	],
	[
		'a check digit, as Validate VAT Number is on where it has not been added',
		unchecked,
		{},
		`'VAT Number' is not valid: "12345678904". The check`,
	],
	[
		'a name that JSON has twice',
		addCustomer('12345678903', { otherFields: '{ "name": "A", "name": "B" }' }),
		{},
		`'Other Fields → name' is there more than once. Enter each name once`,
	],
	[
		'a name with an invisible character',
		addCustomer('12345678903', {
			specifyOtherFields: 'keypair',
			otherFieldsList: { fields: [{ name: 'na\u200bme', value: 'A' }] },
		}),
		{},
		`'Other Fields → na\\u200bme' has an invisible character in its name`,
	],
	[
		'an option',
		getGateway('1', { options: { maxConcurrency: 501 } }),
		{},
		`'Max Concurrency' is not valid: 501. Enter`,
	],
	[
		'a base URL',
		getGateway('1'),
		{ baseUrl: 'https://me:hunter2@example.com' },
		`'Production Base URL' in the credential must not contain`,
	],
])('what is not valid fails before anything is sent: %s', async (_name, parameters, credential, message) => {
	const { error, output } = await execute({ parameters, credential: credentialFor(service.url, credential) });
	expect(error?.message.slice(0, message.length)).toBe(message);
	expect(error?.context).toMatchObject({ itemIndex: 0 });
	expect(JSON.stringify(error)).not.toContain('hunter2');
	expect(output).toEqual([]);
	expect([...service.requests, ...service.logins]).toEqual([]);
});

test.each(['__CUSTOM_API_CALL__', 'anOperationThatItLacks'])(
	'an operation that the node does not have is an error that says so: %s',
	async (operation) => {
		const { error } = await execute({
			parameters: { resource: 'dssGateway', operation },
			credential: credentialFor(service.url),
		});
		expect(error?.message).toMatch(
			/^This node can't run a custom API call, or an operation that is not in its list\. Choose an operation, or use/,
		);
		expect(service.requests).toEqual([]);
	},
);
