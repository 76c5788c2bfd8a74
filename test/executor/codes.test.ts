import type { ServerResponse } from 'node:http';

import type { ICredentialDataDecryptedObject, INode, INodeParameters } from 'n8n-workflow';

import { CredentialStore, credentialFor } from '../support/executor/credentialStore';
import { execute, type Result } from '../support/executor/execute';
import { addCustomer, getGateway } from '../support/operations';
import { Polling } from '../support/executor/poll';
import { json, raw, Recorder, type Script } from '../support/recorder';

const VAT_NUMBER = 'IT12345678903';
const MAY_EXIST = `The customer with VAT number ${VAT_NUMBER} may already exist. Check before retrying`;

interface Situation {
	name: string;
	code: string;
	outcome: 'not_sent' | 'not_done' | 'unknown';
	httpCode: string | null;
	/** Responds to the create; by default with a 201. */
	respond?: (response: ServerResponse) => void;
	/** Responds to the login; by default with a token. */
	logIn?: (response: ServerResponse) => void;
	/** Whether the port of the service is closed before the run, without a token or with one. */
	closed?: 'beforeLogin' | 'afterLogin';
	parameters?: INodeParameters;
	credential?: Partial<ICredentialDataDecryptedObject>;
}

const status = (httpCode: number, code: string, outcome: Situation['outcome']): Situation => ({
	name: String(httpCode),
	code,
	outcome,
	httpCode: String(httpCode),
	respond: (response) => json(response, httpCode, { status: 'X', message: 'Not possible', errors: '' }),
});

const SITUATIONS: Situation[] = [
	{ name: 'a parameter that is not valid', code: 'invalid_parameter', outcome: 'not_sent', httpCode: null, parameters: addCustomer(VAT_NUMBER, { otherFields: '[1]' }) },
	{ name: 'an option that is not valid', code: 'invalid_parameter', outcome: 'not_sent', httpCode: null, parameters: addCustomer(VAT_NUMBER, { options: { maxRetries: 'many' } }) },
	{ name: 'a base URL that cannot be used', code: 'invalid_credential', outcome: 'not_sent', httpCode: null, credential: { baseUrl: 'not a url' } },
	{ name: 'a wrong key', code: 'login_failed', outcome: 'not_sent', httpCode: '401', logIn: (response) => json(response, 401, { message: 'Wrong key', errors: '' }) },
	{ name: 'a login answered 500', code: 'login_failed', outcome: 'not_sent', httpCode: '500', logIn: (response) => json(response, 500, { message: 'Oops', errors: '' }) },
	{ name: 'a login without a token', code: 'login_failed', outcome: 'not_sent', httpCode: '200', logIn: (response) => json(response, 200, {}) },
	{ name: 'a login that finds the port closed', code: 'login_failed', outcome: 'not_sent', httpCode: null, closed: 'beforeLogin' },
	status(401, 'unauthorized', 'not_done'),
	status(403, 'forbidden', 'not_done'),
	status(404, 'not_found', 'not_done'),
	status(429, 'rate_limited', 'not_done'),
	{ ...status(302, 'rejected', 'unknown'), respond: (response) => void response.writeHead(302, { Location: 'https://elsewhere.example/' }).end() },
	status(400, 'rejected', 'not_done'),
	status(409, 'rejected', 'not_done'),
	status(422, 'rejected', 'not_done'),
	status(500, 'service_error', 'unknown'),
	status(502, 'service_error', 'unknown'),
	{ ...status(503, 'service_error', 'unknown'), name: '503 without Retry-After' },
	status(504, 'service_error', 'unknown'),
	{ ...status(503, 'service_error', 'not_done'), name: '503 with Retry-After', respond: (response) => void response.writeHead(503, { 'Retry-After': '1' }).end() },
	{ name: 'a port that is closed after the login', code: 'connection_failed', outcome: 'not_sent', httpCode: null, closed: 'afterLogin' },
	{ name: 'a connection that breaks after the request arrived', code: 'connection_failed', outcome: 'unknown', httpCode: null, respond: (response) => void response.destroy() },
	{
		name: 'a time-out',
		code: 'connection_failed',
		outcome: 'unknown',
		httpCode: null,
		// Long enough for the login on a slow machine.
		parameters: addCustomer(VAT_NUMBER, { requestOptions: { timeout: 700 } }),
		respond: () => {},
	},
	{ name: '200 with an HTML page', code: 'invalid_response', outcome: 'unknown', httpCode: '200', respond: (response) => raw(response, 200, 'text/html', '<html></html>') },
	{ name: '201 with JSON that is cut off', code: 'invalid_response', outcome: 'unknown', httpCode: '201', respond: (response) => raw(response, 201, 'application/json', '{"id":') },
];

/** Adds one customer in the situation, with the URL of the service as `URL` in all texts. */
async function addIn({ respond, logIn, closed, parameters = addCustomer(VAT_NUMBER), credential }: Situation, settings: Partial<INode>) {
	const script: Script | undefined = logIn && ((_request, response) => logIn(response));
	const service = await Recorder.start(({ method }, response) => (method === 'POST' && respond ? respond(response) : json(response, 201, { id: '1' })), script);
	let key: ICredentialDataDecryptedObject | CredentialStore = credentialFor(service.url, credential);
	try {
		if (closed === 'afterLogin') key = (await execute({ parameters: getGateway('1'), credential: key })).store;
		if (closed) await service.close();
		const result = await execute({ parameters: { ...parameters, options: { maxRetries: 0, ...(parameters.options as object) } }, credential: key, settings });
		return { ...result, arrived: service.requests.filter(({ method }) => method === 'POST'), plain: (text: unknown) => (typeof text === 'string' ? text.replaceAll(service.url, 'URL') : (text ?? null)) };
	} finally {
		if (!closed) await service.close();
	}
}

