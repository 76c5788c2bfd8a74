import { sleep } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox';
import { credentialFor } from '../support/executor/credentialStore';
import { execute } from '../support/executor/execute';
import { sandboxOfEachTest } from '../support/executor/sandboxOfEachTest';
import { addCustomer, getGateway, numbered } from '../support/operations';

const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 };

let sandbox: Sandbox;

sandboxOfEachTest((started) => { sandbox = started; });

const created = () => sandbox.state().customers.map(({ vatNumber }) => vatNumber).sort();

describe('an item whose expression fails', () => {
	const CONTINUE = ['continueRegularOutput', 'continueErrorOutput'] as const;

	// With a token, so that what is sent by mistake is sent at once.
	beforeEach(async () => {
		await execute({ parameters: getGateway('1'), credential: credentialFor(sandbox.url) });
		sandbox.reset();
	});

	const failsAt = (item: number) => addCustomer(`={{ $json.n === ${item} ? $('Nope').item.json.x : "C" + $json.n }}`);

	const batched = { requestOptions: { batching: { batch: { batchSize: 2, batchInterval: 20 } } } };

	const positions = [0, 5, 7].flatMap((item) => [[item, {}], [item, batched]] as const);

	test.each(positions)('under stopWorkflow, item %i of 8, with Request Options %j: nothing is sent', async (item, options) => {
		for (const settings of [{}, RETRY]) {
			const { error } = await execute({ items: numbered(8), parameters: { ...failsAt(item), ...options }, credential: credentialFor(sandbox.url), settings });
			await sleep(200);
			expect(error?.message).toBe("Referenced node doesn't exist");
			expect(error?.context).toMatchObject({ itemIndex: item, code: 'invalid_parameter', outcome: 'not_sent' });
		}
		expect(sandbox.requests()).toEqual([]);
	});

	test.each(CONTINUE.flatMap((onError) => [[onError, {}], [onError, batched]] as const))('under %s, with Request Options %j: it fails alone, and the others are sent', async (onError, options) => {
		const parameters = { ...failsAt(5), ...options };
		const { run, output, errors } = await execute({ items: numbered(8), parameters, credential: credentialFor(sandbox.url), settings: { onError } });
		expect(run.data.resultData.error).toBeUndefined();
		const failed = [...output, ...errors].filter(({ json }) => json.error);
		expect(failed.map(({ json }) => json.error)).toEqual([expect.objectContaining({ message: "Referenced node doesn't exist", code: 'invalid_parameter', outcome: 'not_sent' })]);
		expect(failed[0]?.pairedItem).toEqual({ item: 5 });
		expect(created()).toEqual([0, 1, 2, 3, 4, 6, 7].map((n) => `C${n}`));
	});

	test('is not reached where an earlier item is not valid', async () => {
		const { error } = await execute({ items: numbered(2), parameters: addCustomer(`={{ $json.n === 1 ? $('Nope').item.json.x : "" }}`), credential: credentialFor(sandbox.url) });
		expect(error?.message).toMatch(/^'VAT Number' is required/);
		expect(error?.context).toMatchObject({ itemIndex: 0 });
	});

	test('is not confused with Execute Once or batching', async () => {
		const parameters = addCustomer('={{ "C" + $json.n }}');
		const once = await execute({ items: numbered(4), parameters, credential: credentialFor(sandbox.url), settings: { executeOnce: true } });
		expect(once.output).toHaveLength(1);
		const batched = await execute({
			items: numbered(5),
			parameters: { ...parameters, requestOptions: { batching: { batch: { batchSize: 2, batchInterval: 20 } } } },
			credential: once.store,
		});
		expect(batched.output).toHaveLength(5);
	});
});
