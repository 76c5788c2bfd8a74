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

const DOWN: FaultRule = { fault: 'http', status: 503, retryAfterSeconds: PROBE_EVERY_S };

test.concurrent.each([
	['gets', getGateway('1')],
	['creates', addCustomer('={{ "C" + $json.n }}')],
] as const)(
	'in a loop over %s, an outage that has lasted for Max Wait costs each further execution the wait for the next probe only',
	async (_, parameters) => {
		await withSandbox([], async (sandbox) => {
			const run = async (count: number, maxWait: number) => {
				const sentBefore = sandbox.state().counters.requests;
				const result = await execute({
					items: numbered(count),
					parameters: { ...parameters, options: { ...(parameters.options as object), maxWait } },
					credential: credentialFor(sandbox.url),
					settings: CONTINUE,
				});
				return {
					failed: reportOf(result).errors.length,
					requests: sandbox.state().counters.requests - sentBefore,
				};
			};
			expect(await run(1, MAX_WAIT_S)).toMatchObject({ failed: 0 });
			sandbox.setFaults({ rules: [DOWN] });
			// More than are in flight at once: some wait from the beginning of the outage on.
			expect(await run(30, MAX_WAIT_S + PROBE_EVERY_S + 1)).toMatchObject({ failed: 30 });
			for (let pass = 0; pass < 3; pass += 1) {
				const { failed, requests } = await run(1, MAX_WAIT_S);
				expect(failed).toBe(1);
				// Within Max Wait, three probes would be sent.
				expect(requests).toBeLessThanOrEqual(1);
			}
			sandbox.setFaults({});
			expect(await run(1, MAX_WAIT_S)).toMatchObject({ failed: 0 });
		});
	},
);
