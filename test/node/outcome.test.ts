import type { ServerResponse } from 'node:http';

import type { ICredentialDataDecryptedObject, IHttpRequestOptions, INode } from 'n8n-workflow';

import { CredentialStore, credentialFor } from '../support/credentialStore';
import { execute, type Execution } from '../support/execute';
import { addCustomer, getGateway, numbered } from '../support/operations';
import { type Arrived, json, raw, Recorder } from '../support/recorder';

const RETRY: Partial<INode> = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 };
const customerOfItem = addCustomer('={{ "C" + $json.n }}');
const vatNumberOf = ({ body }: Arrived) => (JSON.parse(body) as { vatNumber: string }).vatNumber;

/** Runs creates against a service that answers as it is told, and says which customers arrived, in order. */
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

describe('a create whose outcome is not known', () => {
	const UNKNOWN: Array<[string, (response: ServerResponse) => void]> = [
		...[500, 501, 502, 503, 504, 507, 520, 599].map((status): [string, (response: ServerResponse) => void] => [
			`was answered ${status}`,
			(response) => json(response, status, { message: 'Oops', errors: '' }),
		]),
		['was answered 503 with a Retry-After that says nothing', (response) => void response.writeHead(503, { 'Retry-After': 'soon' }).end()],
		['was answered 200 with an HTML page', (response) => raw(response, 200, 'text/html', '<html></html>')],
		['was answered 201 with JSON that is cut off', (response) => raw(response, 201, 'application/json', '{"id":')],
		['was answered 201 with JSON nested without end', (response) => raw(response, 201, 'application/json', `${'['.repeat(100_000)}${']'.repeat(100_000)}`)],
		['had its connection broken', (response) => response.destroy()],
		['had its connection broken in the middle of the reply', (response) => {
			response.writeHead(201, { 'Content-Type': 'application/json', 'Content-Length': '1000' }).write('{"id"');
			setTimeout(() => response.destroy(), 20);
		}],
	];

	test.each(UNKNOWN)('and that %s: is not sent again by Retry On Fail, and the error names it', async (_name, answer) => {
		const { arrived, description } = await creates((response, index) => (index === 0 ? answer(response) : created(response)), { settings: RETRY });
		expect(arrived).toEqual(['C0']);
		expect(description).toContain('The customer with VAT number C0 may have been created nevertheless');
		expect(description).toContain('Retry On Fail did not send it again');
	});

	test('and that was not answered in time: is not sent again', async () => {
		const { arrived, description } = await creates(() => {}, { settings: RETRY, parameters: { ...customerOfItem, requestOptions: { timeout: 100 } } });
		expect(arrived).toEqual(['C0']);
		expect(description).toContain('may have been created nevertheless');
	});
});

describe('a create that the service did not carry out', () => {
	const NOT_DONE: Array<[string, (response: ServerResponse) => void]> = [
		...[400, 404, 408, 409, 422].map((status): [string, (response: ServerResponse) => void] => [String(status), (response) => json(response, status, { message: 'No', errors: '' })]),
		['a redirect', (response) => void response.writeHead(307, { Location: 'https://elsewhere.example/' }).end()],
		['503 with Retry-After in seconds', (response) => void response.writeHead(503, { 'Retry-After': '0' }).end()],
		['503 with Retry-After as a date', (response) => void response.writeHead(503, { 'Retry-After': new Date().toUTCString() }).end()],
	];

	test.each(NOT_DONE)('%s: is sent again by Retry On Fail, and nothing says that it may exist', async (_name, answer) => {
		const once = await creates((response, index) => (index === 0 ? answer(response) : created(response)), { settings: RETRY });
		expect(once.error).toBeUndefined();
		expect(once.arrived).toEqual(['C0', 'C0']);
		const never = await creates(answer);
		expect(never.arrived).toEqual(['C0']);
		expect(never.description).not.toContain('may have been created');
	});
});

