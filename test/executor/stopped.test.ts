import { credentialFor } from '../support/executor/credentialStore';
import { execute } from '../support/executor/execute';
import { startService } from '../support/executor/startService';
import { getGateway, numbered } from '../support/operations';
import { until } from '../support/until';

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
