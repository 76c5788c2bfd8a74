import type { Sandbox } from '../../sandbox';
import { credentialFor } from '../support/executor/credentialStore';
import { execute } from '../support/executor/execute';
import { sandboxOfEachTest } from '../support/executor/sandboxOfEachTest';
import { startService } from '../support/executor/startService';
import { addCustomer, getGateway, numbered } from '../support/operations';
import { json } from '../support/recorder';
import { until } from '../support/until';

let sandbox: Sandbox;

const run = sandboxOfEachTest((started) => { sandbox = started; });

const gatewayOfItem = getGateway('={{ $json.n % 12 + 1 }}');
const getsSent = () => sandbox.requests().filter(({ method }) => method === 'GET').map(({ path }) => path);

describe('a failure', () => {
	const RETRY = { retryOnFail: true, maxTries: 2, waitBetweenTries: 10 };

	test.each([{}, RETRY])('names the other customers that were created or may have been, with %j', async (settings) => {
		const created: string[] = [];
		const service = await startService(({ body }, response) => {
			const { vatNumber } = JSON.parse(body) as { vatNumber: string };
			// When all others are on their way.
			const reject = () => json(response, 400, { message: 'No', errors: '' });
			if (vatNumber === 'C3') return void until(() => created.length === 3, 'the others have arrived').then(reject);
			created.push(vatNumber);
			if (vatNumber === 'C2') response.destroy();
			else json(response, 201, {});
		});
		const items = [3, 0, 1, 2].map((n) => ({ n }));
		const parameters = addCustomer('={{ "C" + $json.n }}');
		const { error } = await execute({ items, parameters, credential: credentialFor(service.url), settings });
		expect(created.sort()).toEqual(['C0', 'C1', 'C2']);
		expect(error?.description).toContain('Created before the run stopped: customer with VAT number C0; customer with VAT number C1.');
		// Under Retry On Fail it is the one that the error is about.
		const others = expect.stringContaining('May have been created before the run stopped: customer with VAT number C2.');
		if (!('retryOnFail' in settings)) expect(error?.description).toEqual(others);
	});
});

describe('a canceled execution', () => {
	test('sends no request that waits for a permit', async () => {
		sandbox.setFaults({ rules: [{ fault: 'latency', ms: 100 }] });
		const counters = () => sandbox.state().counters;
		let sentWhenCanceled = 0;
		const cancelLater = async (cancel: () => void) => {
			await until(() => counters().requests > 15 && counters().inFlight === 10, 'each permit was used, and some twice');
			sentWhenCanceled = counters().requests;
			cancel();
		};
		const parameters = { ...gatewayOfItem, options: { maxConcurrency: 10 } };
		// With the others to be sent, whatever becomes of those in flight.
		const settings = { onError: 'continueRegularOutput' } as const;
		const ended = await run({ items: numbered(300), parameters, settings, onStart: (cancel) => void cancelLater(cancel) });
		expect(ended.run.status).toBe('canceled');
		expect(counters().requests).toBe(sentWhenCanceled);
	});

	test('sends no request that waits for its retry', async () => {
		sandbox.setFaults({ rules: [{ fault: 'http503', method: 'GET', retryAfterSeconds: 2 }] });
		const onStart = (cancel: () => void) => void until(() => getsSent().length > 0, 'a request is answered').then(cancel);
		await run({ items: numbered(12), parameters: gatewayOfItem, onStart });
		expect(new Set(getsSent()).size).toBe(getsSent().length);
	});

	test('aborts requests in flight', async () => {
		let aborted = 0;
		const service = await startService((_request, response) => void response.once('close', () => aborted++));
		const isFull = () => service.requests.length === 25;
		await execute({
			items: numbered(100),
			parameters: gatewayOfItem,
			credential: credentialFor(service.url),
			onStart: (cancel) => void until(isFull, 'the initial number of requests was in flight').then(cancel),
		});
		await until(() => aborted === 25, 'all of them are aborted');
		expect(service.requests).toHaveLength(25);
	});
});
