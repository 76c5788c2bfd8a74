import { scenario } from '../support/n8n/scenario.mts';
import { addCustomer, getGateway, numbered } from '../support/operations';

const settings = { onError: 'continueRegularOutput' } as const;
const customers = { items: numbered(300), parameters: addCustomer('={{ "customer " + $json.n }}'), settings };
const gateways = (count: number) => ({ items: numbered(count), parameters: getGateway('={{ $json.n % 12 + 1 }}'), settings });

for (const [name, fault, most] of [['answers 502', 'unavailable', 60], ['refuses connections', 'refused', 0]] as const) {
	scenario(
		`300 customers are created once, but for what was in flight, by a service that ${name} for 1.5 s`,
		{ ...customers, faults: { rules: [{ fault: 'latency', ms: 20 }, { fault, ms: 1_500, path: '/v1', after: 39 }] } },
		({ output, errors, sandbox }) => {
			const created = sandbox.state().customers.map(({ vatNumber }) => vatNumber);
			expect(errors.length).toBeLessThanOrEqual(most);
			expect([output.length, created.length, new Set(created).size]).toEqual(Array(3).fill(300 - errors.length));
		},
	);
}

scenario(
	'300 gateways are read from a service that answers 502 for 10 s',
	{ ...gateways(300), faults: { rules: [{ fault: 'unavailable', ms: 10_000, after: 40 }] } },
	({ output, errors }) => expect([output.length, errors]).toEqual([300, []]),
);

scenario(
	'30 gateways are read from a service whose login answers 502 for 2.5 s',
	{ ...gateways(30), faults: { rules: [{ fault: 'unavailable', ms: 2_500, path: '/auth' }] } },
	({ output, errors }) => expect([output.length, errors]).toEqual([30, []]),
);
