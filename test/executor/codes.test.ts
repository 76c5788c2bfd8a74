import type { ServerResponse } from 'node:http';

import type { INode, INodeParameters } from 'n8n-workflow';

import { CredentialStore, credentialFor } from '../support/executor/credentialStore';
import { execute } from '../support/executor/execute';
import { Polling } from '../support/executor/poll';
import { startService } from '../support/executor/startService';
import { addCustomer } from '../support/operations';
import { json, type Script } from '../support/recorder';

const VAT_NUMBER = 'IT12345678903';
const MAY_EXIST = `The customer with VAT number ${VAT_NUMBER} may already exist`;

interface Situation {
	name: string;
	expected: { code: string; outcome: 'not_sent' | 'not_done' | 'unknown'; httpCode: string | null };
	/** Responds to the create; by default with a 201. */
	respond?: (response: ServerResponse) => void;
	/** Responds to the login; by default with a token. */
	logIn?: Script;
	parameters?: INodeParameters;
}

/** Each outcome, with a status and without one; which status or error has which is a table of classify's tests. */
const SITUATIONS: Situation[] = [
	{
		name: 'a parameter that is not valid',
		expected: { code: 'invalid_parameter', outcome: 'not_sent', httpCode: null },
		parameters: addCustomer(VAT_NUMBER, { otherFields: '[1]' }),
	},
	{
		name: 'a wrong key',
		expected: { code: 'login_failed', outcome: 'not_sent', httpCode: '401' },
		logIn: (_request, response) => json(response, 401, { message: 'Wrong key', errors: '' }),
	},
	{
		name: '404',
		expected: { code: 'not_found', outcome: 'not_done', httpCode: '404' },
		respond: (response) => json(response, 404, { message: 'Not possible', errors: '' }),
	},
	{
		name: '500',
		expected: { code: 'service_error', outcome: 'unknown', httpCode: '500' },
		respond: (response) => json(response, 500, { message: 'Not possible', errors: '' }),
	},
	{
		name: 'a connection that breaks',
		expected: { code: 'connection_failed', outcome: 'unknown', httpCode: null },
		respond: (response) => void response.destroy(),
	},
];

test.each(SITUATIONS)('$name: code and outcome are in an error item, on the error output, and where it stops the node',
	async (situation) => {
	const { expected, respond = (response) => json(response, 201, { id: '1' }), logIn, parameters = addCustomer(VAT_NUMBER) } = situation;
	const { code, outcome, httpCode } = expected;
	const service = await startService((_request, response) => respond(response), logIn);
	const add = async (settings: Partial<INode>) => await execute({ parameters, credential: credentialFor(service.url), settings });
	const continued = await add({ onError: 'continueRegularOutput' });
	const failure = continued.output[0]?.json.error as { message: string; description: string | null };
	expect(Object.keys(failure)).toEqual(['message', 'description', 'httpCode', 'code', 'outcome']);
	expect(failure).toMatchObject({ message: expect.stringMatching(/\w{3}/), ...expected });
	expect(String(failure.description).includes(MAY_EXIST)).toBe(outcome === 'unknown');
	expect(continued).toMatchObject({ error: undefined, output: [{}], errors: [] });
	expect(await add({ onError: 'continueErrorOutput' }))
		.toMatchObject({ error: undefined, output: [], errors: [{ json: { error: failure } }] });
	const { error, output } = await add({});
	const { message, description } = failure;
	expect(output).toEqual([]);
	expect(error).toMatchObject({ name: 'NodeApiError', message, httpCode, context: { code, outcome, itemIndex: 0 } });
	expect(error?.description ?? null).toBe(description);
	expect(service.requests).toHaveLength(outcome === 'not_sent' ? 0 : 3);
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
