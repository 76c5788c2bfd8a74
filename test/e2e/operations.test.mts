import { everyOperation, everyParameter, parametersByPlaceholder } from '../support/everyOperation';
import { NODE, scenario } from '../support/n8n/scenario.mts';

describe.each([
	['its placeholders', parametersByPlaceholder],
	['its placeholders in every field', everyParameter],
])('with the values of %s', (_, parametersOf) => {
	for (const described of everyOperation()) {
		const { resource, operation } = described;
		const parameters = parametersOf(described);
		if (parametersOf === everyParameter && !('additionalFields' in parameters)) continue;
		scenario(`${resource}: ${operation} succeeds`, { parameters }, ({ runData, sandbox }) => {
			const [run] = runData[NODE]!;
			expect([run!.error, sandbox.requests().filter(({ status }) => !(Number(status) < 400))]).toEqual([undefined, []]);
			expect(run!.data!.main![0]).not.toEqual([]);
		});
	}
});
