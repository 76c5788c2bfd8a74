import { type INodeParameters, type NodeExecutionHint, sleep } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox';
import { credentialFor } from '../support/executor/credentialStore';
import { type Execution, execute } from '../support/executor/execute';
import { sandboxOfEachTest } from '../support/executor/sandboxOfEachTest';
import { addCustomer, getGateway, numbered, setPremium } from '../support/operations';
import { aheadClock } from '../support/time';
import { until } from '../support/until';

const CONTINUE = { onError: 'continueRegularOutput' } as const;

let sandbox: Sandbox;

sandboxOfEachTest((started) => { sandbox = started; });

const run = async (execution: Omit<Execution, 'credential'>) => await execute({ ...execution, credential: credentialFor(sandbox.url) });

const created = () => sandbox.state().customers.map(({ vatNumber }) => vatNumber);

describe('the hint beside the output', () => {
	const hintsOf = async (execution: Omit<Execution, 'credential'>): Promise<NodeExecutionHint[]> =>
		(await run(execution)).run.data.resultData.runData['Voice Admin']![0]!.hints ?? [];

	test('says of a dry run that nothing was sent', async () => {
		const parameters = { ...setPremium(1001, 'IT, FR'), options: { dryRun: true } };
		const message = 'Dry Run is on: nothing was sent. The output shows the 4 requests that would be sent';
		expect(await hintsOf({ items: numbered(2), parameters })).toEqual([{ message, type: 'info', location: 'outputPane' }]);
		expect(sandbox.requests()).toEqual([]);
	});

	test('counts the requests that a dry run shows, and the items that failed in it', async () => {
		const { run: { data } } = await execute({
			items: numbered(2),
			parameters: { ...getGateway('12'), options: { dryRun: true } },
			credential: credentialFor('={{ $json.n ? "http://127.0.0.1:9" : "none" }}'),
			settings: CONTINUE,
		});
		const messages = data.resultData.runData['Voice Admin']![0]!.hints?.map(({ message }) => message);
		expect(messages).toEqual(['Dry Run is on: nothing was sent. The output shows the 1 request that would be sent', '1 of 2 items failed']);
	});

	test('says how many items failed, and of how many nobody knows whether they were done', async () => {
		sandbox.setFaults({ rules: [{ fault: 'http400', bodyContains: '"C1"' }, { fault: 'resetAfter', bodyContains: '"C3"' }] });
		const hints = await hintsOf({ items: numbered(5), parameters: addCustomer('={{ "C" + $json.n }}'), settings: CONTINUE });
		const message = '2 of 5 items failed, 1 of them with an unknown outcome: check whether they were done before you send them again';
		expect(hints).toEqual([{ message, type: 'warning', location: 'outputPane' }]);
	});

	test('says for how long the service asked the run to wait, and nothing else where every item succeeded', async () => {
		sandbox.setFaults({ rules: [{ fault: 'http429', method: 'GET', retryAfterSeconds: 5, count: 1 }] });
		const message = 'The service asked this run to wait for 5 seconds in total';
		const skip = aheadClock();
		const hints = hintsOf({ parameters: getGateway('12') });
		await until(() => sandbox.requests().some(({ status }) => status === 429), 'the service asks to wait');
		// Once the node has read it.
		await sleep(100);
		skip(5_000);
		expect((await hints).map((hint) => hint.message)).toEqual([message]);
		jest.restoreAllMocks();
	});
});

test("n8n's event loop has turns while the items are checked", async () => {
	let turns = 0;
	const count = setInterval(() => turns++, 1);
	// 500 expressions that only n8n can evaluate take it a second; the run sends nothing, so that it waits for nothing.
	const parameters = { ...getGateway('={{ Array.from({ length: 2000 }, (_, i) => i).join("").length + $json.n }}'), options: { dryRun: true } };
	const { output } = await run({ items: numbered(500), parameters });
	clearInterval(count);
	expect(output).toHaveLength(500);
	// Without a turn in between there is none.
	expect(turns).toBeGreaterThan(1);
});

