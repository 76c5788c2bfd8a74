import type { INodeParameters } from 'n8n-workflow';
import {
	aheadClock,
	CONTINUE,
	credentialFor,
	execute,
	getGateway,
	json,
	numbered,
	Polling,
	startService,
	until,
} from '../support/executor';
import { time } from '../../nodes/VoiceAdmin/time';

const execution = (options: INodeParameters) => async (url: string) =>
	(await execute({ parameters: { ...getGateway('1'), options }, credential: credentialFor(url) })).error;

const poll = (options: INodeParameters) => async (url: string) =>
	(await new Polling({ gatewayIds: '1', options }, credentialFor(url)).poll()).error;

type Go = (url: string) => Promise<unknown>;
type Answer = (response: Parameters<typeof json>[0]) => void;

/** Longer than any wait for a probe: after it, the next one is due. */
const STEP_S = 10;

/**
 * Lets a run or a poll go while its service is away for so many seconds, which pass only after a request has failed: on a busy
 * machine the test takes longer, and counts the same. @param hasResponded whether the service was there before
 * @returns the error, and how many seconds passed
 */
async function outageOf(seconds: number, go: Go, hasResponded = true, fail: Answer = (to) => void to.destroy()) {
	const skip = aheadClock();
	let passed = 0;
	let isUp = hasResponded;
	let step: NodeJS.Timeout | undefined;
	const answer = (response: Parameters<typeof json>[0], body: object) => {
		if (isUp || passed >= seconds) return json(response, 200, body);
		fail(response);
		step ??= setTimeout(() => {
			step = undefined;
			passed += STEP_S;
			skip(STEP_S * 1_000);
		}, 50);
	};
	const service = await startService(
		(_request, response) => answer(response, { id: '1' }),
		(_request, response) => answer(response, { access_token: 'token' }),
	);
	if (hasResponded) await execution({})(service.url);
	isUp = false;
	return { error: await go(service.url), passed };
}

describe.each<[string, number, Go, boolean?]>([
	['a run waits for an outage for two minutes', 120, execution({})],
	['a run waits for an outage for its Max Wait', 60, execution({ maxWait: 60 })],
	['a poll waits for an outage for half a minute', 30, poll({})],
	['a run waits for a service that never responded for ten seconds', 10, execution({}), false],
])('%s', (_title, seconds, go, hasResponded = true) => {
	if (seconds > STEP_S)
		test('it succeeds if that ends a little earlier', async () => {
			expect(await outageOf(Math.floor((seconds * 0.8) / STEP_S) * STEP_S, go, hasResponded)).toMatchObject({
				error: undefined,
			});
		});

	test('it fails if that lasts longer', async () => {
		const { error, passed } = await outageOf(Infinity, go, hasResponded);
		expect(error).toBeDefined();
		// On a busy machine, what follows a step may take longer than the test waits for it.
		expect(passed).toBeLessThanOrEqual(seconds + 3 * STEP_S);
	});
});

test.each<[string, Answer, RegExp, string]>([
	[
		'429',
		(to) => json(to, 429, {}),
		/^The service last returned 429, and hasn't accepted such a request for /,
		'rate_limited',
	],
	['nothing', (to) => void to.destroy(), /^The service hasn't responded for /, 'connection_failed'],
])('an item that waited in vain for a service that returned %s says so', async (_what, fail, message, code) => {
	const tenthOf20 = async (url: string) => {
		const parameters = getGateway('1', { options: { maxConcurrency: 1, maxWait: 60 } });
		const credential = credentialFor(url);
		const { output } = await execute({ items: numbered(20), parameters, credential, settings: CONTINUE });
		return output[9]!.json.error;
	};
	const { error } = await outageOf(Infinity, tenthOf20, true, fail);
	const description = expect.stringMatching(/The request wasn't sent: gateway \d+\.$/) as string;
	expect(error).toMatchObject({ code, outcome: 'not_sent', message: expect.stringMatching(message), description });
});

// A 429 is final once the wait is over; a service that never responded gives none.
test.each<[string, number, Go, Answer | undefined]>([
	['a poll', 30, poll({}), (to) => json(to, 429, {})],
	['a run whose service never responded', 10, execution({}), undefined],
])(
	'%s waits no longer than %i seconds: it has given up when the service is back ten seconds later',
	async (_, seconds, go, fail) => {
		expect((await outageOf(seconds + STEP_S, go, fail !== undefined, fail)).error).toBeDefined();
	},
);

test('a run is not held by the login of another one, which waits longer for the service', async () => {
	const skip = aheadClock();
	const service = await startService(
		() => {},
		(_request, response) => response.writeHead(503, { 'Retry-After': '60' }).end(),
	);
	const patient = execution({ maxWait: 120 })(service.url);
	await until(() => service.logins.length === 1, 'the other one has tried to log in');
	expect(await execution({ maxWait: 10 })(service.url)).toMatchObject({ context: { outcome: 'not_sent' } });
	// Of its own, if it began before the other one's was answered.
	expect(service.logins.length).toBeLessThanOrEqual(2);
	skip(130_000);
	expect(await patient).toBeDefined();
});

test.each<[string, Go, number]>([
	['of a run is retried three times', execution({}), 3],
	['of a run is retried as often as its Max Retries says', execution({ maxRetries: 1 }), 1],
	['of a poll is retried three times', poll({}), 3],
	["of a poll is retried as often as the trigger's Max Retries says", poll({ maxRetries: 1 }), 1],
])('a request %s', async (_title, go, retries) => {
	// Without delays.
	jest.spyOn(time, 'random').mockReturnValue(0);
	const service = await startService((_request, response) => json(response, 408, {}));
	expect(await go(service.url)).toBeDefined();
	expect(service.requests).toHaveLength(1 + retries);
});

test('a request of a poll without a response is given up after half a minute', async () => {
	const skip = aheadClock();
	const deadlines = jest.spyOn(time, 'deadline').mockImplementation((ms) => AbortSignal.timeout(ms / 50));
	// The poll waits no longer for the service.
	const service = await startService(() => skip(31_000));
	expect(await poll({ maxRetries: 0 })(service.url)).toBeDefined();
	expect(service.requests).toHaveLength(1);
	expect(deadlines.mock.calls.map(([ms]) => ms)).toEqual([15_000, 30_000]);
});
