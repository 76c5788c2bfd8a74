import { scenario } from '../support/n8n/scenario.mts';
import { addCustomer, numbered } from '../support/operations';

const parameters = addCustomer('={{ "customer " + $json.n }}');
const customers = { items: numbered(300), parameters, settings: { onError: 'continueRegularOutput' } } as const;

for (const [name, fault, most] of [
	['answers 502', 'unavailable', 60],
	['refuses connections', 'refused', 0],
] as const) {
	scenario(
		`300 customers are created once, but for what was in flight, by a service that ${name} for 1.5 s`,
		{
			...customers,
			faults: {
				rules: [
					{ fault: 'latency', ms: 20 },
					{ fault, ms: 1_500, path: '/v1', after: 39 },
				],
			},
		},
		({ output, errors, sandbox }) => {
			const created = sandbox.state().customers.map(({ vatNumber }) => vatNumber);
			expect(errors.length).toBeLessThanOrEqual(most);
			expect([output.length, created.length, new Set(created).size]).toEqual(Array(3).fill(300 - errors.length));
		},
	);
}
