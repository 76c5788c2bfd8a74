import {
	addCustomer,
	CONTINUE,
	credentialFor,
	execute,
	expectTrueReport,
	numbered,
	reportOf,
	withSandbox,
} from '../../support/executor';

const TOO_MANY = { fault: 'http', status: 429, retryAfterAs: 'none', path: '/v1/customers/add' } as const;

/** How long it takes is in the simulation's table. */
test.concurrent.each([
	['every second request', { every: 2 }],
	['one of ten, at random,', { rate: 0.1 }],
])('%s gets a 429: 300 customers are created', async (_, share) => {
	await withSandbox(
		[
			{ fault: 'latency', ms: 20 },
			{ ...TOO_MANY, ...share },
		],
		async (sandbox) => {
			const result = await execute({
				items: numbered(300),
				parameters: addCustomer('={{ "C" + $json.n }}'),
				credential: credentialFor(sandbox.url),
				settings: CONTINUE,
			});
			expect(sandbox.getRecordsAndCounters().customers.length).toBe(300);
			expect(reportOf(result)).toMatchObject({ done: 300, messages: [] });
			expectTrueReport(result, sandbox);
		},
	);
});
