import { addCustomer, getGateway, numbered } from '../support/operations';
import { inN8n } from '../support/n8n/scenario.mts';

const { scenario } = inN8n({ latencyMs: 20 });
/** Replies late enough for a busy n8n to have sent as many requests as it may before the first one is answered. */
const { scenario: slowScenario } = inN8n({ latencyMs: 150 });

const gatewayOfItem = (more = {}) => getGateway('={{ $json.n % 12 + 1 }}', more);
const ids = (count: number) => numbered(count).map(({ n }) => String((n % 12) + 1));

describe('hundreds of items', () => {
	slowScenario(
		'come out in their order, with one login and never more in flight than the option allows',
		{ items: numbered(300), parameters: gatewayOfItem({ options: { maxConcurrency: 5 } }) },
		({ output, paired, state }) => {
			expect(output.map(({ id }) => id)).toEqual(ids(300));
			expect(paired).toEqual(numbered(300).map(({ n }) => n));
			expect(state.counters.logins).toBe(1);
			expect(state.counters.requests).toBe(301);
			expect(state.counters.peakInFlight).toBe(5);
		},
	);

	scenario(
		'all arrive at a service that limits and breaks connections',
		{
			items: numbered(150),
			parameters: gatewayOfItem({ options: { maxRetries: 10 } }),
			faults: { rules: [{ fault: 'http503', rate: 0.05 }, { fault: 'resetBefore', rate: 0.05 }], rateLimit: { perSecond: 50, burst: 1 } },
		},
		({ output, errors, requests }) => {
			expect(errors).toEqual([]);
			expect(output.map(({ id }) => id)).toEqual(ids(150));
			expect(requests.some(({ status }) => status === 429)).toBe(true);
		},
	);
});

describe("n8n's batching", () => {
	scenario(
		'hands over a batch at a time: every item has its reply in its place, and there is one login',
		{ items: numbered(60), parameters: gatewayOfItem({ requestOptions: { batching: { batch: { batchSize: 20, batchInterval: 50 } } } }) },
		({ output, state }) => {
			expect(output.map(({ id }) => id)).toEqual(ids(60));
			expect(state.counters.requests).toBe(61);
			expect(state.counters.logins).toBe(1);
		},
	);
});

describe("n8n's Retry On Fail", () => {
	const retryOnFail = { retryOnFail: true, maxTries: 3, waitBetweenTries: 100 };
	const customers = numbered(30).map(({ n }) => ({ vat: `C${n + 1}` }));

	scenario(
		'creates each customer once, though the whole node runs again',
		{ items: customers, parameters: addCustomer('={{ $json.vat }}'), settings: retryOnFail, faults: { rules: [{ fault: 'http400', bodyContains: '"C17"', count: 2 }] } },
		({ output, errors, state }) => {
			expect(errors).toEqual([]);
			expect(output.map(({ vatNumber }) => vatNumber)).toEqual(customers.map(({ vat }) => vat));
			expect(state.customers).toHaveLength(30);
			expect(new Set(state.customers.map(({ vatNumber }) => vatNumber)).size).toBe(30);
		},
	);

	scenario(
		'gets again what could not be read',
		{ items: numbered(20), parameters: gatewayOfItem(), settings: retryOnFail, faults: { rules: [{ fault: 'http500', path: '/v1/voip/dss/gtw/5', count: 1 }] } },
		({ output, errors }) => {
			expect(errors).toEqual([]);
			expect(output.map(({ id }) => id)).toEqual(ids(20));
		},
	);
});
