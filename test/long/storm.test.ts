import { type FaultRule, type Sandbox, startSandbox } from '../../sandbox';
import { fc } from '../property/support';
import { credentialFor } from '../support/executor/credentialStore';
import { execute } from '../support/executor/execute';
import { addCustomer, getGateway, numbered, setPremium } from '../support/operations';
import { aheadClock } from '../support/time';

const ITEMS = 2_000;
const TOKEN_REQUESTS = 300;

const RATED: Array<FaultRule & { rate: number }> = [
	{ fault: 'resetBefore', path: '/v1', rate: 0.025 },
	{ fault: 'resetAfter', path: '/v1', rate: 0.025 },
	{ fault: 'http503', path: '/v1', rate: 0.05 },
	{ fault: 'http429', path: '/v1', rate: 0.05, retryAfterAs: 'none' },
];
const rules: FaultRule[] = [...RATED, { fault: 'latency', ms: 2, jitterMs: 8 }, { fault: 'tokenExpires', afterRequests: TOKEN_REQUESTS }];

test('2,000 customers through faults: no duplicates, and each one either in the output or named in an error', async () => {
	const sandbox = await startSandbox({ faults: { seed: 42, rules } });
	const { output, errors } = await execute({
		items: numbered(ITEMS),
		parameters: addCustomer('={{ "C" + $json.n }}', { options: { maxRetries: 10 } }),
		credential: credentialFor(sandbox.url),
		settings: { onError: 'continueErrorOutput' },
	});
	await sandbox.close();
	const stored = sandbox.state().customers.map(({ vatNumber }) => vatNumber);
	const created = new Set(stored);
	expect(created.size).toBe(stored.length);
	const given = new Set(output.map((item) => item.json.vatNumber));
	expect([...given].filter((vatNumber) => !created.has(vatNumber as string))).toEqual([]);
	// What was created but is not in the output is named in an error.
	const descriptions = errors.map((item) => (item.json.error as { description: string }).description).join('\n');
	const isNamed = (vatNumber: unknown) => descriptions.includes(`Look for the customer with VAT number ${String(vatNumber)} in`);
	expect([...created].filter((vatNumber) => !given.has(vatNumber) && !isNamed(vatNumber))).toEqual([]);
	expect(output.length + errors.length).toBe(ITEMS);
	const { counts } = sandbox.faults();
	// Half of what is to be expected.
	expect(RATED.filter(({ rate }, index) => counts[index]!.injected < (ITEMS * rate) / 2)).toEqual([]);
	expectOneLoginPerToken(sandbox, TOKEN_REQUESTS);
});

const ITEMS_OF_PLAN = 25;
const PLANS = 50;

/** Faults after which a GET or PUT is sent again; where the service may ask to wait, it asks for nothing, so that a run is short. */
const RETRYABLE: FaultRule[] = [
	{ fault: 'http429', retryAfterSeconds: 0 },
	{ fault: 'http503', retryAfterSeconds: 0 },
	{ fault: 'http502' },
	{ fault: 'http504' },
	{ fault: 'resetBefore' },
	{ fault: 'resetAfter' },
];

const plan = fc.record({
	seed: fc.integer({ min: 1, max: 1_000_000 }),
	faults: fc.array(fc.tuple(fc.constantFrom(...RETRYABLE), fc.double({ min: 0.01, max: 0.15, noNaN: true })), { maxLength: 2 }),
	jitterMs: fc.integer({ min: 0, max: 5 }),
	tokenRequests: fc.option(fc.integer({ min: 10, max: 60 })),
	maxConcurrency: fc.integer({ min: 1, max: 30 }),
	operation: fc.constantFrom('get', 'setPremium'),
});

// Each item is in the output once and in order, concurrency stays within the limit, and each expired token costs one login.
test(`no fault loses or repeats an item, exceeds the limit, or costs a login too many (${PLANS} plans)`, async () => {
	const sandbox = await startSandbox();
	// The wait before a retry is random: mostly luck, so that many plans take little time.
	const { random } = Math;
	jest.spyOn(Math, 'random').mockImplementation(() => random() / 50);
	const skip = aheadClock();
	const injected = new Map<string, number>();
	let expiries = 0;
	await fc.assert(
		fc.asyncProperty(plan, async ({ seed, faults, jitterMs, tokenRequests, maxConcurrency, operation }) => {
			sandbox.reset();
			sandbox.expireTokens();
			// Older than a token that is kept though it is refused.
			skip(4_000);
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
				items: numbered(ITEMS_OF_PLAN),
				parameters: {
					...(operation === 'get' ? getGateway('={{ $json.n % 12 + 1 }}') : setPremium('={{ $json.n % 12 + 1001 }}', 'IT')),
					options,
				},
				credential: credentialFor(sandbox.url),
			});
			expect(error).toBeUndefined();
			expect(output.map((item) => Number(item.json.id ?? item.json.idTrunk))).toEqual(
				numbered(ITEMS_OF_PLAN).map(({ n }) => (n % 12) + (operation === 'get' ? 1 : 1001)),
			);
			const { peakInFlight, logins } = sandbox.state().counters;
			expect(peakInFlight).toBeLessThanOrEqual(maxConcurrency);
			// The token of the previous case has expired, too.
			expectOneLoginPerToken(sandbox, tokenRequests ?? undefined);
			expiries += logins - 1;
			faults.forEach(([{ fault }], index) => injected.set(fault, (injected.get(fault) ?? 0) + sandbox.faults().counts[index + 1]!.injected));
		}),
		{ numRuns: PLANS },
	);
	await sandbox.close();
	jest.restoreAllMocks();
	// Each fault is in one of 6 plans, and is injected into 2 of its 25 requests: some 15 times.
	const rarest = Math.min(...RETRYABLE.map(({ fault }) => injected.get(fault) ?? 0));
	expect([rarest > 2, expiries > 2]).toEqual([true, true]);
});

/**
 * Expects one login for each access token that expired, and one for the first: every token but the last has served as many
 * requests as it may. Every reply below 300 counts as one of the service, so no fault of the plan may answer with such a status.
 */
function expectOneLoginPerToken(sandbox: Sandbox, requestsPerToken = Number.MAX_SAFE_INTEGER): void {
	const requests = sandbox.requests().filter(({ operationId }) => operationId !== 'login');
	const served = requests.filter(({ status }) => typeof status === 'number' && status < 300).length;
	// The log does not tell whether the token of these had expired.
	const perhapsServed = requests.filter(({ fault }) => fault === 'resetAfter').length;
	const { logins } = sandbox.state().counters;
	expect(logins * requestsPerToken).toBeGreaterThanOrEqual(served);
	expect((logins - 1) * requestsPerToken).toBeLessThanOrEqual(served + perhapsServed);
}
