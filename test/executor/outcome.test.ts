import type { ServerResponse } from 'node:http';

import type { ICredentialDataDecryptedObject, IHttpRequestOptions, INode } from 'n8n-workflow';

import { CredentialStore, credentialFor } from '../support/executor/credentialStore';
import { execute, type Execution } from '../support/executor/execute';
import { addCustomer, getGateway, numbered, setPremium } from '../support/operations';
import { type Arrived, json, raw, Recorder } from '../support/recorder';

const RETRY: Partial<INode> = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 };
const customerOfItem = addCustomer('={{ "C" + $json.n }}');
const vatNumberOf = ({ body }: Arrived) => (JSON.parse(body) as { vatNumber: string }).vatNumber;

/** Runs creates against a scripted service, and returns which customers arrived, in order. */
async function creates(
	answer: (response: ServerResponse, index: number, vatNumber: string) => void,
	{ items = numbered(1), ...more }: Partial<Execution> = {},
) {
	const service = await Recorder.start((request, response, index) => answer(response, index, vatNumberOf(request)));
	const result = await execute({ items, parameters: customerOfItem, credential: credentialFor(service.url), ...more });
	await service.close();
	return { ...result, arrived: service.requests.map(vatNumberOf), description: String(result.error?.description) };
}

const created = (response: ServerResponse) => json(response, 201, { id: '1' });

describe('a create whose outcome is unknown', () => {
	const NESTED = `${'['.repeat(6_000)}${']'.repeat(6_000)}`;
	const ERRORS = `{"message":"Bad","errors":${NESTED}}`;
	const UNKNOWN: Array<[string, (response: ServerResponse) => void]> = [
		...[500, 503].map((status): [string, (response: ServerResponse) => void] => [
			`was answered ${status}`,
			(response) => json(response, status, { message: 'Oops', errors: '' }),
		]),
		['was answered 200 with an HTML page', (response) => raw(response, 200, 'text/html', '<html></html>')],
		['was answered 201 with JSON that is cut off', (response) => raw(response, 201, 'application/json', '{"id":')],
		['was answered 201 with JSON nested without end', (response) => raw(response, 201, 'application/json', NESTED)],
		['was answered 502 with errors nested without end', (response) => raw(response, 502, 'application/json', ERRORS)],
		['had its connection broken', (response) => response.destroy()],
		['had its connection broken in the middle of the response', (response) => {
			response.writeHead(201, { 'Content-Type': 'application/json', 'Content-Length': '1000' }).write('{"id"');
			setTimeout(() => response.destroy(), 20);
		}],
	];

	test.each(UNKNOWN)('because it %s is not sent again by Retry On Fail, and the error names it', async (_name, answer) => {
		const { arrived, description } = await creates((response, index) => (index === 0 ? answer(response) : created(response)), { settings: RETRY });
		expect(arrived).toEqual(['C0']);
		expect(description).toContain('The customer with VAT number C0 may already exist. Look for it');
		expect(description).toContain('The node did not send it again under Retry On Fail');
	});

	test('because it timed out is not sent again', async () => {
		const service = await Recorder.start(({ method }, response) => method === 'GET' && json(response, 200, {}));
		// The login is over before the time of the create begins.
		const { store } = await execute({ parameters: getGateway('1'), credential: credentialFor(service.url) });
		const parameters = { ...customerOfItem, requestOptions: { timeout: 1_000 } };
		const { error } = await execute({ items: numbered(1), parameters, credential: store, settings: RETRY });
		expect(service.requests.filter(({ method }) => method === 'POST').map(vatNumberOf)).toEqual(['C0']);
		expect(error?.description).toContain('may already exist');
		await service.close();
	});
});

