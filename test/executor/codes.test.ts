import type { ServerResponse } from 'node:http';

import type { ICredentialDataDecryptedObject, IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { CredentialStore, credentialFor } from '../support/executor/credentialStore';
import { execute } from '../support/executor/execute';
import { addCustomer, getGateway } from '../support/operations';
import { Polling } from '../support/executor/poll';
import { json, raw, Recorder, type Script } from '../support/recorder';

const VAT_NUMBER = 'IT12345678903';
const MAY_EXIST = `The customer with VAT number ${VAT_NUMBER} may already exist. Look for it in your provider's records before you send it again`;

interface Situation {
	name: string;
	expected: { code: string; outcome: 'not_sent' | 'not_done' | 'unknown'; httpCode: string | null };
	/** Responds to the create; by default with a 201. */
	respond?: (response: ServerResponse) => void;
	/** Responds to the login; by default with a token. */
	logIn?: Script;
	/** Whether the port of the service is closed once there is a token. */
	isClosed?: boolean;
	parameters?: INodeParameters;
	credential?: Partial<ICredentialDataDecryptedObject>;
}

const saying = (code: string, outcome: Situation['expected']['outcome'], httpCode: string | null = null) => ({ code, outcome, httpCode });

const status = (httpCode: number, code: string, outcome: Situation['expected']['outcome']): Situation => ({
	name: String(httpCode),
	expected: saying(code, outcome, String(httpCode)),
	respond: (response) => json(response, httpCode, { status: 'X', message: 'Not possible', errors: '' }),
});

/** Each code and outcome once, but a 401, for which login.test.ts waits; which status or error has which is a table of classify's tests. */
const SITUATIONS: Situation[] = [
	{
		name: 'a parameter that is not valid',
		expected: saying('invalid_parameter', 'not_sent'),
		parameters: addCustomer(VAT_NUMBER, { otherFields: '[1]' }),
	},
	{ name: 'a base URL that cannot be used', expected: saying('invalid_credential', 'not_sent'), credential: { baseUrl: 'not a url' } },
	{
		name: 'a wrong key',
		expected: saying('login_failed', 'not_sent', '401'),
		logIn: (_request, response) => json(response, 401, { message: 'Wrong key', errors: '' }),
	},
	status(403, 'forbidden', 'not_done'),
	status(404, 'not_found', 'not_done'),
	status(429, 'rate_limited', 'not_done'),
	status(400, 'rejected', 'not_done'),
	{
		...status(302, 'rejected', 'unknown'),
		respond: (response) => void response.writeHead(302, { Location: 'https://elsewhere.example/' }).end(),
	},
	status(500, 'service_error', 'unknown'),
	{
		...status(503, 'service_error', 'not_done'),
		name: '503 with Retry-After',
		respond: (response) => void response.writeHead(503, { 'Retry-After': '1' }).end(),
	},
	{ name: 'a port that is closed after the login', expected: saying('connection_failed', 'not_sent'), isClosed: true },
	{ name: 'a connection that breaks', expected: saying('connection_failed', 'unknown'), respond: (response) => void response.destroy() },
	{
		name: '200 with an HTML page',
		expected: saying('invalid_response', 'unknown', '200'),
		respond: (response) => raw(response, 200, 'text/html', '<html></html>'),
	},
];

/** Adds one customer in the situation, with the URL of the service as `URL` in all texts. */
async function addIn({ respond, logIn, isClosed, parameters = addCustomer(VAT_NUMBER), credential }: Situation, settings: Partial<INode>) {
	const script: Script = ({ method }, response) => (method === 'POST' && respond ? respond(response) : json(response, 201, { id: '1' }));
	const service = await Recorder.start(script, logIn);
	const store = new CredentialStore(credentialFor(service.url, credential));
	if (isClosed) {
		await execute({ parameters: getGateway('1'), credential: store });
		await service.close();
	}
	const options = { maxRetries: 0, ...(parameters.options as object) };
	const { error, output, errors } = await execute({ parameters: { ...parameters, options }, credential: store, settings });
	if (!isClosed) await service.close();
	const plain = (items: typeof output) =>
		JSON.parse(JSON.stringify(items.map((item) => item.json)).replaceAll(service.url, 'URL')) as IDataObject[];
	const text = (given?: string | null) => given?.replaceAll(service.url, 'URL') ?? null;
	return {
		error: error && {
			name: error.name,
			message: text(error.message),
			description: text(error.description),
			httpCode: error.httpCode ?? null,
			context: error.context,
		},
		output: plain(output),
		errors: plain(errors),
		hasArrived: service.requests.some(({ method }) => method === 'POST'),
	};
}

test.each(SITUATIONS)('$name: code and outcome are in an error item, on the error output, and where it stops the node', async (situation) => {
	const { code, outcome, httpCode } = situation.expected;
	const continued = await addIn(situation, { onError: 'continueRegularOutput' });
	const failure = continued.output[0]?.error as { message: string; description: string | null };
	expect(Object.keys(failure)).toEqual(['message', 'description', 'httpCode', 'code', 'outcome']);
	expect(failure).toMatchObject({ message: expect.stringMatching(/\w{3}/), ...situation.expected });
	expect(String(failure.description).includes(MAY_EXIST)).toBe(outcome === 'unknown');
	expect(String(failure.description).includes('may already exist')).toBe(outcome === 'unknown');
	expect(continued).toMatchObject({ error: undefined, output: [{}], errors: [] });
	const beside = await addIn(situation, { onError: 'continueErrorOutput' });
	expect(beside).toMatchObject({ error: undefined, output: [], errors: [{ error: failure }] });
	const stopped = await addIn(situation, {});
	const { message, description } = failure;
	const context = { code, outcome, itemIndex: 0 };
	expect(stopped).toMatchObject({ output: [], error: { name: 'NodeApiError', message, description, httpCode, context } });
	expect([continued, beside, stopped].map(({ hasArrived }) => hasArrived)).toEqual(Array(3).fill(outcome !== 'not_sent'));
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

test('the outcome of a request that creates nothing is unknown after a 500, but no description says that something may exist', async () => {
	const service = await Recorder.start((_request, response) => json(response, 500, { message: 'Oops', errors: '' }));
	const { error } = await execute({ parameters: getGateway('1'), credential: credentialFor(service.url) });
	expect(error?.context).toMatchObject({ code: 'service_error', outcome: 'unknown' });
	expect(error?.description).not.toContain('may already exist');
	await service.close();
});

describe("the trigger's error", () => {
	const pollWith = async (parameters: INodeParameters, credential: Partial<ICredentialDataDecryptedObject> = {}) => {
		const service = await Recorder.start(({ target }, response) =>
			target.endsWith('/1') ? json(response, 200, { id: '1' }) : json(response, 500, { message: 'Oops', errors: '' }),
		);
		const options = { emitOnFirstPoll: true, maxRetries: 0 };
		const polled = await new Polling({ options, ...parameters }, credentialFor(service.url, credential)).poll();
		await service.close();
		return polled;
	};

	test.each<[string, INodeParameters, Partial<ICredentialDataDecryptedObject>, object]>([
		['a parameter that is not valid', { gatewayIds: '..' }, {}, { code: 'invalid_parameter', outcome: 'not_sent' }],
		['a base URL that cannot be used', { gatewayIds: '2' }, { baseUrl: 'not a url' }, { code: 'invalid_credential', outcome: 'not_sent' }],
		['a 500', { gatewayIds: '2' }, {}, { code: 'service_error', outcome: 'unknown' }],
	])('has its code and outcome in its context: %s', async (_name, parameters, credential, expected) => {
		const { error, items } = await pollWith(parameters, credential);
		expect(items).toBeNull();
		expect(error?.context).toMatchObject(expected);
	});

	test('has them also when it is emitted beside the items', async () => {
		const { error, items, emitted } = await pollWith({ gatewayIds: '1, 2' });
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
		expect(emitted.map(({ context }) => context)).toMatchObject([{ code: 'service_error', outcome: 'unknown' }]);
	});
});
