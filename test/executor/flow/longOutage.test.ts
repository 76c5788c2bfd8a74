import type { FaultRule } from '../../../sandbox';
import {
	addCustomer,
	CONTINUE,
	credentialFor,
	execute,
	getGateway,
	numbered,
	reportOf,
	withSandbox,
} from '../../support/executor';

const MAX_WAIT_S = 10;

/** So long after a probe the next one is sent. */
const PROBE_EVERY_S = 3;

const DOWN = { fault: 'http', status: 503, retryAfterSeconds: PROBE_EVERY_S } as const;

/** No token is accepted any longer, and logins fail. */
const LOGINS_DOWN: FaultRule[] = [
	{ ...DOWN, path: '/auth' },
	{ fault: 'http', status: 401, path: '/v1' },
];

test.concurrent.each([
	['gets', 'everything', getGateway('1'), [DOWN]],
	['creates', 'everything', addCustomer('={{ "C" + $json.n }}'), [DOWN]],
	['gets', 'logins alone', getGateway('1'), LOGINS_DOWN],
] as const)(
	'in a loop over %s, an outage of %s that has lasted for Max Wait costs each further execution the wait for the next probe only',
	async (_kind, _what, parameters, faults) => {
		await withSandbox([], async (sandbox) => {
			const run = async (count: number, maxWait: number) => {
				const sentBefore = sandbox.getRecordsAndCounters().counters.requests;
				const result = await execute({
					items: numbered(count),
					parameters: { ...parameters, options: { ...(parameters.options as object), maxWait } },
					credential: credentialFor(sandbox.url),
					settings: CONTINUE,
				});
				return {
					failed: reportOf(result).errors.length,
					requests: sandbox.getRecordsAndCounters().counters.requests - sentBefore,
				};
			};
			expect(await run(1, MAX_WAIT_S)).toMatchObject({ failed: 0 });
			sandbox.setFaults([...faults]);
			// More than are in flight at once: some wait from the beginning of the outage on.
			expect(await run(30, MAX_WAIT_S + PROBE_EVERY_S + 1)).toMatchObject({ failed: 30 });
			for (let pass = 0; pass < 3; pass += 1) {
				const { failed, requests } = await run(1, MAX_WAIT_S);
				expect(failed).toBe(1);
				// Within Max Wait, three probes would be sent.
				expect(requests).toBeLessThanOrEqual(1);
			}
			sandbox.setFaults([]);
			expect(await run(1, MAX_WAIT_S)).toMatchObject({ failed: 0 });
		});
	},
);
