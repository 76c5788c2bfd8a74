import { everyOperation, parametersByPlaceholder } from '../support/everyOperation';
import { inN8n } from '../support/n8n/scenario.mts';

const { scenario } = inN8n();

describe('every operation', () => {
	for (const described of everyOperation()) {
		scenario(`does what its placeholders show: ${described.resource}, ${described.operation}`, { parameters: parametersByPlaceholder(described) }, ({ output, errors, requests }) => {
			expect(errors).toEqual([]);
			expect(output.length).toBeGreaterThan(0);
			const own = requests.filter(({ operationId }) => operationId !== 'login');
			expect(own.map(({ operationId, status }) => [operationId, String(status)])).toEqual(output.map(() => [expect.any(String), expect.stringMatching(/^2\d\d$/)]));
		});
	}
});
