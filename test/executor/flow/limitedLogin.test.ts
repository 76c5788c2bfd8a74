import type { FaultRule } from '../../../sandbox';
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

const LOGIN = '/auth/api-key/login';
const CREATE = '/v1/customers';

test.concurrent.each<[string, FaultRule, outageBy?: number]>([
	['a 429', { fault: 'http', status: 429, retryAfterAs: 'none', path: LOGIN, after: 1 }],
	['a 429 with a minute as Retry-After', { fault: 'http', status: 429, retryAfterSeconds: 60, path: LOGIN, after: 1 }],
	// If the outage were by a 503, too, nobody could tell it from the limit.
	['a 503', { fault: 'http', status: 503, path: LOGIN, after: 1 }, 404],
	['a 401', { fault: 'http', status: 401, path: LOGIN, after: 1 }],
])(
	'the second login gets %s: while the token is valid, at least 290 of 300 customers are created, an outage of creates included',
	async (_, limitedLogin, outageBy = 503) => {
		const rules: FaultRule[] = [
			{ fault: 'latency', ms: 20 },
			limitedLogin,
			{ fault: 'unavailable', ms: 3_000, status: outageBy, path: CREATE, after: 100 },
		];
		await withSandbox(rules, async (sandbox) => {
			const result = await execute({
				items: numbered(300),
				// So many are in doubt after the outage, and a few probes.
				parameters: addCustomer('={{ "C" + $json.n }}', { options: { maxConcurrency: 5, maxWait: 40 } }),
				credential: credentialFor(sandbox.url),
				settings: CONTINUE,
			});
			expectTrueReport(result, sandbox);
			expect(reportOf(result).done).toBeGreaterThanOrEqual(290);
		});
	},
);
