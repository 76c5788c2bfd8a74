import { type INodeParameters, sleep } from 'n8n-workflow';
import {
	addCustomer,
	aheadClock,
	CONTINUE,
	credentialFor,
	execute,
	getGateway,
	json,
	logLines,
	numbered,
	setPremium,
	startService,
	until,
} from '../support/executor';
import { time } from '../../nodes/VoiceAdmin/time';
import { run, sandbox } from '../support/executor/sandboxOfEachTest';

const hintsOf = ({ run: { data } }: Awaited<ReturnType<typeof execute>>) =>
	data.resultData.runData['Voice Admin']![0]!.hints;
const gatewayOfItem = getGateway('={{ $json.n % 12 + 1 }}');

test.each([
	['first item', 0],
	['first valid item', 1],
])("the %s's Max Concurrency is that of the whole run", async (_which, first) => {
	let [answered, peak] = [0, 0];
	// It answers nothing before ten requests are in flight.
	const service = await startService((_request, response) => {
		peak = Math.max(peak, service.requests.length - answered);
		void until(() => service.requests.length >= 10, 'ten requests are in flight')
			// More than may be in flight would arrive meanwhile, on a busy machine too.
			.then(async () => await sleep(500))
			.then(() => (answered++, json(response, 200, { id: '1' })));
	});
	const options = { maxConcurrency: `={{ $json.n <= ${first} ? 10 : 2 }}` };
	await execute({
		items: numbered(24),
		parameters: { ...getGateway(`={{ $json.n < ${first} ? ".." : "1" }}`), options },
		credential: credentialFor(service.url),
		settings: CONTINUE,
	});
	expect(peak).toBe(10);
});

test.each([
	['get gateways', 200, gatewayOfItem],
	['create customers', 25, addCustomer('={{ "C" + $json.n }}')],
	['set premium', 25, setPremium('={{ $json.n + 1 }}', 'IT')],
] as const)('a run of items that %s has at most %i requests in flight by default', async (_what, most, parameters) => {
	let [inFlight, peak] = [0, 0];
	const service = await startService((_request, response) => {
		peak = Math.max(peak, ++inFlight);
		setTimeout(() => {
			inFlight--;
			json(response, 200, { id: '1' });
		}, 300);
	});
	await execute({ items: numbered(most === 25 ? 100 : 2_000), parameters, credential: credentialFor(service.url) });
	expect(peak).toBe(most);
});

test('a request without a response is given up after 60 seconds, or after the Timeout of its item', async () => {
	const deadlines = jest.spyOn(time, 'deadline').mockImplementation((ms) => AbortSignal.timeout(ms / 50));
	for (const options of [{}, { timeout: 90 }]) {
		const service = await startService(() => {});
		const parameters = addCustomer('C0', { options: { maxWait: 0, ...options } });
		const { error } = await execute({ parameters, credential: credentialFor(service.url) });
		expect(error?.context).toMatchObject({ code: 'connection_failed', outcome: 'unknown' });
	}
	expect(deadlines.mock.calls.map(([ms]) => ms)).toEqual([15_000, 60_000, 15_000, 90_000]);
});

