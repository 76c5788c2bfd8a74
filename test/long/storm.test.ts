import { type FaultRule, startSandbox } from '../../sandbox';
import { credentialFor } from '../support/executor/credentialStore';
import { execute } from '../support/executor/execute';
import { expectOneLoginPerToken } from '../support/executor/logins';
import { addCustomer, numbered } from '../support/operations';

const ITEMS = 2_000;
const TOKEN_REQUESTS = 300;

const RATED: Array<FaultRule & { rate: number }> = [
	{ fault: 'resetBefore', path: '/v1', rate: 0.025 },
	{ fault: 'resetAfter', path: '/v1', rate: 0.025 },
	{ fault: 'http503', path: '/v1', rate: 0.05 },
	{ fault: 'http429', path: '/v1', rate: 0.05, retryAfterAs: 'none' },
];
const rules: FaultRule[] = [...RATED, { fault: 'latency', ms: 2, jitterMs: 8 }, { fault: 'tokenExpires', afterRequests: TOKEN_REQUESTS }];

// Gateways and countries through faults at random: faults.property.test.ts.
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
	const isNamed = (vatNumber: unknown) => descriptions.includes(`The customer with VAT number ${String(vatNumber)} may already exist`);
	expect([...created].filter((vatNumber) => !given.has(vatNumber) && !isNamed(vatNumber))).toEqual([]);
	expect(output.length + errors.length).toBe(ITEMS);
	const { counts } = sandbox.faults();
	// Half of what is to be expected.
	expect(RATED.filter(({ rate }, index) => counts[index]!.injected < (ITEMS * rate) / 2)).toEqual([]);
	expectOneLoginPerToken(sandbox, TOKEN_REQUESTS);
});
