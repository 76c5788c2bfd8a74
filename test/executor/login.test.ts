import type { Sandbox } from '../../sandbox';
import { CredentialStore, credentialFor } from '../support/executor/credentialStore';
import { execute } from '../support/executor/execute';
import { expectOneLoginPerToken } from '../support/executor/logins';
import { addCustomer, getGateway, numbered } from '../support/operations';
import { json } from '../support/recorder';
import { sandboxOfEachTest } from '../support/executor/sandboxOfEachTest';
import { startService } from '../support/executor/startService';
import { aheadClock, makeTimeFaster } from '../support/time';
import { until } from '../support/until';

let sandbox: Sandbox;

const run = sandboxOfEachTest((started) => { sandbox = started; }, { latencyMs: 5 });
afterEach(() => jest.restoreAllMocks());

const CONTINUE = { onError: 'continueRegularOutput' } as const;
const gatewayOfItem = getGateway('={{ $json.n % 12 + 1 }}');
const expectedIds = (count: number) => numbered(count).map(({ n }) => String((n % 12) + 1));

describe('one login per token lifetime', () => {
	test('a create whose token has expired is sent again after one login, and creates once', async () => {
		const skip = aheadClock();
		await run({ parameters: addCustomer('1') });
		skip(4_000);
		sandbox.expireTokens();
		expect((await run({ parameters: addCustomer('2') })).error).toBeUndefined();
		expect(sandbox.requests().map(({ operationId, status }) => `${operationId} ${status}`))
			.toEqual(['login 200', 'addCustomer 201', 'addCustomer 401', 'login 200', 'addCustomer 201']);
		expect(sandbox.state().customers.map(({ vatNumber }) => vatNumber)).toEqual(['1', '2']);
	});

	test('a wrong key with 200 items on "Continue" gives each item the same clear message, with its gateway', async () => {
		const credential = credentialFor(sandbox.url, { clientSecret: 'another-wrong-key-9a1b' });
		const { output } = await execute({ items: numbered(200), parameters: gatewayOfItem, credential, settings: CONTINUE });
		const message = expect.stringMatching(/^The service did not accept the API key: .+ \(401\)\. Check 'Client ID' and 'Client Secret'/);
		expect(output.map((item) => item.json.error)).toMatchObject(expectedIds(200).map((id) => ({ message, description: `Request: gateway ${id}` })));
		expect(sandbox.requests()).toHaveLength(1);
	});
});

describe('a 401', () => {
	test.each<[string, (index: number) => number]>([
		['each request', () => 401],
		['each that a proxy lets through, which answers 503 to others', (index) => (index % 5 === 4 ? 503 : 401)],
	])('for the newest token costs few logins, and not one for each item: %s', async (_name, statusOf) => {
		const service = await startService((_request, response, index) => json(response, statusOf(index), { message: 'Not accepted', errors: '' }));
		makeTimeFaster(10);
		const started = performance.now();
		const { output } = await execute({
			items: numbered(100),
			parameters: { ...gatewayOfItem, options: { maxRetries: 0 } },
			credential: credentialFor(service.url),
			settings: CONTINUE,
		});
		expect(output.map((item) => item.json.error)).toMatchObject(Array(100).fill({ message: 'Not accepted' }));
		const unauthorized = { httpCode: '401', code: 'unauthorized', outcome: 'not_done' };
		expect(output.map((item) => item.json.error)).toContainEqual(expect.objectContaining(unauthorized));
		expect(service.logins.length).toBeGreaterThanOrEqual(2);
		// The first, three more, as logins of other processes may have invalidated the token, and one more every minute.
		expect(service.logins.length).toBeLessThanOrEqual(4 + Math.floor((performance.now() - started) / 60_000));
	});

	test('that concerns one request costs no login while later requests are accepted', async () => {
		const service = await startService((request, response, index) => {
			if (!request.target.endsWith('/10')) return json(response, 200, {});
			// By then, the service has accepted the token in later requests.
			void until(() => service.requests.length > index + 15, '15 more requests have arrived')
				.then(() => json(response, 401, { message: 'Not for you', errors: '' }));
		});
		const { output } = await execute({
			items: numbered(100),
			parameters: { ...getGateway('={{ $json.n }}'), options: { maxConcurrency: 5 } },
			credential: credentialFor(service.url),
			settings: CONTINUE,
		});
		expect(output.filter((item) => item.json.error)).toHaveLength(1);
		expect(service.requests.filter(({ target }) => target.endsWith('/10')).length).toBeGreaterThan(1);
		expect(service.logins).toHaveLength(1);
	});

	test('for tokens that expire quickly loses no item of concurrent runs', async () => {
		sandbox.setFaults({ rules: [{ fault: 'tokenExpires', afterRequests: 100 }, { fault: 'latency', ms: 3 }] });
		makeTimeFaster(10);
		const store = new CredentialStore(credentialFor(sandbox.url));
		const runs = await Promise.all(
			Array.from({ length: 10 }, async () => await execute({ items: numbered(60), parameters: getGateway('1'), credential: store })),
		);
		expect(runs.map(({ error, output }) => error?.message ?? output.length)).toEqual(Array(10).fill(60));
		expectOneLoginPerToken(sandbox, 100);
	});
});