describe.each(SITUATIONS)('$name', (situation) => {
	const { code, outcome, httpCode } = situation;

	const expectDescription = (description: unknown) => {
		if (outcome === 'unknown') expect(description).toContain(MAY_EXIST);
		else expect(String(description)).not.toMatch(/may already exist/);
	};
	const expectArrived = ({ length }: unknown[]) => expect(length > 0).toBe(outcome !== 'not_sent');

	test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(`under %s gives an error item with code ${code} and outcome ${outcome}`, async (onError) => {
		const { error, output, errors, arrived } = await addIn(situation, { onError });
		expect(error).toBeUndefined();
		const items: Result['output'] = onError === 'continueErrorOutput' ? errors : output;
		expect([output.length + errors.length, items.length]).toEqual([1, 1]);
		const { error: failure } = items[0]!.json as { error: { message: string; description: string | null } };
		expect(Object.keys(failure)).toEqual(['message', 'description', 'httpCode', 'code', 'outcome']);
		expect(failure).toMatchObject({ message: expect.stringMatching(/\w{3}/), httpCode, code, outcome });
		expectDescription(failure.description);
		expectArrived(arrived);
	});

	test(`stops the node by an error with code ${code} and outcome ${outcome} in its context, and the same texts`, async () => {
		const { error, output, arrived, plain } = await addIn(situation, {});
		expect(output).toEqual([]);
		expect(error?.name).toBe('NodeApiError');
		expect(error?.context).toMatchObject({ code, outcome, itemIndex: 0 });
		expect(error?.httpCode ?? null).toBe(httpCode);
		expectDescription(error?.description);
		expectArrived(arrived);
		const continued = await addIn(situation, { onError: 'continueRegularOutput' });
		const { message, description } = continued.output[0]!.json.error as { message: string; description: string | null };
		expect([plain(error?.message), plain(error?.description)]).toEqual([continued.plain(message), continued.plain(description)]);
	});
});

describe('a credential that n8n cannot read', () => {
	class Unreadable extends CredentialStore {
		constructor() {
			super(credentialFor('https://api.example.com'));
		}

		override async getDecrypted(): Promise<never> {
			throw new Error('The credential does not exist');
		}
	}

	test('is code invalid_credential and outcome not_sent, in a node and in the trigger', async () => {
		const { error } = await execute({ parameters: addCustomer(VAT_NUMBER), credential: new Unreadable() });
		const polled = await new Polling({ gatewayIds: '1' }, new Unreadable()).poll();
		for (const each of [error, polled.error]) {
			expect(each?.message).toBe('The credential does not exist');
			expect(each?.context).toMatchObject({ code: 'invalid_credential', outcome: 'not_sent' });
		}
	});
});

describe('the outcome of a request that creates nothing', () => {
	test('is unknown after a 500, but no description says that something may exist', async () => {
		const service = await Recorder.start((_request, response) => json(response, 500, { message: 'Oops', errors: '' }));
		const { error } = await execute({ parameters: getGateway('1'), credential: credentialFor(service.url) });
		expect(error?.context).toMatchObject({ code: 'service_error', outcome: 'unknown' });
		expect(error?.description).not.toContain('may already exist');
		await service.close();
	});
});

describe("the trigger's error", () => {
	const pollWith = async (
		respond: (response: ServerResponse, target: string) => void,
		parameters: INodeParameters,
		credential: Partial<ICredentialDataDecryptedObject> = {},
	) => {
		const service = await Recorder.start(({ target }, response) => respond(response, target));
		try {
			return await new Polling({ options: { maxRetries: 0 }, ...parameters }, credentialFor(service.url, credential)).poll();
		} finally {
			await service.close();
		}
	};
	const fails = (response: ServerResponse) => json(response, 500, { message: 'Oops', errors: '' });

	test.each<[string, INodeParameters, Partial<ICredentialDataDecryptedObject>, (response: ServerResponse) => void, object]>([
		['a parameter that is not valid', { gatewayIds: '..' }, {}, fails, { code: 'invalid_parameter', outcome: 'not_sent' }],
		['a base URL that cannot be used', { gatewayIds: '1' }, { baseUrl: 'not a url' }, fails, { code: 'invalid_credential', outcome: 'not_sent' }],
		['a 500', { gatewayIds: '1' }, {}, fails, { code: 'service_error', outcome: 'unknown' }],
		['a 403', { gatewayIds: '1' }, {}, (response) => json(response, 403, { message: 'No', errors: '' }), { code: 'forbidden', outcome: 'not_done' }],
		['a 404 that is not of the API', { gatewayIds: '1' }, {}, (response) => raw(response, 404, 'text/html', '<html></html>'), { code: 'not_found', outcome: 'not_done' }],
		['200 with an HTML page', { gatewayIds: '1' }, {}, (response) => raw(response, 200, 'text/html', '<html></html>'), { code: 'invalid_response', outcome: 'unknown' }],
	])('has its code and outcome in its context: %s', async (_name, parameters, credential, respond, expected) => {
		const { error, items } = await pollWith(respond, parameters, credential);
		expect(items).toBeNull();
		expect(error?.context).toMatchObject(expected);
	});

	test('has them also when it is emitted beside the items', async () => {
		const { error, items, emitted } = await pollWith(
			(response, target) => (target.endsWith('/2') ? fails(response) : json(response, 200, { id: '1' })),
			{ gatewayIds: '1, 2', options: { emitOnFirstPoll: true } },
		);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
		expect(emitted.map(({ context }) => context)).toMatchObject([{ code: 'service_error', outcome: 'unknown' }]);
	});
});
