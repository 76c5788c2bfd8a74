import { credentialFor } from '../support/executor/credentialStore';
import { execute } from '../support/executor/execute';
import { getGateway, numbered } from '../support/operations';
import { json } from '../support/recorder';
import { startService } from '../support/executor/startService';
import { aheadClock } from '../support/time';
import { until } from '../support/until';

afterEach(() => jest.restoreAllMocks());

const CONTINUE = { onError: 'continueRegularOutput' } as const;
const gatewayOfItem = getGateway('={{ $json.n % 12 + 1 }}');

describe('a 401', () => {
	test.each<[string, (index: number) => number]>([
		['each request', () => 401],
		['each that a proxy lets through, which answers 503 to others', (index) => (index % 5 === 4 ? 503 : 401)],
	])('for the newest token costs few logins, and not one for each item: %s', async (_name, statusOf) => {
		const body = { message: 'Not accepted', errors: '' };
		const service = await startService((_request, response, index) => json(response, statusOf(index), body));
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
			if (!request.target.endsWith('/10')) return json(response, 200, { id: '1' });
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

	test('for tokens that expire quickly costs one login for each, and loses no item of concurrent runs', async () => {
		const skip = aheadClock();
		const uses: Record<string, number> = {};
		const service = await startService(
			({ headers }, response) => {
				const token = String(headers.authorization);
				uses[token] = (uses[token] ?? 0) + 1;
				if (uses[token] <= 100) return json(response, 200, { id: '1' });
				// Old enough not to be taken for one that is not yet valid.
				skip(4_000);
				json(response, 401, { message: 'Expired', errors: '' });
			},
			(_request, response, index) => json(response, 200, { access_token: `token-${index}` }),
		);
		const execution = { items: numbered(60), parameters: getGateway('1'), credential: credentialFor(service.url) };
		const runs = await Promise.all(Array.from({ length: 10 }, async () => await execute(execution)));
		expect(runs.map(({ error, output }) => error?.message ?? output.length)).toEqual(Array(10).fill(60));
		expect(service.logins).toHaveLength(6);
	});
});
