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

const TOO_MANY = { fault: 'http', status: 429, retryAfterAs: 'none', path: '/v1/customers/add', every: 2 } as const;

/** How long it takes is in the simulation's table. */
test('every second request gets a 429: 300 customers are created', async () => {
	await withSandbox([{ fault: 'latency', ms: 20 }, TOO_MANY], async (sandbox) => {
		const result = await execute({
			items: numbered(300),
			parameters: addCustomer('={{ "C" + $json.n }}'),
			credential: credentialFor(sandbox.url),
			settings: CONTINUE,
		});
		expect(reportOf(result)).toMatchObject({ done: 300, messages: [] });
		expectTrueReport(result, sandbox);
	});
});
