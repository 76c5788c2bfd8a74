import type { ServerResponse } from 'node:http';

import type { ICredentialDataDecryptedObject, IHttpRequestOptions, INode } from 'n8n-workflow';

import { CredentialStore, credentialFor } from '../support/executor/credentialStore';
import { execute, type Execution } from '../support/executor/execute';
import { addCustomer, getGateway, numbered, setPremium } from '../support/operations';
import { type Arrived, json, raw, Recorder } from '../support/recorder';

const RETRY: Partial<INode> = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 };
const customerWith = (options: { maxConcurrency?: number }) => addCustomer('={{ "C" + $json.n }}', { options });
const customerOfItem = customerWith({});
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
	const UNKNOWN: Array<[string, (response: ServerResponse) => void]> = [
		...[500, 501, 502, 503, 504, 507, 520, 599].map((status): [string, (response: ServerResponse) => void] => [
			`was answered ${status}`,
			(response) => json(response, status, { message: 'Oops', errors: '' }),
		]),
		['was answered 503 with a Retry-After that cannot be read', (response) => void response.writeHead(503, { 'Retry-After': 'soon' }).end()],
		['was answered 200 with an HTML page', (response) => raw(response, 200, 'text/html', '<html></html>')],
		['was answered 201 with JSON that is cut off', (response) => raw(response, 201, 'application/json', '{"id":')],
		['was answered 201 with JSON nested without end', (response) => raw(response, 201, 'application/json', `${'['.repeat(100_000)}${']'.repeat(100_000)}`)],
		['had its connection broken', (response) => response.destroy()],
		['had its connection broken in the middle of the response', (response) => {
			response.writeHead(201, { 'Content-Type': 'application/json', 'Content-Length': '1000' }).write('{"id"');
			setTimeout(() => response.destroy(), 20);
		}],
	];

	test.each(UNKNOWN)('because it %s is not sent again by Retry On Fail, and the error names it', async (_name, answer) => {
		const { arrived, description } = await creates((response, index) => (index === 0 ? answer(response) : created(response)), { settings: RETRY });
		expect(arrived).toEqual(['C0']);
		expect(description).toContain('The customer with VAT number C0 may already exist. Check before retrying');
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
		...[400, 404, 408, 409, 422].map((status): [string, (response: ServerResponse) => void] => [String(status), (response) => json(response, status, { message: 'No', errors: '' })]),
		['503 with Retry-After in seconds', (response) => void response.writeHead(503, { 'Retry-After': '0' }).end()],
		['503 with Retry-After as a date', (response) => void response.writeHead(503, { 'Retry-After': new Date().toUTCString() }).end()],
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

	test('has a known outcome: nothing was sent', async () => {
		const service = await Recorder.start((_request, response) => created(response));
		const { error } = await execute({ items: numbered(1), parameters: customerOfItem, credential: new FailingOnce(credentialFor(service.url)) });
		expect(error?.message).toBe('timeout exceeded when trying to connect');
		expect(error?.description).toBe('The request was not sent.\nThe customer with VAT number C0 was not created.');
		expect(service.requests).toEqual([]);
		await service.close();
	});

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
		if (status === 500) expect(error?.description).toContain('The customer with VAT number C0 may already exist. Check before retrying');
		expect(service.requests.map(vatNumberOf).sort()).toEqual(numbered(items).map(({ n }) => `C${n}`));
		await service.close();
	});

	test('a base URL that changes during a run takes effect in the next run', async () => {
		const store = new CredentialStore({});
		const service = await Recorder.start((_request, response) => {
			store.stored.baseUrl = 'http://127.0.0.1:9';
			setTimeout(() => created(response), 20);
		});
		store.stored = credentialFor(service.url);
		const { error, output } = await execute({ items: numbered(60), parameters: customerWith({ maxConcurrency: 1 }), credential: store });
		expect(error).toBeUndefined();
		expect(output).toHaveLength(60);
		const next = await execute({ items: numbered(1), parameters: customerOfItem, credential: store });
		expect(next.error?.message).toContain('http://127.0.0.1:9');
		await service.close();
	});
});

test('a create whose connection is refused has a known outcome: nothing was sent', async () => {
	const service = await Recorder.start((_request, response) => json(response, 200, {}));
	// For the token, as a login that fails sends nothing either.
	const { store } = await execute({ parameters: getGateway('1'), credential: credentialFor(service.url) });
	await service.close();
	const { error } = await execute({ items: numbered(1), parameters: customerOfItem, credential: store });
	expect(error?.message).toMatch(/^Nothing answers at .+ \(connection refused\); check the base URL, and whether the service is running$/);
	expect(error?.description).toBe('The customer with VAT number C0 was not created.\nAttempts: 4.');
	expect(String(error?.description)).not.toContain('may already exist');
});

