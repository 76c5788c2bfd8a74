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
	[
		'a trunk id of 0, as an expression makes of an empty cell',
		setPremium('={{ Number("") }}', 'IT'),
		{},
		`'Trunk ID' is not valid: 0. An expression such as Number("") turns an empty cell into 0.`,
	],
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

describe.each(['__CUSTOM_API_CALL__', 'anOperationThatItLacks', '={{ "get" }}'])(
	'an operation that the node does not have (%s) fails each item, and sends nothing',
	(operation) => {
		const message =
			"This node can't run a custom API call, or an operation that is not in its list. Choose an operation, or use the HTTP Request node with this credential";
		const failed = { message, code: 'invalid_parameter', outcome: 'not_sent' };

		test.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)('with %s', async (onError) => {
			const { error, output, errors } = await execute({
				items: [{ n: 1 }, { n: 2 }],
				parameters: { resource: 'dssGateway', operation, gatewayId: '1' },
				credential: credentialFor(service.url),
				settings: { onError },
			});
			if (onError === 'stopWorkflow') {
				expect(error).toMatchObject({
					message,
					context: { code: 'invalid_parameter', outcome: 'not_sent', itemIndex: 0 },
				});
				expect([output, errors]).toEqual([[], []]);
			} else {
				const [failures, others] = onError === 'continueErrorOutput' ? [errors, output] : [output, errors];
				expect(failures.map(({ json }) => json.error)).toMatchObject([failed, failed]);
				expect(others).toEqual([]);
			}
			expect(service.requests).toEqual([]);
		});
	},
);
