import type { FaultRule, Sandbox } from '../../sandbox';
import { credentialFor } from '../support/executor/credentialStore';
import { execute, type Result } from '../support/executor/execute';
import { expectOneLoginPerToken } from '../support/executor/logins';
import { addCustomer, getGateway, numbered, setPremium } from '../support/operations';
import { printTable } from '../support/printTable';
import { sandboxOfEachTest } from '../support/executor/sandboxOfEachTest';

const ITEMS = 2_000;
const TOKEN_REQUESTS = 300;

const faults: FaultRule[] = [
	{ fault: 'latency', ms: 2, jitterMs: 8 },
	{ fault: 'resetBefore', path: '/v1', rate: 0.025 },
	{ fault: 'resetAfter', path: '/v1', rate: 0.025 },
	{ fault: 'http503', path: '/v1', rate: 0.05 },
	{ fault: 'http429', path: '/v1', rate: 0.05, retryAfterAs: 'none' },
	{ fault: 'tokenExpires', afterRequests: TOKEN_REQUESTS },
];

const rows: Array<Record<string, string | number>> = [];
let sandbox: Sandbox;

sandboxOfEachTest((started) => { sandbox = started; }, { faults: { seed: 42, rules: faults } });

afterAll(() => printTable('Under load: 5% resets, 5% 503, 5% 429, tokens that last 300 requests', rows));

/** Expects that the faults injected and that each expired token cost one login, and records the figures of a run. */
function record(operation: string, { output, errors }: Result, duplicates?: number): void {
	const { requests, logins } = sandbox.state().counters;
	const sent = requests - logins;
	rows.push({
		operation,
		items: ITEMS,
		requests: sent,
		logins,
		retries: sent - ITEMS,
		succeeded: output.length,
		errors: errors.length,
		duplicates: duplicates ?? 'n/a',
		// Neither an output nor an error.
		lost: ITEMS - output.length - errors.length,
	});
	const { counts } = sandbox.faults();
	faults.forEach((rule, index) => {
		// Half of what is to be expected.
		if ('rate' in rule) expect([rule.fault, counts[index]!.injected >= (ITEMS * rule.rate!) / 2]).toEqual([rule.fault, true]);
	});
	expectOneLoginPerToken(sandbox, TOKEN_REQUESTS);
}

test('GET: 2,000 gateways, all correct and in order', async () => {
	const result = await execute({
		items: numbered(ITEMS),
		parameters: { ...getGateway('={{ $json.n % 12 + 1 }}'), options: { maxRetries: 10 } },
		credential: credentialFor(sandbox.url),
	});
	record('get gateway', result);
	expect(result.error).toBeUndefined();
	expect(result.output.map(({ json: { id } }) => id)).toEqual(numbered(ITEMS).map(({ n }) => String((n % 12) + 1)));
}, 1_200_000);

test('PUT: 2,000 countries of trunks, all correct and stored', async () => {
	const codes = Array.from({ length: 26 }, (_, i) => `X${String.fromCharCode(65 + i)}`);
	const result = await execute({
		items: numbered(ITEMS),
		parameters: {
			...setPremium('={{ $json.n % 12 + 1001 }}', `={{ ${JSON.stringify(codes)}[$json.n % 26] }}`),
			options: { maxRetries: 10 },
		},
		credential: credentialFor(sandbox.url),
	});
	record('set premium', result);
	expect(result.error).toBeUndefined();
	expect(result.output.map((item) => item.json)).toEqual(
		numbered(ITEMS).map(({ n }) => ({ success: true, idTrunk: (n % 12) + 1001, iso: codes[n % 26] })),
	);
	const stored = sandbox.state().trunks.flatMap(({ id, premiumCountries }) => premiumCountries.map(({ iso }) => `${id} ${iso}`));
	expect(stored.sort()).toEqual([...new Set(numbered(ITEMS).map(({ n }) => `${(n % 12) + 1001} ${codes[n % 26]}`))].sort());
}, 1_200_000);

test('POST: 2,000 customers, no duplicates, and each one either in the output or named in an error', async () => {
	const result = await execute({
		items: numbered(ITEMS),
		parameters: addCustomer('={{ "C" + $json.n }}', { options: { maxRetries: 10 } }),
		credential: credentialFor(sandbox.url),
		settings: { onError: 'continueErrorOutput' },
	});
	const stored = sandbox.state().customers.map(({ vatNumber }) => vatNumber);
	record('add customer', result, stored.length - new Set(stored).size);
	expect(new Set(stored).size).toBe(stored.length);
	const created = new Set(stored);
	expect(result.output.filter((item) => !created.has(item.json.vatNumber as string))).toEqual([]);
	// What was created but is not in the output is named in an error.
	const descriptions = result.errors.map((item) => (item.json.error as { description: string }).description).join('\n');
	const unreported = [...created].filter(
		(vatNumber) =>
			!result.output.some((item) => item.json.vatNumber === vatNumber) &&
			!descriptions.includes(`The customer with VAT number ${vatNumber} may already exist`),
	);
	expect(unreported).toEqual([]);
	expect(result.output.length + result.errors.length).toBe(ITEMS);
}, 1_200_000);
