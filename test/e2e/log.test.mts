import { getGateway, numbered } from '../support/operations';
import { scenario } from '../support/n8n/scenario.mts';

scenario(
	"n8n's log shows at level debug what a run does: logins, expired tokens, retries, waits and the limit, without a secret",
	{
		items: numbered(200),
		parameters: getGateway('={{ $json.n % 12 + 1 }}', { options: { maxRetries: 10 } }),
		ownProcess: { N8N_LOG_LEVEL: 'debug' },
		faults: {
			rules: [
				{ fault: 'latency', ms: 20 },
				{ fault: 'http', status: 503, path: '/auth', count: 1 },
				{ fault: 'http', status: 429, path: '/v1', retryAfterSeconds: 1, after: 80, count: 1 },
				{ fault: 'http', status: 503, path: '/v1', retryAfterAs: 'none', after: 130, count: 3 },
				{ fault: 'tokenExpires', afterRequests: 160 },
			],
		},
	},
	({ output, log }) => {
		expect(output).toHaveLength(200);
		const lines = [...log.matchAll(/Voice Admin: ([^{\n]*)/g)].map(([, line]) => line!.trim());
		for (const line of [
			/^login failed \(503\)$/,
			/^service responds again after \d+ ms$/,
			/^logged in$/,
			/^service asks to wait; requests wait$/,
			/^GET \/v1\/voip\/dss\/gtw\/\d+ failed \(rate_limited\), attempt 1; it is retried$/,
			/^service is unavailable \(503\); requests wait$/,
			/^GET \/v1\/voip\/dss\/gtw\/\d+ failed \(service_error\), attempt 1; it is retried$/,
			/^access token not accepted$/,
		])
			expect(lines).toContainEqual(expect.stringMatching(line));
		expect(log).toMatch(/"service":"http:[^"]+","key":"[^"]{8}"/);
	},
);
