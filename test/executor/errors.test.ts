import type { ServerResponse } from 'node:http';
import type { INode } from 'n8n-workflow';
import {
	addCustomer,
	CONTINUE,
	credentialFor,
	CredentialStore,
	execute,
	getGateway,
	json,
	numbered,
	Polling,
	RECORDED_TOKEN,
	type Script,
	startService,
} from '../support/executor';
import * as retryAfter from '../../nodes/VoiceAdmin/transport/response/retryAfter';

const VAT_NUMBER = 'IT12345678903';

type Expected = [code: string, outcome: 'not_sent' | 'not_done' | 'unknown', httpCode: string | null];
interface Answers {
	create?: (response: ServerResponse) => void;
	login?: Script;
	otherFields?: string;
}

// Words, statuses and codes are tables of `unit`: here is each outcome, with a status and without one.
test.each<[string, Expected, Answers]>([
	['a parameter that is not valid', ['invalid_parameter', 'not_sent', null], { otherFields: '[1]' }],
	[
		'a wrong key',
		['login_failed', 'not_sent', '401'],
		{ login: (_request, response) => json(response, 401, { message: 'Wrong key', errors: '' }) },
	],
	// n8n would replace this message.
	[
		'404',
		['not_found', 'not_done', '404'],
		{ create: (response) => json(response, 404, { message: 'EPERM: ENOENT', errors: ['a', 'b'] }) },
	],
	[
		'500',
		['service_error', 'unknown', '500'],
		{ create: (response) => json(response, 500, { message: 'Not possible', errors: '' }) },
	],
	[
		'a connection that breaks',
		['connection_failed', 'unknown', null],
		{ create: (response) => void response.destroy() },
	],
])(
	'%s: the same error is an error item, on the error output, and stops the node',
	async (name, [code, outcome, httpCode], answers) => {
		const { create = (response) => json(response, 201, { id: '1' }), login, otherFields } = answers;
		const service = await startService((_request, response) => create(response), login);
		const parameters = addCustomer(VAT_NUMBER, otherFields === undefined ? {} : { otherFields });
		const add = async (settings: Partial<INode>) =>
			await execute({ parameters, credential: credentialFor(service.url), settings });
		const continued = await add(CONTINUE);
		const failure = continued.output[0]?.json.error as { message: string; description: string | null };
		expect(Object.keys(failure)).toEqual(['message', 'description', 'httpCode', 'code', 'outcome', 'request']);
		expect(failure).toMatchObject({
			message: name === '404' ? 'EPERM: ENOENT' : expect.stringMatching(/\w{3}/),
			code,
			outcome,
			httpCode,
		});
		expect(String(failure.description).includes(`Look for the customer with VAT number ${VAT_NUMBER} in`)).toBe(
			outcome === 'unknown',
		);
		expect(continued).toMatchObject({ error: undefined, output: [{}], errors: [] });
		const apart = { error: undefined, output: [], errors: [{ json: { error: failure } }] };
		expect(await add({ onError: 'continueErrorOutput' })).toMatchObject(apart);
		const { error, output } = await add({});
		expect(output).toEqual([]);
		expect(error).toMatchObject({
			name: 'NodeApiError',
			message: failure.message,
			httpCode,
			context: { code, outcome, itemIndex: 0 },
		});
		expect(error?.description ?? null).toBe(failure.description);
		expect(service.requests).toHaveLength(outcome === 'not_sent' ? 0 : 3);
	},
);

test('angle brackets of the service are not lost where n8n shows a description as HTML', async () => {
	const service = await startService((_request, response) => json(response, 400, { message: 'No', errors: ['<id>'] }));
	const { error } = await execute({ parameters: getGateway('1'), credential: credentialFor(service.url) });
	expect(error?.description).toMatch(/^‹id›\./);
});

test('a credential that n8n cannot read is code invalid_credential and outcome not_sent, in a node and in the trigger', async () => {
	class Unreadable extends CredentialStore {
		override async getDecrypted(): Promise<never> {
			throw new Error('The credential does not exist');
		}
	}
	const { error } = await execute({ parameters: addCustomer(VAT_NUMBER), credential: new Unreadable({}) });
	const polled = await new Polling({ gatewayIds: '1' }, new Unreadable({})).poll();
	for (const each of [error, polled.error]) {
		expect(each?.message).toBe('The credential does not exist');
		expect(each?.context).toMatchObject({ code: 'invalid_credential', outcome: 'not_sent' });
	}
});

test('an item whose credential cannot be used stops the run like any other failure: no customer of a later item is created', async () => {
	const service = await startService((_request, response) => json(response, 201, {}));
	const { error } = await execute({
		items: numbered(30),
		parameters: addCustomer('={{ "C" + $json.n }}'),
		credential: credentialFor(`={{ $json.n ? "${service.url}" : "none" }}`),
	});
	expect(error?.context).toMatchObject({ code: 'invalid_credential', outcome: 'not_sent', itemIndex: 0 });
	expect(service.requests).toEqual([]);
});

test('an error that nobody foresaw, once a create may have been sent, is unknown, and names the customer', async () => {
	jest.spyOn(retryAfter, 'parseRetryAfter').mockImplementation(() => {
		throw new Error('unforeseen');
	});
	const service = await startService((_request, response) => json(response, 429, {}));
	const credential = credentialFor(service.url);
	const { output } = await execute({ parameters: addCustomer(VAT_NUMBER), credential, settings: CONTINUE });
	const message = `unforeseen. The customer with VAT number ${VAT_NUMBER} may already exist`;
	expect(output[0]?.json.error).toMatchObject({ message, code: 'invalid_response', outcome: 'unknown' });
});

test('no key and no token that the service repeats is in what n8n keeps of a run', async () => {
	const KEY = 'key-that-must-never-be-seen-81c0';
	const service = await startService(({ headers }, response) =>
		json(response, 400, { message: `You sent ${headers.authorization} for ${KEY}`, errors: [RECORDED_TOKEN] }),
	);
	const execution = { parameters: getGateway('1'), credential: credentialFor(service.url, { clientSecret: KEY }) };
	const { run, output } = await execute({ ...execution, settings: CONTINUE });
	expect(output[0]?.json.error).toMatchObject({
		message: 'You sent Bearer *** for ***',
		description: expect.stringContaining('***'),
	});
	const stopped = await execute(execution);
	expect(stopped.error?.message).toBe('You sent Bearer *** for ***');
	const kept = JSON.stringify([run.data.resultData, stopped.run.data.resultData]) + stopped.error?.stack;
	for (const secret of [KEY, RECORDED_TOKEN]) expect(kept).not.toContain(secret);
});
