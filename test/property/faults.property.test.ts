import { type FaultRule, startSandbox } from '../../sandbox';
import { credentialFor } from '../support/credentialStore';
import { execute } from '../support/execute';
import { getGateway, numbered, setPremium } from '../support/operations';
import { CASES, fc } from './support';

const ITEMS = 25;

/** Faults after which a GET or PUT is retried; without delays, so that a run has many cases. */
const retryable = fc.constantFrom<FaultRule>(
	{ fault: 'http429', retryAfterSeconds: 0 },
	{ fault: 'http503', retryAfterSeconds: 0 },
	{ fault: 'http502', retryAfterSeconds: 0 },
	{ fault: 'http504', retryAfterSeconds: 0 },
	{ fault: 'resetBefore' },
	{ fault: 'resetAfter' },
);

const plan = fc.record({
	seed: fc.integer({ min: 1, max: 1_000_000 }),
	faults: fc.array(fc.tuple(retryable, fc.double({ min: 0.01, max: 0.15, noNaN: true })), { maxLength: 2 }),
	jitterMs: fc.integer({ min: 0, max: 5 }),
	tokenRequests: fc.option(fc.integer({ min: 10, max: 60 })),
	maxConcurrency: fc.integer({ min: 1, max: 30 }),
	operation: fc.constantFrom('get', 'setPremium'),
});

test('the output has each item once and in order, concurrency stays within the limit, and each expired token costs one login, whatever the faults', async () => {
	const sandbox = await startSandbox();
	let cases = 0;
	await fc.assert(
		fc.asyncProperty(plan, async ({ seed, faults, jitterMs, tokenRequests, maxConcurrency, operation }) => {
			sandbox.reset();
			sandbox.expireTokens();
			sandbox.setFaults({
				seed,
				rules: [
					{ fault: 'latency', ms: 0, jitterMs },
					...faults.map(([fault, rate]) => ({ ...fault, path: '/v1', rate }) as FaultRule),
					...(tokenRequests === null ? [] : [{ fault: 'tokenExpires' as const, afterRequests: tokenRequests }]),
				],
			});
			const options = { maxConcurrency, maxRetries: 10 };
			const { output, error } = await execute({
				items: numbered(ITEMS),
				parameters: {
					...(operation === 'get' ? getGateway('={{ $json.n % 12 + 1 }}') : setPremium('={{ $json.n % 12 + 1001 }}', 'IT')),
					options,
				},
				credential: credentialFor(sandbox.url),
			});
			expect(error).toBeUndefined();
			expect(output.map((item) => Number(item.json.id ?? item.json.idTrunk))).toEqual(
				numbered(ITEMS).map(({ n }) => (n % 12) + (operation === 'get' ? 1 : 1001)),
			);
			const { counters } = sandbox.state();
			expect(counters.peakInFlight).toBeLessThanOrEqual(maxConcurrency);
			// The token of the previous case has expired: one login for it, and one for each further expired token.
			const authorized = counters.requests - counters.logins;
			const expiredTokens = tokenRequests === null ? 0 : Math.ceil(authorized / tokenRequests);
			expect(counters.logins).toBeLessThanOrEqual(expiredTokens + 1);
			cases += ITEMS;
		}),
		{ numRuns: CASES / ITEMS },
	);
	await sandbox.close();
	expect(cases).toBeGreaterThanOrEqual(CASES);
}, 300_000);
