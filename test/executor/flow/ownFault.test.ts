import type { FaultRule } from '../../../sandbox';
import { CONTINUE, credentialFor, execute, getGateway, numbered, reportOf, withSandbox } from '../../support/executor';

const BAD = { path: '/v1/voip/dss/gtw/g199' };

const get = async ({ url }: { url: string }, items: number, gateway: string, options: Record<string, number> = {}) =>
	await execute({
		items: numbered(items),
		parameters: getGateway(gateway, { options }),
		credential: credentialFor(url),
		settings: CONTINUE,
	});

test.concurrent.each<[string, FaultRule]>([
	['a 503', { fault: 'http', status: 503, ...BAD }],
	['a 503 with Retry-After', { fault: 'http', status: 503, retryAfterSeconds: 1, ...BAD }],
	['a 502 page', { fault: 'htmlPage', ...BAD }],
	['a reset connection', { fault: 'resetBefore', ...BAD }],
])('the last of 200 gets always gets %s: it fails alone, after Max Retries', async (_, rule) => {
	await withSandbox(
		[{ fault: 'latency', ms: 20 }, rule],
		async (sandbox) => {
			const result = await get(sandbox, 200, '={{ "g" + $json.n }}', { maxWait: 40 });
			const { done, errors } = reportOf(result);
			expect([done, errors.length, result.output.at(-1)?.pairedItem]).toEqual([199, 1, { item: 199 }]);
			// The first attempt, and Max Retries; and some before it is seen that others are answered.
			const attempts = sandbox.getRequests().filter(({ path }) => path === BAD.path).length;
			expect(attempts).toBeGreaterThanOrEqual(4);
			expect(attempts).toBeLessThanOrEqual(8);
		},
		200,
	);
});

const others = '/v1/voip/dss/gtw/1';

test.concurrent.each<[string, FaultRule[], number, string]>([
	[
		'an outage in which the last of four gets was answered before the others',
		[
			// On a busy machine, too, the last one is answered before.
			{ fault: 'latency', ms: 1_500, path: others },
			{ fault: 'unavailable', ms: 8_000, status: 502, path: others },
		],
		4,
		'={{ $json.n === 3 ? 2 : 1 }}',
	],
	[
		'two outages with one response between them, of gets that are all retried',
		[
			{ fault: 'htmlPage', path: others, count: 12 },
			{ fault: 'unavailable', ms: 8_000, path: others, after: 13 },
		],
		10,
		'1',
	],
])('%s: none is lost', async (_what, faults, items, gateway) => {
	await withSandbox(faults, async (sandbox) => {
		// So that a page is known to be another server's.
		await get(sandbox, 1, '2');
		expect(reportOf(await get(sandbox, items, gateway))).toMatchObject({ done: items, messages: [] });
	});
});
