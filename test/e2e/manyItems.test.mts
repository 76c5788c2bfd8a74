import { addCustomer, getGateway, numbered } from '../support/operations';
import { inN8n } from '../support/n8n/scenario.mts';

/** Replies late enough for a busy n8n to have sent as many requests as it may before the first one is answered. */
const { scenario } = inN8n({ latencyMs: 150 });

describe('many items', () => {
	scenario(
		'come out in their order, with one login and never more in flight than the option allows',
		{ items: numbered(100), parameters: getGateway('={{ $json.n % 12 + 1 }}', { options: { maxConcurrency: 5 } }) },
		({ output, paired, state }) => {
			expect(output.map(({ id }) => id)).toEqual(numbered(100).map(({ n }) => String((n % 12) + 1)));
			expect(paired).toEqual(numbered(100).map(({ n }) => n));
			expect(state.counters).toMatchObject({ logins: 1, requests: 101, peakInFlight: 5 });
		},
	);

	const customers = numbered(30).map(({ n }) => ({ vat: `C${n + 1}` }));

	scenario(
		'are each created once under Retry On Fail, though the whole node runs again',
		{
			items: customers,
			parameters: addCustomer('={{ $json.vat }}'),
			settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 100 },
			faults: { rules: [{ fault: 'http400', bodyContains: '"C17"', count: 2 }] },
		},
		({ output, errors, state }) => {
			expect(errors).toEqual([]);
			expect(output.map(({ vatNumber }) => vatNumber)).toEqual(customers.map(({ vat }) => vat));
			expect(state.customers.map(({ vatNumber }) => vatNumber).sort()).toEqual(customers.map(({ vat }) => vat).sort());
		},
	);
});
