import { scenario } from '../support/n8n/scenario.mts';
import { addCustomer, numbered } from '../support/operations';

// With the default Max Concurrency.
const parameters = addCustomer('={{ "customer " + $json.n }}');
const customers = { items: numbered(1_000), parameters, settings: { onError: 'continueRegularOutput' } } as const;

for (const [name, fault, most] of [
	['answers 502', 'unavailable', 25],
	['refuses connections', 'refused', 0],
] as const) {
	scenario(
		`1,000 customers are created once, but for ${most} at most, by a service that ${name} for a second`,
		{
			...customers,
			faults: {
				rules: [
					{ fault: 'latency', ms: 20 },
					{ fault, ms: 1_000, path: '/v1', after: 390 },
				],
			},
		},
		({ output, errors, sandbox }) => {
			const created = sandbox.state().customers.map(({ vatNumber }) => vatNumber);
			expect(errors.length).toBeLessThanOrEqual(most);
			expect([output.length, created.length, new Set(created).size]).toEqual(Array(3).fill(1_000 - errors.length));
		},
	);
}
