import { sleep } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox';
import { credentialFor } from '../support/executor/credentialStore';
import { execute } from '../support/executor/execute';
import { sandboxOfEachTest } from '../support/executor/sandboxOfEachTest';
import { addCustomer, getGateway, numbered } from '../support/operations';
import { until } from '../support/until';

const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 };

let sandbox: Sandbox;

sandboxOfEachTest((started) => { sandbox = started; });

const created = () => sandbox.state().customers.map(({ vatNumber }) => vatNumber).sort();

describe('an item whose expression fails', () => {
	// The routing executor evaluates all parameters before the requests are sent, and aborts the run at the first that fails.
	const ON_ERROR = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;

	// With a token, so that what is sent by mistake is sent at once.
	beforeEach(async () => {
		await execute({ parameters: getGateway('1'), credential: credentialFor(sandbox.url) });
		sandbox.reset();
	});

	const failsAt = (item: number) => addCustomer(`={{ $json.n === ${item} ? $('Nope').item.json.x : "C" + $json.n }}`);

	test.each(ON_ERROR.flatMap((onError) => [0, 5, 7].map((item) => [onError, item] as const)))('under %s, item %i of 8: nothing is sent', async (onError, item) => {
		const { error } = await execute({ items: numbered(8), parameters: failsAt(item), credential: credentialFor(sandbox.url), settings: { onError } });
		await sleep(200);
		expect(error?.message).toBe("Referenced node doesn't exist");
		expect(sandbox.requests()).toEqual([]);
	});

	test.each(ON_ERROR)('under %s and Retry On Fail: nothing is sent', async (onError) => {
		const { error } = await execute({ items: numbered(8), parameters: failsAt(5), credential: credentialFor(sandbox.url), settings: { ...RETRY, onError } });
		await sleep(300);
		expect(error?.message).toBe("Referenced node doesn't exist");
		expect(sandbox.requests()).toEqual([]);
	});

	test('under stopWorkflow with batching, in a later batch: the earlier batches have been sent', async () => {
		const parameters = { ...failsAt(5), requestOptions: { batching: { batch: { batchSize: 2, batchInterval: 200 } } } };
		const { error } = await execute({ items: numbered(8), parameters, credential: credentialFor(sandbox.url), settings: { onError: 'stopWorkflow' } });
		expect(error?.message).toBe("Referenced node doesn't exist");
		await until(() => created().length >= 4, 'the earlier batches have been sent');
		await sleep(200);
		expect(created()).toEqual(['C0', 'C1', 'C2', 'C3']);
	});

	test.each(ON_ERROR.slice(1))('under %s with batching, in a later batch: nothing is sent', async (onError) => {
		const batched = { requestOptions: { batching: { batch: { batchSize: 2, batchInterval: 20 } } } };
		const later = { ...failsAt(5), ...batched };
		const { error } = await execute({ items: numbered(8), parameters: later, credential: credentialFor(sandbox.url), settings: { onError } });
		await sleep(200);
		expect(error?.message).toBe("Referenced node doesn't exist");
		expect(sandbox.requests()).toEqual([]);
		const parameters = { ...failsAt(9), ...batched };
		const { output } = await execute({ items: numbered(8), parameters, credential: credentialFor(sandbox.url), settings: { onError } });
		expect(output).toHaveLength(8);
	});

	test('leaves no unhandled rejection: of an earlier item that is not valid', async () => {
		const { error } = await execute({ items: numbered(2), parameters: addCustomer(`={{ $json.n === 1 ? $('Nope').item.json.x : "" }}`), credential: credentialFor(sandbox.url) });
		expect(error?.message).toBe("Referenced node doesn't exist");
		// Jest fails a test that leaves one.
		await sleep(100);
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