test('a run leaves no listener at the cancel signal of its execution', async () => {
	const added = jest.spyOn(AbortSignal.prototype, 'addEventListener');
	const removed = jest.spyOn(AbortSignal.prototype, 'removeEventListener');
	await run({ items: numbered(20), parameters: getGateway('12') });
	const listeners = ({ mock }: typeof added | typeof removed) => mock.calls.filter(([type]) => type === 'abort').map(([, listener]) => listener);
	expect(listeners(added).length).toBeGreaterThan(20);
	// Newer axios takes its own away when the body has been read, which may be after the run.
	await until(() => listeners(added).every((listener) => listeners(removed).includes(listener)), 'no listener is left');
	jest.restoreAllMocks();
});

describe('under Retry On Fail', () => {
	const RETRY = { retryOnFail: true, maxTries: 2, waitBetweenTries: 10 };

	test('of two items with the same VAT number, only the one that was not created is sent again', async () => {
		sandbox.setFaults({ rules: [{ fault: 'http400', method: 'POST', path: '/v1', after: 1, count: 1 }] });
		const { error, output } = await run({ items: numbered(2), parameters: addCustomer('same', { options: { maxConcurrency: 1 } }), settings: RETRY });
		expect(error).toBeUndefined();
		expect(output).toHaveLength(2);
		expect(created()).toEqual(['same', 'same']);
	});

	test('a create with an unknown outcome stops the items after it in the next attempt', async () => {
		sandbox.setFaults({ rules: [{ fault: 'resetAfter', bodyContains: '"C0"', count: 1 }] });
		const { error } = await run({ items: numbered(4), parameters: addCustomer('={{ "C" + $json.n }}', { options: { maxConcurrency: 1 } }), settings: RETRY });
		expect(error?.context).toMatchObject({ itemIndex: 0, outcome: 'unknown' });
		expect(created()).toEqual(['C0']);
	});

	test('a create with an unknown outcome is still what the last attempt reports, when an item is no longer valid then', async () => {
		sandbox.setFaults({ rules: [{ fault: 'resetAfter', bodyContains: '"C0"', count: 1 }] });
		const items = [{ vat: 'C0' }, { vat: 'C1' }];
		const ended = run({ items, parameters: addCustomer('={{ $json.vat }}', { options: { maxConcurrency: 1 } }), settings: { ...RETRY, waitBetweenTries: 1000 } });
		await until(() => created().includes('C0'), 'the first attempt');
		items[1]!.vat = '';
		const { error } = await ended;
		expect(error?.context).toMatchObject({ itemIndex: 0, outcome: 'unknown' });
		expect(error?.description).toMatch(/The node did not send it again under Retry On Fail\.$/);
	});
});

describe('under Retry On Fail, with On Error set to continue', () => {
	const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1000, ...CONTINUE };

	test('an item whose expressions give something else in the next attempt keeps what was created, and creates nothing more', async () => {
		sandbox.setFaults({ rules: [{ fault: 'http400', bodyContains: '"C0"', count: 1 }, { fault: 'resetAfter', bodyContains: '"C3"', count: 1 }] });
		const items = ['C0', 'C1', 'C2', 'C3'].map((vat) => ({ vat }));
		const ended = run({ items, parameters: addCustomer('={{ $json.vat }}'), settings });
		await until(() => created().length === 3, 'the first attempt');
		items[1]!.vat = 'another';
		items[2]!.vat = '';
		items[3]!.vat = '';
		const { output } = await ended;
		expect(created().sort()).toEqual(['C0', 'C1', 'C2', 'C3']);
		expect(output.map(({ json: { vatNumber, error } }) => vatNumber ?? (error as { outcome: string }).outcome)).toEqual(['C0', 'C1', 'C2', 'unknown']);
	});
});

