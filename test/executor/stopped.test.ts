import { time } from '../../nodes/VoiceAdmin/transport/flow/time';
import { credentialFor } from '../support/executor/credentialStore';
import { execute } from '../support/executor/execute';
import { Polling } from '../support/executor/poll';
import { startService } from '../support/executor/startService';
import { getGateway, numbered } from '../support/operations';
import { json } from '../support/recorder';
import { until } from '../support/until';

afterEach(() => jest.restoreAllMocks());

test('a canceled execution aborts its requests in flight, and sends none of those that wait', async () => {
	let aborted = 0;
	const service = await startService((_request, response) => void response.once('close', () => aborted++));
	const isFull = () => service.requests.length === 25;
	const ended = await execute({
		items: numbered(100),
		parameters: getGateway('={{ $json.n % 12 + 1 }}'),
		credential: credentialFor(service.url),
		// With the others to be sent, whatever becomes of those in flight.
		settings: { onError: 'continueRegularOutput' },
		onStart: (cancel) => void until(isFull, 'the initial number of requests was in flight').then(cancel),
	});
	expect(ended.run.status).toBe('canceled');
	await until(() => aborted === 25, 'all of them are aborted');
	expect(service.requests).toHaveLength(25);
});

test.each([
	['run', async (url: string) => (await execute({ items: numbered(30), parameters: getGateway('={{ $json.n }}'), credential: credentialFor(url) })).error],
	['poll', async (url: string) => (await new Polling({ gatewayIds: '1, 2' }, credentialFor(url)).poll()).error],
])('a %s that is over leaves no timer behind', async (_name, go) => {
	const service = await startService((_request, response) => json(response, service.requests.length === 1 ? 408 : 200, { id: '1' }));
	const { sleep } = time;
	const waits = { pending: 0, begun: 0 };
	jest.spyOn(time, 'sleep').mockImplementation(async (ms) => {
		waits.pending++;
		waits.begun++;
		await sleep(ms);
		waits.pending--;
	});
	expect(await go(service.url)).toBeUndefined();
	const { begun } = waits;
	expect(begun).toBeGreaterThan(0);
	// One that was begun before is over in a moment, and must not be followed by another one.
	await until(() => waits.pending === 0 || waits.begun > begun, 'no wait is pending');
	expect(waits).toEqual({ pending: 0, begun });
});
