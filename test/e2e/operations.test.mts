import { everyOperation, everyParameter, parametersByPlaceholder } from '../support/everyOperation';
import { scenario } from '../support/n8n/scenario.mts';

describe.each([['its placeholders', parametersByPlaceholder], ['its placeholders in every field', everyParameter]])('with the values of %s', (_, parametersOf) => {
	for (const described of everyOperation()) {
		const { resource, operation } = described;
		scenario(`${resource}: ${operation} succeeds`, { parameters: parametersOf(described) }, ({ output, errors, sandbox }) => {
			expect([errors, sandbox.requests().filter(({ status }) => !(Number(status) < 400))]).toEqual([[], []]);
			expect(output).not.toEqual([]);
		});
	}
});