describe('a create that was not done', () => {
	const NOT_DONE: Array<[string, (response: ServerResponse) => void]> = [
		['400', (response) => json(response, 400, { message: 'No', errors: '' })],
		['503 with Retry-After in seconds', (response) => void response.writeHead(503, { 'Retry-After': '0' }).end()],
	];

	test.each(NOT_DONE)('%s: is sent again by Retry On Fail, and the error does not say that it may exist', async (_name, answer) => {
		const once = await creates((response, index) => (index === 0 ? answer(response) : created(response)), { settings: RETRY });
		expect(once.error).toBeUndefined();
		expect(once.arrived).toEqual(['C0', 'C0']);
		const never = await creates(answer);
		expect(never.arrived).toEqual(['C0']);
		expect(never.description).not.toContain('may already exist');
	});
});

describe('a failure of n8n itself', () => {
	/** n8n fails before the first request leaves, with a message that could be of the connection. */
	class FailingOnce extends CredentialStore {
		private failures = 1;

		override async authenticate(credentials: ICredentialDataDecryptedObject, type: string, options: IHttpRequestOptions): Promise<IHttpRequestOptions> {
			if (this.failures-- > 0) throw Object.assign(new Error('timeout exceeded when trying to connect'), { code: 'ECONNRESET' });
			return await super.authenticate(credentials, type, options);
		}
	}

	test('is recovered from by Retry On Fail', async () => {
		const service = await Recorder.start((_request, response) => created(response));
		const credential = new FailingOnce(credentialFor(service.url));
		const { error } = await execute({ items: numbered(3), parameters: customerOfItem, credential, settings: RETRY });
		expect(error).toBeUndefined();
		expect(service.requests.map(vatNumberOf).sort()).toEqual(['C0', 'C1', 'C2']);
		await service.close();
	});

	test.each([
		// The only item: its outcome is still unknown.
		[500, 1, { itemIndex: 0, code: 'service_error', outcome: 'unknown' }],
		// The first of two: it gives its output again, and the error is that of the other.
		[201, 2, { itemIndex: 1, code: 'invalid_credential', outcome: 'not_sent' }],
	])('a create that was answered %i keeps its result under Retry On Fail when the credential cannot be used any more', async (status, items, context) => {
		const store = new CredentialStore({});
		const service = await Recorder.start((request, response) => {
			store.stored.baseUrl = 'not a url';
			json(response, vatNumberOf(request) === 'C1' ? 400 : status, { message: 'Oops', errors: '' });
		});
		store.stored = credentialFor(service.url, { clientSecret: `key-${status}` });
		const { error } = await execute({ items: numbered(items), parameters: customerOfItem, credential: store, settings: RETRY });
		expect(error?.context).toMatchObject(context);
		if (status === 500) expect(error?.description).toContain('The customer with VAT number C0 may already exist. Look for it');
		expect(service.requests.map(vatNumberOf).sort()).toEqual(numbered(items).map(({ n }) => `C${n}`));
		await service.close();
	});
});

test('the outcome of a request that was retried is that of the attempt that may have been done', async () => {
	const body = { message: 'No', errors: '' };
	const service = await Recorder.start((_request, response, index) => json(response, index === 0 ? 504 : 400, body));
	const parameters = setPremium(1001, 'IT', { options: { maxRetries: 1 } });
	const { error } = await execute({ parameters, credential: credentialFor(service.url) });
	expect(error?.context).toMatchObject({ code: 'rejected', outcome: 'unknown' });
	expect(service.requests).toHaveLength(2);
	await service.close();
});

test('Validate VAT Number is on where it has not been added, and off where it is turned off', async () => {
	const withSwitch = (options: object) => ({ parameters: { ...addCustomer('12345678904'), options } as Execution['parameters'] });
	const { error, arrived } = await creates(created, withSwitch({}));
	expect(error?.message).toMatch(/^'VAT Number' is not valid: "12345678904"\. The check digit of this Italian VAT number is wrong/);
	expect(arrived).toEqual([]);
	expect((await creates(created, withSwitch({ validateVatNumber: false }))).arrived).toEqual(['12345678904']);
});
