import { addCustomer, getGateway, numbered, RETRY } from '../support/executor';
import { run, sandbox } from '../support/executor/sandboxOfEachTest';

describe('an item whose expression fails', () => {
	// With a token, so that what is sent by mistake is sent at once.
	beforeEach(async () => {
		await run({ parameters: getGateway('1') });
		sandbox.reset();
	});

	const failsAt = (item: number) => addCustomer(`={{ $json.n === ${item} ? $('Nope').item.json.x : "C" + $json.n }}`);

	test.each([0, 5, 7])('under stopWorkflow, item %i of 8: nothing is sent', async (item) => {
		for (const settings of [{}, RETRY]) {
			const { error } = await run({ items: numbered(8), parameters: failsAt(item), settings });
			expect(error?.message).toBe("Referenced node doesn't exist");
			expect(error?.context).toMatchObject({ itemIndex: item, code: 'invalid_parameter', outcome: 'not_sent' });
		}
		// What waits to be sent is sent in turn with this.
		await run({ parameters: getGateway('1') });
		expect(sandbox.getRequests().map(({ method }) => method)).toEqual(['GET']);
	});

	test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'under %s: it fails alone, and the others are sent',
		async (onError) => {
			const parameters = failsAt(5);
			const {
				run: { data },
				output,
				errors,
			} = await run({ items: numbered(8), parameters, settings: { onError } });
			expect(data.resultData.error).toBeUndefined();
			const failed = [...output, ...errors].filter(({ json }) => json.error);
			const error = { message: "Referenced node doesn't exist", code: 'invalid_parameter', outcome: 'not_sent' };
			expect(failed).toMatchObject([{ json: { error }, pairedItem: { item: 5 } }]);
			expect(
				sandbox
					.getRecordsAndCounters()
					.customers.map(({ vatNumber }) => vatNumber)
					.sort(),
			).toEqual([0, 1, 2, 3, 4, 6, 7].map((n) => `C${n}`));
		},
	);
});
