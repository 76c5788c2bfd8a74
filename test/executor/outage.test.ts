import type { NodeExecutionHint } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox';
import { credentialFor } from '../support/executor/credentialStore';
import { execute } from '../support/executor/execute';
import { Polling } from '../support/executor/poll';
import { sandboxOfEachTest } from '../support/executor/sandboxOfEachTest';
import { startService } from '../support/executor/startService';
import { addCustomer, getGateway, numbered, setPremium } from '../support/operations';
import { json } from '../support/recorder';
import { makeTimeFaster } from '../support/time';
import { until } from '../support/until';

const CONTINUE = { onError: 'continueRegularOutput' } as const;

let sandbox: Sandbox;

const run = sandboxOfEachTest((started) => { sandbox = started; });
afterEach(() => jest.restoreAllMocks());

const gatewayOfItem = getGateway('={{ $json.n % 12 + 1 }}');
const customerOfItem = addCustomer('={{ "customer " + $json.n }}');
const outcomesOf = (output: Array<{ json: { error?: unknown } }>) => output.map(({ json: { error } }) => (error as { outcome?: string } | undefined)?.outcome);

/** VAT numbers of the sandbox's customers. */
const created = () => sandbox.state().customers.map(({ vatNumber }) => vatNumber);

describe('a service that is away for a while', () => {
	test.each([
		// What was in flight when it went away: 25, or 50 after the first round.
		['answers 502', 'away' as const, 60],
		['refuses connections', 'refused' as const, 0],
	])('%s: 300 customers wait, and are created once, but for what was in flight', async (_name, fault, most) => {
		sandbox.setFaults({ rules: [{ fault: 'latency', ms: 20 }, { fault, ms: 1_500, path: '/v1', after: 39 }] });
		const { output } = await run({ items: numbered(300), parameters: customerOfItem, settings: CONTINUE });
		const outcomes = outcomesOf(output);
		const unknown = outcomes.filter((outcome) => outcome === 'unknown').length;
		expect(outcomes.filter((outcome) => outcome !== undefined && outcome !== 'unknown')).toEqual([]);
		expect(unknown).toBeLessThanOrEqual(most);
		expect(created()).toHaveLength(300 - unknown);
		expect(new Set(created()).size).toBe(300 - unknown);
	});

	test('costs no read, and the hint says for how long it was away', async () => {
		makeTimeFaster(4);
		sandbox.setFaults({ rules: [{ fault: 'away', ms: 8_000, after: 40 }] });
		const { output, run: { data } } = await run({ items: numbered(300), parameters: gatewayOfItem, settings: CONTINUE });
		expect(outcomesOf(output)).toEqual(numbered(300).map(() => undefined));
		const [{ message }] = data.resultData.runData['Voice Admin']![0]!.hints as [NodeExecutionHint];
		expect(message).toMatch(/^The service did not answer for \d+ seconds; the run waited$/);
	});

	test('costs no item, when it is the login that meets it', async () => {
		sandbox.setFaults({ rules: [{ fault: 'away', ms: 2_500, path: '/auth' }] });
		const { output } = await run({ items: numbered(30), parameters: gatewayOfItem, settings: CONTINUE });
		expect(outcomesOf(output)).toEqual(numbered(30).map(() => undefined));
	});

	test('for longer than Max Wait: what waits fails, as not sent, and nothing more is sent meanwhile than a few probes', async () => {
		makeTimeFaster(10);
		sandbox.setFaults({ rules: [{ fault: 'away', ms: 60_000, path: '/v1', after: 1 }] });
		const { output } = await run({ items: numbered(100), parameters: { ...gatewayOfItem, options: { maxWait: 20, maxConcurrency: 5 } }, settings: CONTINUE });
		const outcomes = outcomesOf(output);
		expect([...new Set(outcomes)].sort()).toEqual(['not_sent', 'unknown', undefined]);
		expect(output.at(-1)!.json.error).toMatchObject({ message: expect.stringMatching(/^The service has answered only 502 for \d+ seconds$/) as string, code: 'service_error', outcome: 'not_sent' });
		expect(sandbox.requests().filter(({ path }) => path.startsWith('/v1')).length).toBeLessThan(25);
	});

	test('holds nobody who uses another proxy', async () => {
		const parameters = { ...getGateway('1'), requestOptions: { proxy: 'http://127.0.0.1:9' }, options: { maxWait: 60 } };
		let cancel = () => {};
		const waiting = run({ parameters, onStart: (now) => (cancel = now) });
		expect((await run({ parameters: getGateway('1') })).output).toHaveLength(1);
		cancel();
		await waiting;
	});
});

