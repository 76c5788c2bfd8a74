import type { INodeParameters } from 'n8n-workflow';

import type { FaultPlan } from '../../sandbox';
import { getGateway, numbered } from '../support/operations';
import { n8n } from '../support/n8n/n8n.mts';
import { scenario } from '../support/n8n/scenario.mts';

scenario(
	"n8n's log shows at level debug what a run does: logins, expired tokens, retries, pauses and the limit, without a secret",
	{
		items: numbered(200),
		parameters: getGateway('={{ $json.n % 12 + 1 }}', { options: { maxRetries: 10 } }),
		ownProcess: { N8N_LOG_LEVEL: 'debug' },
		faults: {
			rules: [
				{ fault: 'latency', ms: 20 },
				{ fault: 'http503', path: '/auth', count: 1 },
				{ fault: 'http429', path: '/v1', retryAfterSeconds: 1, after: 80, count: 1 },
				{ fault: 'http503', path: '/v1', retryAfterAs: 'none', after: 130, count: 1 },
				{ fault: 'tokenExpires', afterRequests: 160 },
			],
		},
	},
	({ output, log }) => {
		expect(output).toHaveLength(200);
		const lines = [...log.matchAll(/Voice Admin: ([^{\n]*)/g)].map(([, line]) => line!.trim());
		for (const line of [
			/^login failed \(503\)$/,
			/^logged in$/,
			/^limit of concurrent requests \d+ → \d+$/,
			/^service is away \(503\); requests wait \d+ ms$/,
			/^service asks to wait; requests wait 1000 ms$/,
			/^GET \/v1\/voip\/dss\/gtw\/\d+ failed \(rate_limited\), attempt 1; it waits for the service$/,
			/^service answers again after \d+ ms; at most \d+\.\d requests a second$/,
			/^GET \/v1\/voip\/dss\/gtw\/\d+ failed \(service_error\), attempt 1; (?:retry in \d+ ms|it waits for the service)$/,
			/^access token not accepted$/,
		]) expect(lines).toContainEqual(expect.stringMatching(line));
		expect(log).toMatch(/"service":"http:[^"]+","key":"[^"]{8}"/);
	},
);

// n8n logs one by its message; from n8n 2.41 on, the error that stops a node as well.
describe("n8n's log has no unhandled rejection", () => {
	const CLOSED = 'closed the connection before it had answered';
	const FAILURES: Array<[what: string, ofItem: INodeParameters, faults: FaultPlan, logged: (url: string) => string[]]> = [
		['two expressions fail', getGateway(`={{ $json.n % 4 === 1 ? $('No').item.json.x : "1" }}`), {}, () => ["Referenced node doesn't exist"]],
		[
			'one item is rejected and the connection of another breaks',
			getGateway('={{ { 0: "5", 1: "7" }[$json.n] ?? "1" }}', { options: { maxRetries: 0 } }),
			{
				rules: [
					{ fault: 'http400', message: 'Rejected for the log', path: '/v1/voip/dss/gtw/5' },
					{ fault: 'resetBefore', path: '/v1/voip/dss/gtw/7' },
				],
			},
			// The address is this test's alone; other tests may run in the same n8n.
			(url) => ['Rejected for the log', `${url} ${CLOSED}`],
		],
	];
	const requestOptions = { batching: { batch: { batchSize: 2, batchInterval: 50 } } };

	for (const onError of ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const) {
		for (const [what, ofItem, faults, messages] of FAILURES) {
			scenario(
				`where ${what}, in batches, under ${onError}`,
				{ items: numbered(8), parameters: { ...ofItem, requestOptions }, settings: { onError }, faults },
				({ errors, output, log, sandbox }) => {
					const stops = onError === 'stopWorkflow';
					expect([output.length, errors.length]).toEqual(stops ? [0, 1] : [6, 2]);
					const logged = stops && !n8n.version.startsWith('2.8.') ? 1 : 0;
					const lines = messages(sandbox.url).flatMap((message) => log.split('\n').filter((line) => line.includes(message)));
					expect(lines).toHaveLength(logged);
				},
			);
		}
	}
});
