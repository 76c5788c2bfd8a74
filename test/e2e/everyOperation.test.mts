import { everyOperation, parametersByPlaceholder } from '../support/everyOperation';
import { inN8n } from '../support/n8n/scenario.mts';

const { scenario } = inN8n();

for (const described of everyOperation()) {
	const title = `an operation does what its placeholders show: ${described.resource}, ${described.operation}`;
	scenario(title, { parameters: parametersByPlaceholder(described) }, ({ output, errors, requests }) => {
		expect(errors).toEqual([]);
		expect(output.length).toBeGreaterThan(0);
		expect(requests.map(({ operationId }) => operationId)).toEqual(['login', ...output.map(() => expect.any(String) as string)]);
	});
}