describe('a retry', () => {
	const SLOW_MS = 20;
	const gatewayOfItem = (options: object) => ({ ...getGateway('={{ $json.n }}'), options }) as Execution['parameters'];

	test('goes before requests that were not sent yet', async () => {
		const service = await Recorder.start((_request, response, index) => setTimeout(() => json(response, index === 0 ? 502 : 200, {}), SLOW_MS));
		const { error } = await execute({ items: numbered(100), parameters: gatewayOfItem({ maxConcurrency: 1 }), credential: credentialFor(service.url) });
		expect(error).toBeUndefined();
		const again = service.requests.map(({ target }) => target).lastIndexOf('/v1/voip/dss/gtw/0');
		// After a wait of at most 250 ms, in which no more than 13 are answered; 100 when it queues behind all.
		expect(again).toBeLessThan(30);
		await service.close();
	});

	test('that fails stops its run before most of it is sent', async () => {
		const service = await Recorder.start(({ target }, response) => setTimeout(() => json(response, target.endsWith('/0') ? 502 : 200, {}), SLOW_MS));
		const parameters = gatewayOfItem({ maxConcurrency: 2, maxRetries: 1 });
		const { error } = await execute({ items: numbered(200), parameters, credential: credentialFor(service.url) });
		expect(error?.httpCode).toBe('502');
		expect(service.requests.length).toBeLessThan(100);
		await service.close();
	});
});

describe('Validate VAT Number', () => {
	const withSwitch = (validateVatNumber: unknown) => addCustomer('12345678904', { options: { validateVatNumber } as never });
	const run = async (validateVatNumber: unknown) => await creates(created, { items: [{}], parameters: withSwitch(validateVatNumber) });

	test('is on where it has not been added', async () => {
		const { error, arrived } = await creates(created, { items: [{}], parameters: { ...addCustomer('12345678904'), options: {} } });
		expect(error?.message).toMatch(/^'VAT Number' is not valid: "12345678904"/);
		expect(arrived).toEqual([]);
	});

	test.each([true, 'true', ' TRUE ', '', ' ', null, '={{ $json.missing }}'])('given as %j is on', async (given) => {
		const { error, arrived } = await run(given);
		expect(error?.message).toMatch(/^'VAT Number' is not valid: "12345678904"\. The check digit of this Italian VAT number is wrong/);
		expect(arrived).toEqual([]);
	});

	test.each([false, 'false'])('given as %j is off', async (given) => {
		expect((await run(given)).arrived).toEqual(['12345678904']);
	});

	test.each(['yes', 1, '1', 'on', {}])('given as %j is not valid', async (given) => {
		const { error, arrived } = await run(given);
		expect(error?.message).toMatch(/^'Validate VAT Number' is not valid: .+\. Enter true or false$/);
		expect(arrived).toEqual([]);
	});
});

test('a gateway id and its organization are sent without the white space around them', async () => {
	const service = await Recorder.start((_request, response) => raw(response, 200, 'text/plain', ''));
	const { output } = await execute({ parameters: getGateway(' 12\n', { organizationId: '\t10 ' }), credential: credentialFor(service.url) });
	expect(service.requests.map(({ target }) => target)).toEqual(['/v1/voip/dss/gtw/12/10']);
	expect(output[0]?.json).toEqual({ success: true, gatewayId: '12', organizationId: '10' });
	await service.close();
});

test.each([[200, undefined], [201, /JSON nested more than 200 levels deep/]])('a response of %i levels', async (levels, message) => {
	const { error } = await creates((response) => raw(response, 201, 'application/json', `${'['.repeat(levels)}${']'.repeat(levels)}`));
	if (message) expect(error?.message).toMatch(message);
	else expect(error).toBeUndefined();
});

describe('the outcome of a request that was retried', () => {
	test.each<[string, number, (response: ServerResponse) => void, string, string]>([
		['504, then 429', 504, (response) => json(response, 429, { message: 'Slow down', errors: '' }), 'rate_limited', 'unknown'],
		['504, then 400', 504, (response) => json(response, 400, { message: 'Premium is set already', errors: '' }), 'rejected', 'unknown'],
		['429, then 400', 429, (response) => json(response, 400, { message: 'No', errors: '' }), 'rejected', 'not_done'],
	])('%s: is that of the attempt that may have been done', async (_name, first, last, code, outcome) => {
		const service = await Recorder.start((_request, response, index) => (index === 0 ? json(response, first, { message: 'Oops', errors: '' }) : last(response)));
		const { error } = await execute({
			parameters: setPremium(1001, 'IT', { options: { maxRetries: 1 } }),
			credential: credentialFor(service.url),
		});
		expect(error?.context).toMatchObject({ code, outcome });
		expect(service.requests).toHaveLength(2);
		await service.close();
	});
});

test('a create is not sent again after an error nested too deep: its outcome is unknown', async () => {
	const service = await Recorder.start((_request, response) =>
		raw(response, 502, 'application/json', `{"message":"Bad","errors":${'['.repeat(6_000)}1${']'.repeat(6_000)}}`),
	);
	const { error } = await execute({ parameters: addCustomer('1'), credential: credentialFor(service.url), settings: RETRY });
	expect(error?.message).toBe('Bad. The customer with VAT number 1 may already exist');
	expect(error?.description).toContain('The customer with VAT number 1 may already exist');
	expect(service.requests).toHaveLength(1);
	await service.close();
});
