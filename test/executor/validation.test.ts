import type { INodeParameters } from 'n8n-workflow';
import {
	addCustomer,
	CONTINUE,
	credentialFor,
	execute,
	getGateway,
	json,
	type Recorder,
	startService,
} from '../support/executor';

let service: Recorder;

beforeEach(async () => {
	service = await startService((_request, response) => json(response, 200, {}));
});

/** Values and messages are tables of `unit`: here is a default, an option, and a field of the credential. */
const unchecked = { ...addCustomer('12345678904'), options: {} };

test.each<[string, INodeParameters, object, string]>([
	[
		'a check digit, as Validate VAT Number is on where it has not been added',
		unchecked,
		{},
		`'VAT Number' isn't valid: "12345678904". The check`,
	],
	['an option', getGateway('1', { options: { maxConcurrency: 501 } }), {}, `'Max Concurrency' isn't valid: 501. Enter`],
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

test.each(['__CUSTOM_API_CALL__', 'anOperationThatItLacks', '={{ "get" }}'])(
	'an operation that the node does not have fails each item, and sends nothing: %s',
	async (operation) => {
		const { output } = await execute({
			items: [{ n: 1 }, { n: 2 }],
			parameters: { resource: 'dssGateway', operation, gatewayId: '1' },
			credential: credentialFor(service.url),
			settings: CONTINUE,
		});
		const message =
			"This node can't run a custom API call, or an operation that isn't in its list. Choose an operation, or use the HTTP Request node with this credential";
		const error = { message, code: 'invalid_parameter', outcome: 'not_sent' };
		expect(output.map(({ json }) => json)).toMatchObject([{ error }, { error }]);
		expect(service.requests).toEqual([]);
	},
);