test('a request whose response has no end times out', async () => {
	const service = await startService(({ method }, response) => {
		if (method === 'POST') return json(response, 200, {});
		response.writeHead(200, { 'Content-Type': 'application/json' });
		const trickle = setInterval(() => response.write(' '), 20);
		response.once('close', () => clearInterval(trickle));
	});
	// The login is over before the time of the request begins.
	const { store } = await execute({ parameters: addCustomer('first'), credential: credentialFor(service.url) });
	const parameters = { ...getGateway('1'), options: { maxRetries: 0, timeout: 1 } };
	const { error } = await execute({ parameters, credential: store });
	expect(error?.message).toMatch(/^The service at http\S+ didn't respond in time$/);
});

test('hints beside the output say that a dry run has sent nothing, and count the items that failed in it', async () => {
	const ended = await execute({
		items: numbered(3),
		parameters: { ...getGateway('12'), options: { dryRun: true } },
		credential: credentialFor('={{ $json.n ? "http://127.0.0.1:9" : "none" }}'),
		settings: CONTINUE,
	});
	expect(hintsOf(ended)).toEqual([
		{
			message: "Items with Dry Run on weren't sent: the output shows their requests instead",
			type: 'info',
			location: 'outputPane',
		},
		{ message: '1 of 3 items failed', type: 'warning', location: 'outputPane' },
	]);
});

test.each<[string, INodeParameters, string]>([
	[
		'customers may exist',
		addCustomer('={{ "C" + $json.n }}', { options: { maxConcurrency: 1 } }),
		"Look for it in your provider's records before you send it again",
	],
	[
		'trunks may be changed',
		setPremium('={{ $json.n + 1 }}', 'IT', { options: { maxConcurrency: 1, maxRetries: 0 } }),
		'Ask your provider what was done before you send it again',
	],
])('a hint beside the output says how many %s, and what to do first', async (_name, parameters, advice) => {
	const service = await startService((_request, response, index) => json(response, index === 0 ? 500 : 201, {}));
	const ended = await execute({
		items: numbered(2),
		parameters,
		credential: credentialFor(service.url),
		settings: CONTINUE,
	});
	expect(hintsOf(ended)?.map(({ message }) => message)).toEqual([
		`1 of 2 items failed. The outcome of 1 item is unknown. ${advice}`,
	]);
});

test('a hint beside the output says that a change was sent again after an attempt of unknown outcome', async () => {
	const service = await startService((_request, response, index) => json(response, index === 0 ? 502 : 200, {}));
	const ended = await execute({ parameters: setPremium(1001, 'IT'), credential: credentialFor(service.url) });
	expect(hintsOf(ended)?.map(({ message }) => message)).toEqual([
		'1 request may have been carried out twice: sent again after an attempt of unknown outcome',
	]);
});

test('a hint beside the output says for how long the run waited for its service, and the log that it retries', async () => {
	sandbox.setFaults([{ fault: 'http', status: 429, method: 'GET', retryAfterSeconds: 5, count: 1 }]);
	const skip = aheadClock();
	const lines = logLines();
	const ended = run({ parameters: getGateway('12') });
	await until(() => lines.some((line) => line.includes('service limits requests')), 'the service limits requests');
	skip(5_000);
	expect(hintsOf(await ended)).toMatchObject([
		{ message: 'The service limits the number of requests; the run waited for 5 seconds' },
	]);
	expect(lines).toContain("Voice Admin: GET /v1/voip/dss/gtw/12 failed (rate_limited), attempt 1; it's retried");
});

test("n8n's event loop has turns while the items are checked", async () => {
	let turns = 0;
	const count = setInterval(() => turns++, 1);
	// 500 expressions that only n8n can evaluate take it a second; the run sends nothing, so that it waits for nothing.
	const slow = '={{ Array.from({ length: 2000 }, (_, i) => i).join("").length + $json.n }}';
	const { output } = await run({
		items: numbered(500),
		parameters: { ...getGateway(slow), options: { dryRun: true } },
	});
	clearInterval(count);
	expect(output).toHaveLength(500);
	// Without a turn in between there is none.
	expect(turns).toBeGreaterThan(1);
});

test('a canceled execution aborts its requests in flight, and sends none of those that wait', async () => {
	let aborted = 0;
	const service = await startService((_request, response) => void response.once('close', () => aborted++));
	const isFull = () => service.requests.length === 20;
	const ended = await execute({
		items: numbered(100),
		parameters: gatewayOfItem,
		credential: credentialFor(service.url),
		// With the others to be sent, whatever becomes of those in flight.
		settings: CONTINUE,
		onStart: (cancel) => void until(isFull, 'the initial number of requests was in flight').then(cancel),
	});
	expect(ended.run.status).toBe('canceled');
	await until(() => aborted === 20, 'all of them are aborted');
	expect(service.requests).toHaveLength(20);
});

test('an execution that n8n ends writes to its log what was created, and what may have been', async () => {
	const warnings = logLines('warn');
	const service = await startService((_request, response, index) => index < 2 && json(response, 201, {}));
	const ended = await execute({
		items: numbered(5),
		parameters: addCustomer('={{ "C" + $json.n }}', { options: { maxConcurrency: 1 } }),
		credential: credentialFor(service.url),
		onStart: (cancel) => void until(() => service.requests.length === 3, 'the third is in flight').then(cancel),
	});
	expect(ended.run.status).toBe('canceled');
	await until(() => warnings.length > 0, 'the log has it');
	expect(warnings).toEqual([
		'Voice Admin: the execution ended before all items were done. Created before the run stopped: ' +
			'items 0 to 1 (counted from 0). A new execution sends them again: first remove exactly these from its input. ' +
			'May have been created before the run stopped: customer with VAT number C2 (item 2). ' +
			"Look for it in your provider's records before you send it again.",
	]);
});