test('an address where nothing has answered yet is given up after ten seconds, in the words of a wrong base URL', async () => {
	makeTimeFaster(10);
	const started = performance.now();
	const { error } = await execute({ items: numbered(3), parameters: getGateway('1'), credential: credentialFor('http://127.0.0.1:9') });
	expect(error?.message).toBe('Could not log in: nothing answers at http://127.0.0.1:9 (connection refused); check the base URL, and whether the service is running');
	expect(performance.now() - started).toBeGreaterThan(9_000);
});

test('a run that is cancelled while it waits sends nothing more', async () => {
	sandbox.setFaults({ rules: [{ fault: 'away', ms: 60_000 }] });
	let cancel = () => {};
	const ended = run({ items: numbered(50), parameters: gatewayOfItem, onStart: (now) => (cancel = now) });
	await until(() => sandbox.requests().length > 1, 'the login has been tried again');
	cancel();
	await ended;
	const { length } = sandbox.requests();
	await new Promise((resolve) => setTimeout(resolve, 2_500));
	expect(sandbox.requests()).toHaveLength(length);
});

test('one gateway that the service always answers 503 fails alone, after its retries', async () => {
	sandbox.setFaults({ rules: [{ fault: 'latency', ms: 50 }, { fault: 'http503', path: '/v1/voip/dss/gtw/7' }] });
	const { output } = await run({ items: numbered(200), parameters: getGateway('={{ $json.n === 40 ? 7 : 1 }}'), settings: CONTINUE });
	expect(outcomesOf(output).flatMap((outcome, item) => (outcome === undefined ? [] : [[item, outcome]]))).toEqual([[40, 'unknown']]);
	expect(sandbox.requests().filter(({ path }) => path.endsWith('/7')).length).toBeLessThanOrEqual(5);
});

describe('401', () => {
	const refusing = async (isRefused: (target: string) => boolean) =>
		await startService(({ target }, response) => (isRefused(target) ? json(response, 401, { message: 'Unauthorized' }) : json(response, 200, { id: target })));

	test('for eight of forty gateways costs two logins, and 70 requests, at the most', async () => {
		const service = await refusing((target) => Number(target.split('/').at(-1)) % 5 === 0);
		const { output } = await execute({ items: numbered(40), parameters: getGateway('={{ $json.n + 1 }}'), credential: credentialFor(service.url), settings: CONTINUE });
		expect(outcomesOf(output).filter((outcome) => outcome === 'not_done')).toHaveLength(8);
		expect(service.logins.length).toBeLessThanOrEqual(2);
		expect(service.requests.length).toBeLessThanOrEqual(70);
	});

	test('for every request costs 300 requests for 100 items, at the most', async () => {
		const service = await refusing(() => true);
		const { output } = await execute({ items: numbered(100), parameters: setPremium(1, 'IT'), credential: credentialFor(service.url), settings: CONTINUE });
		expect(outcomesOf(output).filter((outcome) => outcome === 'not_done')).toHaveLength(100);
		expect(service.logins.length).toBeLessThanOrEqual(3);
		expect(service.requests.length).toBeLessThanOrEqual(300);
	});
});

test('a poll waits for half a minute, and keeps what it knows', async () => {
	makeTimeFaster(20);
	const trigger = new Polling({ gatewayIds: '1' }, credentialFor(sandbox.url));
	await trigger.poll();
	sandbox.setFaults({ rules: [{ fault: 'away', ms: 60_000 }] });
	expect((await trigger.poll()).error).toMatchObject({ context: { code: 'service_error' } });
	sandbox.setFaults({ rules: [] });
	expect(await trigger.poll()).toMatchObject({ items: null });
});
