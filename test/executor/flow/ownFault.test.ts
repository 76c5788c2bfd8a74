import type { FaultRule } from '../../../sandbox';
import { CONTINUE, credentialFor, execute, getGateway, numbered, reportOf, withSandbox } from '../../support/executor';

const BAD = { path: '/v1/voip/dss/gtw/g199' };

test.concurrent.each<[string, FaultRule]>([
	['a 503', { fault: 'http', status: 503, ...BAD }],
	['a 503 with Retry-After', { fault: 'http', status: 503, retryAfterSeconds: 1, ...BAD }],
	['a 502 page', { fault: 'htmlPage', ...BAD }],
	['a reset connection', { fault: 'resetBefore', ...BAD }],
])('the last of 200 gets always gets %s: it fails alone, after Max Retries', async (_, rule) => {
	await withSandbox(
		[{ fault: 'latency', ms: 20 }, rule],
		async (sandbox) => {
			const result = await execute({
				items: numbered(200),
				parameters: getGateway('={{ "g" + $json.n }}', { options: { maxWait: 40 } }),
				credential: credentialFor(sandbox.url),
				settings: CONTINUE,
			});
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

test.concurrent('an outage in which the last of four gets was answered before the others: none is lost', async () => {
	const others = '/v1/voip/dss/gtw/1';
	await withSandbox(
		[
			// On a busy machine, too, the last one is answered before.
			{ fault: 'latency', ms: 1_500, path: others },
			{ fault: 'unavailable', ms: 8_000, status: 502, path: others },
		],
		async (sandbox) => {
			const get = async (items: number, gateway: string) =>
				await execute({
					items: numbered(items),
					parameters: getGateway(gateway),
					credential: credentialFor(sandbox.url),
					settings: CONTINUE,
				});
			// So that the page is known to be another server's.
			await get(1, '2');
			const result = await get(4, '={{ $json.n === 3 ? 2 : 1 }}');
			expect(reportOf(result)).toMatchObject({ done: 4, messages: [] });
		},
	);
});

test.concurrent('two outages with one response between them, of gets that are all retried: none is lost', async () => {
	const path = '/v1/voip/dss/gtw';
	await withSandbox(
		[
			{ fault: 'htmlPage', path, after: 1, count: 12 },
			{ fault: 'unavailable', ms: 8_000, path, after: 14 },
		],
		async (sandbox) => {
			const get = async (items: number) =>
				await execute({
					items: numbered(items),
					parameters: getGateway('1'),
					credential: credentialFor(sandbox.url),
					settings: CONTINUE,
				});
			// So that the page is known to be another server's.
			await get(1);
			const result = await get(10);
			expect(reportOf(result)).toMatchObject({ done: 10, messages: [] });
		},
	);
});
