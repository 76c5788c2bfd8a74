import type { ICredentialDataDecryptedObject, IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { credentialFor } from '../support/executor/credentialStore';
import { everyOperation, parametersByPlaceholder } from '../support/everyOperation';
import { execute, type Execution } from '../support/executor/execute';
import { addCustomer, getGateway, numbered, setPremium } from '../support/operations';
import { json, RECORDED_TOKEN, Recorder } from '../support/recorder';
import { fromAI, toolOfAgent } from '../support/executor/toolOfAgent';

const SECRET = 'api-key-of-the-dry-run-3e9d';
const STORED_TOKEN = 'stored-token-of-the-dry-run-7a20';

let service: Recorder;

beforeEach(async () => {
	service = await Recorder.start((_request, response) => json(response, 200, { ok: true }));
});

afterEach(async () => {
	await service.close();
});

const credential = (more: Partial<ICredentialDataDecryptedObject> = {}) =>
	credentialFor(service.url, { clientId: 'client-of-the-dry-run', clientSecret: SECRET, accessToken: STORED_TOKEN, ...more } as ICredentialDataDecryptedObject);

const withOptions = (parameters: INodeParameters, options: object) =>
	({ ...parameters, options: { ...(parameters.options as object), ...options } }) as INodeParameters;
const run = async (parameters: INodeParameters, dryRun: unknown, more: Partial<Execution> = {}) =>
	await execute({ parameters: withOptions(parameters, { dryRun }), credential: credential(), ...more });

const expectNothingSent = () => expect([service.requests, service.logins]).toEqual([[], []]);

interface ShownRequest {
	method: string;
	url: string;
	body?: unknown;
}

/** Every operation by its placeholders, so that a new one is covered, and requests that are harder to show. */
const RUNS: Array<[string, INodeParameters]> = [
	...everyOperation().map((described): [string, INodeParameters] => [`${described.resource}: ${described.operation}`, parametersByPlaceholder(described)]),
	['several countries and every field', setPremium('1001', 'it, FR,276', { additionalFields: { organizationId: 10, premiumAvailable: 'yes', sbcId: 3 } })],
	['fields with odd names', addCustomer('', { otherFields: '{"piva":"12345678903","__proto__":{"x":1},"a.b":[null,{"c":1.5}],"":"è"}' })],
];

describe.each(RUNS)('%s', (_name, parameters) => {
	test('in a dry run returns an item for each request, and sends none of them', async () => {
		const { output, error } = await run(parameters, true);
		expect(error).toBeUndefined();
		expect(output.length).toBeGreaterThan(0);
		for (const { json: item, pairedItem } of output) {
			const { request } = item as { request: ShownRequest };
			expect(item).toStrictEqual({ dryRun: true, request });
			expect(Object.keys(request)).toEqual(request.body === undefined ? ['method', 'url'] : ['method', 'url', 'body']);
			expect(pairedItem).toEqual({ item: 0 });
		}
		expectNothingSent();
	});

	test('in a dry run shows the requests that are sent without it, in order', async () => {
		const { output } = await run(parameters, true);
		const shown = output.map((item) => item.json.request as unknown as ShownRequest);
		// One after the other, so that they arrive in order.
		const sent = await run(withOptions(parameters, { maxConcurrency: 1 }), false);
		expect(sent.error).toBeUndefined();
		expect(shown.map(({ method, url, body }) => [method, url, body === undefined ? '' : JSON.stringify(body)])).toEqual(
			service.requests.map(({ method, target, body }) => [method, service.url + target, body]),
		);
		expect(service.requests).toHaveLength(output.length);
	});

	test('in a dry run shows no secret and no token', async () => {
		const own = credential();
		// So that the process has a token for the key.
		await execute({ parameters, credential: own });
		expect(service.requests[0]?.headers.authorization).toBe(`Bearer ${RECORDED_TOKEN}`);
		const { output, run: execution } = await run(parameters, true, { credential: own });
		expect(output.length).toBeGreaterThan(0);
		for (const secret of [SECRET, STORED_TOKEN, RECORDED_TOKEN, 'Bearer', own.clientId as string]) {
			expect(JSON.stringify(execution.data.resultData.runData)).not.toContain(secret);
		}
	});
});

test('the URL is the base URL with its path', async () => {
	const urlFor = async (more: Partial<ICredentialDataDecryptedObject>) =>
		(await run(getGateway('1', { organizationId: '10' }), true, { credential: credential(more) })).output.map((item) => (item.json.request as unknown as ShownRequest).url);
	expect(await urlFor({ baseUrl: 'https://api.example.com/base/' })).toEqual(['https://api.example.com/base/v1/voip/dss/gtw/1/10']);
	expect(await urlFor({ environment: 'staging', stagingUrl: 'https://staging.example.com' })).toEqual(['https://staging.example.com/v1/voip/dss/gtw/1/10']);
});

test('the items are those of all input items and countries, in order', async () => {
	const { output } = await run(setPremium('={{ 1000 + $json.n }}', 'IT,FR'), true, { items: numbered(3) });
	expect(output.map(({ json: { request }, pairedItem }) => [(request as unknown as { body: object }).body, pairedItem])).toEqual(
		[0, 1, 2].flatMap((item) => ['IT', 'FR'].map((iso) => [{ idTrunk: 1000 + item, iso }, { item }])),
	);
	expectNothingSent();
});

test('each item has its own credential, if that varies by item', async () => {
	const bases = ['https://one.example', 'https://two.example'];
	const { output } = await run(getGateway('1'), true, { items: bases.map((base) => ({ base })), credential: credential({ baseUrl: '={{ $json.base }}' }) });
	expect(output.map((item) => (item.json.request as unknown as ShownRequest).url)).toEqual(bases.map((base) => `${base}/v1/voip/dss/gtw/1`));
});

describe('what is not valid', () => {
	const INVALID: Array<[string, INodeParameters, Partial<ICredentialDataDecryptedObject>, string]> = [
		['a trunk id', setPremium('abc', 'IT'), {}, 'invalid_parameter'],
		['one country among several', setPremium(1001, '={{ "IT,F1" }}'), {}, 'invalid_parameter'],
		['a gateway id', getGateway('..'), {}, 'invalid_parameter'],
		['no VAT number', addCustomer(''), {}, 'invalid_parameter'],
		['a check digit', addCustomer('IT12345678901', { options: { validateVatNumber: true } }), {}, 'invalid_parameter'],
		['an option', getGateway('1', { options: { maxRetries: 11 } }), {}, 'invalid_parameter'],
		['a base URL', getGateway('1'), { baseUrl: 'not a url' }, 'invalid_credential'],
		['no base URL', addCustomer('1'), { baseUrl: '' }, 'invalid_credential'],
		['a header name', setPremium(1001, 'IT'), { authHeaderName: 'X Y' }, 'invalid_credential'],
	];

	test.each(INVALID)('fails with the same message as without it: %s', async (_name, parameters, more, code) => {
		const [dry, sent] = [await run(parameters, true, { credential: credential(more) }), await run(parameters, false, { credential: credential(more) })];
		expect(sent.error?.message).toMatch(/\w{3}/);
		expect([dry.error?.message, dry.error?.description, dry.error?.context]).toEqual([sent.error?.message, sent.error?.description, sent.error?.context]);
		expect(dry.error?.context).toMatchObject({ code, outcome: 'not_sent' });
		expect(dry.output).toEqual([]);
		expectNothingSent();
	});

	test('is an error item under Continue, beside the requests of the other items', async () => {
		const { output } = await run(getGateway('={{ $json.id }}'), true, { items: [{ id: '1' }, { id: '..' }, { id: '3' }], settings: { onError: 'continueRegularOutput' } });
		const urlOrCode = ({ request, error }: IDataObject) => (request as ShownRequest | undefined)?.url ?? (error as { code: string }).code;
		expect(output.map(({ json, pairedItem }) => [urlOrCode(json), pairedItem])).toEqual([
			[`${service.url}/v1/voip/dss/gtw/1`, { item: 0 }],
			['invalid_parameter', { item: 1 }],
			[`${service.url}/v1/voip/dss/gtw/3`, { item: 2 }],
		]);
		expectNothingSent();
	});
});

describe('the option Dry Run', () => {
	test.each([true, 'true', ' TRUE ', '', null, '={{ $json.missing }}'])('given as %j is on', async (given) => {
		const { output, error } = await run(addCustomer('1'), given);
		expect(error).toBeUndefined();
		expect(output.map((item) => item.json.dryRun)).toEqual([true]);
		expectNothingSent();
	});

	test('is off where it has not been added', async () => {
		const { output } = await execute({ parameters: addCustomer('1'), credential: credential() });
		expect(output.map((item) => item.json)).toEqual([{ ok: true }]);
	});

	test.each([false, 'false'])('given as %j is off', async (given) => {
		const { output } = await run(addCustomer('1'), given);
		expect(output.map((item) => item.json)).toEqual([{ ok: true }]);
		expect(service.requests).toHaveLength(1);
	});

	test.each(['yes', 1, '1', 'on'])('given as %j is not valid', async (given) => {
		const { error, output } = await run(addCustomer('1'), given);
		expect(error?.message).toBe(`'Dry Run' is not valid: ${JSON.stringify(given)}. Enter true or false`);
		expect(output).toEqual([]);
		expectNothingSent();
	});

	test('may differ from item to item', async () => {
		const { output } = await run(addCustomer('={{ "C" + $json.n }}'), '={{ $json.n !== 1 }}', { items: numbered(3) });
		expect(output.map((item) => item.json.dryRun ?? false)).toEqual([true, false, true]);
		expect(service.requests.map(({ body }) => body)).toEqual(['{"vatNumber":"C1"}']);
	});
});

describe('under Retry On Fail', () => {
	const RETRY: Partial<INode> = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 };
	const parameters = addCustomer('={{ "C" + $json.n }}');
	const arrived = () => service.requests.map(({ body }) => (JSON.parse(body) as { vatNumber: string }).vatNumber);

	/** Item 0 is dry or not by attempt; item 1 is sent, and fails in the first attempt alone. */
	const runInTwoAttempts = async (...dryByAttempt: [boolean, boolean]) => {
		await service.close();
		const items = [{ n: 0, dry: dryByAttempt[0] }, { n: 1, dry: false }];
		let failures = 0;
		service = await Recorder.start(({ body }, response) => {
			if (!body.includes('"C1"') || failures++ > 0) return json(response, 201, { created: true });
			items[0]!.dry = dryByAttempt[1];
			// Once the other item is done.
			setTimeout(() => json(response, 400, { message: 'No', errors: '' }), 100);
		});
		return await run(parameters, '={{ $json.dry }}', { items, settings: RETRY });
	};

	test('a dry run does not count as a create: an attempt without it creates', async () => {
		const { output, error } = await runInTwoAttempts(true, false);
		expect(error).toBeUndefined();
		expect(arrived().sort()).toEqual(['C0', 'C1', 'C1']);
		expect(output.map((item) => item.json)).toEqual([{ created: true }, { created: true }]);
	});

	test('an attempt with dry run creates nothing, and shows the request even if an earlier attempt has sent it', async () => {
		const { output, error } = await runInTwoAttempts(false, true);
		expect(error).toBeUndefined();
		expect(arrived().sort()).toEqual(['C0', 'C1', 'C1']);
		expect(output.map((item) => item.json)).toEqual([
			{ dryRun: true, request: { method: 'POST', url: `${service.url}/v1/customers/add`, body: { vatNumber: 'C0' } } },
			{ created: true },
		]);
	});

	test('a dry run that fails creates nothing in any attempt', async () => {
		const { error } = await run(addCustomer('={{ $json.n === 1 ? "" : "C" + $json.n }}'), true, { items: numbered(3), settings: RETRY });
		expect(error?.message).toMatch(/^'VAT Number' is required/);
		expectNothingSent();
	});
});