describe('an error that stops a run', () => {
	const OTHERS = /Created before the run stopped: customer with VAT number C0, customer with VAT number C1\.\nMay have been created before the run stopped: customer with VAT number C2\.$/;

	test.each([{}, { retryOnFail: true, maxTries: 2, waitBetweenTries: 10 }])('names the other customers that were created or may have been, with %j', async (settings) => {
		sandbox.setFaults({ rules: [{ fault: 'latency', bodyContains: '"C3"', ms: 500 }, { fault: 'resetAfter', bodyContains: '"C2"' }, { fault: 'http400', bodyContains: '"C3"' }] });
		const { error } = await run({ items: [{ n: 3 }, { n: 0 }, { n: 1 }, { n: 2 }], parameters: addCustomer('={{ "C" + $json.n }}'), settings });
		expect(created().sort()).toEqual(['C0', 'C1', 'C2']);
		expect(error?.description).toMatch(settings.retryOnFail ? /C0, customer with VAT number C1/ : OTHERS);
	});

	test('names those that an attempt before has created, when an item is not valid in the next', async () => {
		sandbox.setFaults({ rules: [{ fault: 'http400', bodyContains: '"C1"' }] });
		const items = [{ vat: 'C0' }, { vat: 'C1' }];
		const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1000 };
		const ended = run({ items, parameters: addCustomer('={{ $json.vat }}', { options: { maxConcurrency: 1 } }), settings });
		await until(() => sandbox.requests().some(({ status }) => status === 400), 'the first attempt');
		items[0]!.vat = '';
		const { error } = await ended;
		expect(error?.message).toContain("'VAT Number' is required");
		expect(error?.description).toBe('Created before the run stopped: customer with VAT number C0');
	});

	test('names no more than ten that were created, and says how many more there are', async () => {
		sandbox.setFaults({ rules: [{ fault: 'latency', bodyContains: '"C0"', ms: 1000 }, { fault: 'http400', bodyContains: '"C0"' }] });
		const { error } = await run({ items: numbered(15), parameters: addCustomer('={{ "C" + $json.n }}') });
		expect(created()).toHaveLength(14);
		expect(error?.description).toMatch(/^(.*\n)*Created before the run stopped: (customer with VAT number C\d+, ){9}customer with VAT number C\d+ and 4 more\.$/);
	});
});

describe("n8n's batching", () => {
	const parameters = (batch: INodeParameters) => ({ ...getGateway('={{ String($json.n) }}'), requestOptions: { batching: { batch } } });

	/** In the order of the items: those of a batch are sent at once, and may arrive in any. */
	const getsSent = () => sandbox.requests().filter(({ method }) => method === 'GET').map(({ path }) => Number(path.split('/').at(-1))).sort((a, b) => a - b);

	test.each([
		[{ batchSize: 3, batchInterval: 60_000 }, 3],
		[{ batchSize: '={{ "3" }}', batchInterval: '={{ "60000" }}' }, 3],
		[{ batchSize: 0, batchInterval: 60_000 }, 1],
	])('%j: the next batch waits for the interval, and a cancel ends the wait', async (batch, size) => {
		let sent: number[] = [];
		const cancelLater = async (cancel: () => void) => {
			await until(() => getsSent().length === size, 'the first batch is sent');
			await sleep(300);
			sent = getsSent();
			cancel();
		};
		const ended = await run({ items: numbered(7), parameters: parameters(batch), settings: CONTINUE, onStart: (cancel) => void cancelLater(cancel) });
		expect(ended.run.status).toBe('canceled');
		await sleep(300);
		expect(sent).toEqual(numbered(size).map(({ n }) => n));
		expect(getsSent()).toEqual(sent);
	});

	test('sends all batches, and gives one output for each item in order', async () => {
		const { output } = await run({ items: numbered(7), parameters: parameters({ batchSize: 3, batchInterval: 20 }), settings: CONTINUE });
		expect(getsSent()).toHaveLength(7);
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual(numbered(7).map(({ n }) => ({ item: n })));
	});
});
