import { getGateway, numbered } from '../support/operations';
import { inN8n } from '../support/n8n/scenario.mts';

const { scenario } = inN8n({ latencyMs: 20 });

const parameters = getGateway('={{ $json.n % 12 + 1 }}', { options: { maxRetries: 10 } });

/** Lines of this package in n8n's log, each once. */
const linesIn = (printed: string) => [...new Set([...printed.matchAll(/Voice Admin: [^{\n]*/g)].map(([line]) => line.trim()))];

describe("n8n's log", () => {
	scenario(
		'shows at level debug what a run does: logins, expired tokens, retries, pauses and the limit, without a secret',
		{
			items: numbered(200),
			parameters,
			ownProcess: { N8N_LOG_LEVEL: 'debug' },
			faults: {
				rules: [
					{ fault: 'http503', path: '/auth', count: 1 },
					{ fault: 'http429', path: '/v1', retryAfterSeconds: 1, after: 80, count: 1 },
					{ fault: 'http503', path: '/v1', retryAfterAs: 'none', after: 130, count: 1 },
					{ fault: 'tokenExpires', afterRequests: 160 },
				],
			},
		},
		({ output, printed }) => {
			expect(output).toHaveLength(200);
			const lines = linesIn(printed);
			for (const line of [
				/^Voice Admin: login failed \(503\), attempt 1 of 3$/,
				/^Voice Admin: logged in$/,
				/^Voice Admin: limit of concurrent requests \d+ → \d+$/,
				/^Voice Admin: service asks to wait 1000 ms$/,
				/^Voice Admin: GET \/v1\/voip\/dss\/gtw\/\d+ failed \(rate_limited\), attempt 1 of 11; retry in 1000 ms$/,
				/^Voice Admin: pause is over; at most \d+\.\d requests a second$/,
				/^Voice Admin: GET \/v1\/voip\/dss\/gtw\/\d+ failed \(service_error\), attempt 1 of 11; retry in \d+ ms$/,
				/^Voice Admin: access token not accepted \(401\)$/,
			]) {
				expect(lines).toContainEqual(expect.stringMatching(line));
			}
			expect(printed).toMatch(/"service":"http:[^"]+","key":"[^"]{8}"/);
		},
	);

	scenario('shows nothing of it at the default level', { items: numbered(20), parameters, faults: { rules: [{ fault: 'http503', path: '/v1', count: 3 }] } }, ({ output, printed }) => {
		expect(output).toHaveLength(20);
		expect(linesIn(printed)).toEqual([]);
	});
});