describe('in a tool', () => {
	test('returns the requests to the model, and sends none', async () => {
		const tool = await toolOfAgent(setPremium(fromAI('Trunk_ID', 'number'), fromAI('Country', 'string'), { options: { dryRun: true } }), credential());
		const text = await tool.invoke({ Trunk_ID: 1001, Country: 'it, FR' });
		const request = (iso: string) => ({ method: 'PUT', url: `${service.url}/v1/voip/dss/trunk/country/setpremium`, body: { idTrunk: 1001, iso } });
		expect(JSON.parse(text)).toEqual(['IT', 'FR'].map((iso) => ({ dryRun: true, request: request(iso) })));
		for (const secret of [SECRET, STORED_TOKEN]) expect(text).not.toContain(secret);
		expectNothingSent();
	});

	test('may be chosen by the model', async () => {
		const parameters = addCustomer(fromAI('VAT_Number', 'string'), { options: { dryRun: fromAI('Dry_Run', 'boolean') } });
		const tool = await toolOfAgent(parameters, credential());
		expect(JSON.parse(await tool.invoke({ VAT_Number: '1', Dry_Run: true }))).toMatchObject([{ dryRun: true }]);
		expectNothingSent();
		expect(JSON.parse(await tool.invoke({ VAT_Number: '1', Dry_Run: false }))).toEqual([{ ok: true }]);
		expect(service.requests).toHaveLength(1);
	});
});