describe('what n8n itself could not do', () => {
	/** n8n fails before the first request leaves, in words that could be of the connection. */
	class FailingOnce extends CredentialStore {
		private failures = 1;

		override async authenticate(credentials: ICredentialDataDecryptedObject, type: string, options: IHttpRequestOptions): Promise<IHttpRequestOptions> {
			if (this.failures-- > 0) throw Object.assign(new Error('timeout exceeded when trying to connect'), { code: 'ECONNRESET' });
			return await super.authenticate(credentials, type, options);
		}
	}

	test('leaves no create in doubt: it says that nothing was sent', async () => {
		const service = await Recorder.start((_request, response) => created(response));
		const { error } = await execute({ items: numbered(1), parameters: customerOfItem, credential: new FailingOnce(credentialFor(service.url)) });
		expect(error?.message).toBe('timeout exceeded when trying to connect');
		expect(error?.description).toBe('The request was not sent');
		expect(service.requests).toEqual([]);
		await service.close();
	});

	test('is made up for by Retry On Fail', async () => {
		const service = await Recorder.start((_request, response) => created(response));
		const { error } = await execute({ items: numbered(3), parameters: customerOfItem, credential: new FailingOnce(credentialFor(service.url)), settings: RETRY });
		expect(error).toBeUndefined();
		expect(service.requests.map(vatNumberOf).sort()).toEqual(['C0', 'C1', 'C2']);
		await service.close();
	});

	test('a base URL that is changed while a run goes on holds from the next one on', async () => {
		const store = new CredentialStore({});
		const service = await Recorder.start((_request, response) => {
			store.stored.baseUrl = 'http://127.0.0.1:9';
			setTimeout(() => created(response), 20);
		});
		store.stored = credentialFor(service.url);
		const { error, output } = await execute({ items: numbered(60), parameters: { ...customerOfItem, options: { maxConcurrency: 1 } }, credential: store });
		expect(error).toBeUndefined();
		expect(output).toHaveLength(60);
		await service.close();
	});
});

test('a connection that is refused leaves no create in doubt', async () => {
	const service = await Recorder.start((_request, response) => json(response, 200, {}));
	// For the token, as a login that fails sends nothing either.
	const { store } = await execute({ parameters: getGateway('1'), credential: credentialFor(service.url) });
	await service.close();
	const { error } = await execute({ items: numbered(1), parameters: customerOfItem, credential: store });
	expect(error?.message).toMatch(/^Nothing answers at .+ \(connection refused\)$/);
	expect(String(error?.description)).not.toContain('may have been created');
});

describe('a request that is sent again', () => {
	const SLOW_MS = 20;
	const gatewayOfItem = (options: object) => ({ ...getGateway('={{ $json.n }}'), options }) as Execution['parameters'];

	test('goes before those that its run has not sent yet', async () => {
		const service = await Recorder.start((_request, response, index) => setTimeout(() => json(response, index === 0 ? 502 : 200, {}), SLOW_MS));
		const { error } = await execute({ items: numbered(100), parameters: gatewayOfItem({ maxConcurrency: 1 }), credential: credentialFor(service.url) });
		expect(error).toBeUndefined();
		const again = service.requests.map(({ target }) => target).lastIndexOf('/v1/voip/dss/gtw/0');
		// After a wait of at most 250 ms, in which no more than 13 are answered; 100 when it queues behind all.
		expect(again).toBeLessThan(30);
		await service.close();
	});

	test('and fails for good stops its run while most of it is not sent', async () => {
		const service = await Recorder.start(({ target }, response) => setTimeout(() => json(response, target.endsWith('/0') ? 502 : 200, {}), SLOW_MS));
		const { error } = await execute({ items: numbered(200), parameters: gatewayOfItem({ maxConcurrency: 2, maxRetries: 1 }), credential: credentialFor(service.url) });
		expect(error?.httpCode).toBe('502');
		expect(service.requests.length).toBeLessThan(100);
		await service.close();
	});
});

describe('Validate VAT Number', () => {
	const withSwitch = (validateVatNumber: unknown) => addCustomer('12345678904', { options: { validateVatNumber } as never });
	const run = async (validateVatNumber: unknown) => await creates(created, { items: [{}], parameters: withSwitch(validateVatNumber) });

	test.each([true, 'true', ' TRUE '])('given as %j is on', async (given) => {
		const { error, arrived } = await run(given);
		expect(error?.message).toMatch(/^VAT Number: "12345678904" is not accepted/);
		expect(arrived).toEqual([]);
	});

	test.each([false, 'false', '', null])('given as %j is off', async (given) => {
		expect((await run(given)).arrived).toEqual(['12345678904']);
	});

	test.each(['yes', 1, '1', 'on', {}])('given as %j is not valid', async (given) => {
		const { error, arrived } = await run(given);
		expect(error?.message).toMatch(/^Validate VAT Number: .+ is not accepted\. Enter true or false$/);
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

test.each([[200, undefined], [201, /JSON nested more than 200 levels deep/]])('a reply of %i levels', async (levels, message) => {
	const { error } = await creates((response) => raw(response, 201, 'application/json', `${'['.repeat(levels)}${']'.repeat(levels)}`));
	if (message) expect(error?.message).toMatch(message);
	else expect(error).toBeUndefined();
});
