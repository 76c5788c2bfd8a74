import type { FaultRule, Sandbox } from '../../../sandbox';
import {
	addCustomer,
	aheadClock,
	CONTINUE,
	credentialFor,
	execute,
	expectTrueReport,
	getGateway,
	numbered,
	reportOf,
	withSandbox,
} from '../../support/executor';

const TEN_HOURS_S = 36_000;
const LATENCY: FaultRule = { fault: 'latency', ms: 20 };
const READ = '/v1/voip/dss/gtw';

const gets = getGateway('={{ "g" + $json.n }}');
const creates = addCustomer('={{ "C" + $json.n }}');

const run = async ({ url }: Sandbox, of: typeof gets, items: number, options: Record<string, number> = {}) => {
	const parameters = { ...of, options: { ...(of.options as typeof options), ...options } };
	return await execute({ items: numbered(items), parameters, credential: credentialFor(url), settings: CONTINUE });
};

/** As many requests as a run may have sent before it knew; the first two creates may fail alone. */
const IN_FLIGHT = { gets: 200, creates: 25 + 2 };

/** Items, and how many of them get a response first. */
const LISTS = [
	[1, 0],
	[120, 30],
] as const;

test.concurrent.each(
	([429, 503] as const).flatMap((status) =>
		LISTS.flatMap(([count, after]) => [
			[count, 'gets', status, after, gets] as const,
			[count, 'creates', status, after, creates] as const,
		]),
	),
)(
	'%i %s whose service asks by a %i, after %i responses, to wait for ten hours fail at once, and each names the time',
	async (count, kind, status, after, parameters) => {
		const rule: FaultRule = { fault: 'http', status, retryAfterSeconds: TEN_HOURS_S, path: '/v1', after };
		const fails = async (sandbox: Sandbox) => {
			const result = await run(sandbox, parameters, count, { maxWait: 40 });
			const { done, unknown, failed, messages } = reportOf(result);
			const { requests, logins } = sandbox.getRecordsAndCounters().counters;
			expect({ done, unknown, failed, logins }).toEqual({ done: after, unknown: 0, failed: count - after, logins: 1 });
			expect(messages.filter((message) => !/\b10 hours\b/.test(message))).toEqual([]);
			expect(requests - logins).toBeLessThanOrEqual(after + Math.min(count, IN_FLIGHT[kind]));
			if (kind === 'creates') expectTrueReport(result, sandbox);
		};
		await withSandbox([LATENCY, rule], fails, count);
	},
);

test.concurrent.each<[string, Extract<FaultRule, { fault: 'http' | 'pageAfter' }>]>([
	["the API's own body", { fault: 'http', status: 503, retryAfterSeconds: 2 }],
	["a proxy's page", { fault: 'pageAfter', retryAfterSeconds: 2 }],
])(
	'a single 503 with Retry-After, with %s: that request is sent again after two seconds, and others go on meanwhile',
	async (_, rule) => {
		const work = async (sandbox: Sandbox) => {
			const result = await run(sandbox, gets, 400, { maxConcurrency: 10 });
			expect(reportOf(result)).toMatchObject({ done: 400, messages: [] });
			const reads = sandbox.getRequests().filter(({ path }) => path.startsWith(READ));
			const sentAt = (request: { time: string }) => Date.parse(request.time);
			const failed = reads.find(({ fault }) => fault === rule.fault)!;
			const again = reads.filter(({ path, fault }) => path === failed.path && fault !== rule.fault);
			expect([reads.length, again.length]).toEqual([401, 1]);
			// The latency: on a busy machine, the log notices the end later than the node.
			const endedAt = sentAt(failed) + 100;
			// Timers and the times of the log are of whole milliseconds.
			expect(sentAt(again[0]!) - endedAt).toBeGreaterThanOrEqual(1_995);
			const meanwhile = reads.filter((read) => sentAt(read) > endedAt && sentAt(read) < sentAt(again[0]!));
			expect(meanwhile.length).toBeGreaterThan(0);
		};
		await withSandbox(
			[
				{ fault: 'latency', ms: 100 },
				{ ...rule, path: READ, after: 50, count: 1 },
			],
			work,
			400,
		);
	},
);

test.concurrent(
	'a 503 that always asks to wait for two seconds: a get fails within Max Wait, whatever Max Retries is',
	async () => {
		await withSandbox([{ fault: 'http', status: 503, retryAfterSeconds: 2, path: READ }], async (sandbox) => {
			const result = await run(sandbox, gets, 1, { maxWait: 3, maxRetries: 5 });
			expect(reportOf(result)).toMatchObject({ done: 0 });
			expect(sandbox.getRequests().filter(({ path }) => path.startsWith(READ))).toHaveLength(2);
		});
	},
);

// Not at the same time as others: the clock is theirs, too.
test('a login that is asked to wait for ten minutes is not sent again by a later run, a minute after', async () => {
	await withSandbox([{ fault: 'http', status: 429, retryAfterSeconds: 600, path: '/auth' }], async (sandbox) => {
		const skip = aheadClock();
		for (let pass = 0; pass < 2; pass++) {
			expect(reportOf(await run(sandbox, gets, 1)).messages).toEqual([
				expect.stringMatching(/asks to wait for (?:10|9) minutes/),
			]);
			skip(61_000);
		}
		expect(sandbox.getRecordsAndCounters().counters.logins).toBe(1);
	});
});

test('the first of ten creates always gets a page that rejects it, twelve seconds after the last response: the others are done', async () => {
	const rule: FaultRule = { fault: 'unavailable', ms: 600_000, status: 413, bodyContains: '"C0"' };
	await withSandbox([rule], async (sandbox) => {
		const skip = aheadClock();
		await run(sandbox, gets, 1);
		skip(12_000);
		const result = await run(sandbox, creates, 10, { maxConcurrency: 1, maxWait: 60 });
		expect(reportOf(result)).toMatchObject({ done: 9, unknown: 0 });
		expectTrueReport(result, sandbox);
	});
});
