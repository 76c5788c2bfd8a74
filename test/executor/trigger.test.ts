import { type IDataObject, sleep } from 'n8n-workflow';

import { type Sandbox, startSandbox } from '../../sandbox';
import { credentialFor } from '../support/executor/credentialStore';
import { Polling } from '../support/executor/poll';
import { startService } from '../support/executor/startService';
import { json, raw, RECORDED_TOKEN } from '../support/recorder';
import { aheadClock } from '../support/time';
import { until } from '../support/until';

type Answer = (response: Parameters<typeof json>[0]) => void;

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox();
});
afterAll(async () => await sandbox.close());
beforeEach(() => sandbox.reset());
afterEach(() => jest.restoreAllMocks());

const watching = (gatewayIds: unknown, more: object = {}) => new Polling({ gatewayIds, ...more } as never, credentialFor(sandbox.url));

const gateway = (id: string) => sandbox.state().gateways.find((known) => known.id === id)!;

/** Changes fields of a gateway in the service. */
const change = (id: string, fields: object) => sandbox.putGateway({ ...gateway(id), ...fields });

describe('a change of a gateway', () => {
	test('is reported once, by field, with the value before and now', async () => {
		const polling = watching('1, 2, 5');
		expect(await polling.poll()).toEqual({ items: null, emitted: [] });
		change('5', { terminationUri: 'new.sip.sandbox.example' });
		const changed = { terminationUri: { from: 'torino-1.sip.sandbox.example', to: 'new.sip.sandbox.example' } };
		const item = { gatewayId: '5', event: 'changed', changed, current: gateway('5') };
		expect(await polling.poll()).toEqual({ items: [item], emitted: [] });
		expect(await polling.poll()).toEqual({ items: null, emitted: [] });
	});

	test('is reported once across a restart of n8n, also when it happened while n8n was down', async () => {
		const polling = watching('1, 5');
		await polling.poll();
		change('1', { name: 'Before the restart' });
		expect((await polling.poll()).items).toHaveLength(1);
		polling.restart();
		expect((await polling.poll()).items).toBeNull();
		change('5', { name: 'While it was down' });
		polling.restart();
		expect((await polling.poll()).items)
			.toMatchObject([{ gatewayId: '5', changed: { name: { from: 'Torino Elastic 1', to: 'While it was down' } } }]);
		expect((await polling.poll()).items).toBeNull();
	});

	test('of several gateways is reported in the order of Gateway IDs, each once', async () => {
		const polling = watching('9, 1, 5, 1\u200b');
		await polling.poll();
		for (const id of ['1', '5', '9']) change(id, { name: 'Other' });
		expect((await polling.poll()).items?.map(({ gatewayId }) => gatewayId)).toEqual(['9', '1', '5']);
	});
});

describe('a gateway that disappears or appears', () => {
	test('is reported, with its watched fields', async () => {
		const polling = watching('5', { watch: 'terminationUri' });
		await polling.poll();
		const before = gateway('5');
		const uri = 'torino-1.sip.sandbox.example';
		sandbox.removeGateway('5');
		const disappeared = { gatewayId: '5', event: 'disappeared', changed: { terminationUri: { from: uri, to: null } }, current: null };
		expect((await polling.poll()).items).toEqual([disappeared]);
		expect((await polling.poll()).items).toBeNull();
		sandbox.putGateway(before);
		const appeared = { gatewayId: '5', event: 'appeared', changed: { terminationUri: { from: null, to: uri } }, current: before };
		expect((await polling.poll()).items).toEqual([appeared]);
	});

	test.each<[string, Answer, RegExp]>([
		['an HTML page', (response) => raw(response, 404, 'text/html', '<html><title>nginx</title></html>'),
			/^The service answered 404 with an HTML page/],
		['JSON without a message', (response) => json(response, 404, { error: 'no Route matched' }), /^no Route matched$/],
	])('has not disappeared when the 404 is not JSON with a message: %s', async (_, answer, message) => {
		const service = await startService((_request, response, index) => (index === 0 ? json(response, 200, { id: '1' }) : answer(response)));
		const polling = new Polling({ gatewayIds: '1' }, credentialFor(service.url));
		await polling.poll();
		const { items, error } = await polling.poll();
		expect(items).toBeNull();
		expect(error?.message).toMatch(message);
	});
});

test('a gateway that comes as a list of one is that gateway', async () => {
	const service = await startService((_request, response, index) => json(response, 200, [{ id: '1', name: `${index}` }]));
	const polling = new Polling({ gatewayIds: '1' }, credentialFor(service.url));
	await polling.poll();
	expect((await polling.poll()).items).toMatchObject([{ changed: { name: { from: '0', to: '1' } } }]);
});

describe('what is watched', () => {
	test('may grow and shrink without reporting known gateways again', async () => {
		const polling = watching('1, 2');
		await polling.poll();
		polling.parameters = { gatewayIds: '2, 5' };
		change('2', { name: 'Other' });
		expect((await polling.poll()).items?.map(({ gatewayId }) => gatewayId)).toEqual(['2']);
		change('5', { name: 'Other' });
		expect((await polling.poll()).items?.map(({ gatewayId }) => gatewayId)).toEqual(['5']);
		expect(JSON.stringify(polling.database)).not.toContain('Milano Elastic 1');
	});

	test.each<[string, object]>([
		['other fields', { watch: 'terminationUri' }],
		['another organization', { organizationId: '10' }],
		['one field more', { watch: 'selected', fields: 'name, terminationUri' }],
	])('starts from no state with %s', async (_, more) => {
		const polling = watching('1');
		await polling.poll();
		change('1', { terminationUri: 'new.sip.sandbox.example' });
		polling.parameters = { gatewayIds: '1', ...more };
		expect((await polling.poll()).items).toBeNull();
	});

	test('starts from no state on another service, whose gateways are others', async () => {
		const other = await startService((_request, response) => json(response, 200, { ...gateway('1'), name: 'On the other server' }));
		const polling = watching('1');
		await polling.poll();
		polling.store.stored = credentialFor(other.url);
		expect((await polling.poll()).items).toBeNull();
	});
});

describe('Trigger On', () => {
	test.each([
		['appeared', ['appeared'], ['appeared']],
		['all three, where nothing is chosen', undefined, ['appeared', 'changed', 'disappeared']],
		['two, by an expression', '={{ ["changed", "disappeared"] }}', ['changed', 'disappeared']],
	])('%s: start the workflow, and no other', async (_, events, wanted) => {
		const polling = watching('1, 2, 5', (events && { events }) as never);
		const two = gateway('2');
		sandbox.removeGateway('2');
		await polling.poll();
		change('1', { name: 'Other' });
		sandbox.putGateway(two);
		sandbox.removeGateway('5');
		const happened = [['1', 'changed'], ['2', 'appeared'], ['5', 'disappeared']];
		expect((await polling.poll()).items?.map(({ gatewayId, event }) => [gatewayId, event]))
			.toEqual(happened.filter(([, event]) => wanted.includes(event!)));
		// What was not wanted is known all the same.
		expect((await polling.poll()).items).toBeNull();
	});

	test('do not keep Fetch Test Event from showing items', async () => {
		expect((await watching('1', { events: ['disappeared'] }).poll('manual')).items).toMatchObject([{ gatewayId: '1', event: 'appeared' }]);
	});
});

describe('the first poll', () => {
	test('stores the state and emits nothing', async () => {
		const polling = watching('1, 99');
		expect(await polling.poll()).toEqual({ items: null, emitted: [] });
		expect(polling.hasNewState).toBe(true);
	});

	test('emits every gateway with Emit on First Poll, but none that was never there', async () => {
		const polling = watching('2, 99', { options: { emitOnFirstPoll: true } });
		const changed = Object.fromEntries(Object.entries(gateway('2')).map(([name, to]) => [name, { from: null, to }]));
		expect((await polling.poll()).items).toEqual([{ gatewayId: '2', event: 'appeared', changed, current: gateway('2') }]);
		expect((await polling.poll()).items).toBeNull();
		sandbox.putGateway({ ...gateway('2'), id: '99' });
		expect((await polling.poll()).items).toMatchObject([{ gatewayId: '99', event: 'appeared' }]);
	});

	test('when manual, fails for a gateway that is not there: its id may be mistyped', async () => {
		const { error } = await watching('1, 99').poll('manual');
		expect(error).toMatchObject({ httpCode: '404', context: { code: 'not_found' }, description: expect.stringContaining('gateway 99') });
	});

	test.each([['init', undefined, 1], ['leadershipChange', undefined, 1], ['activate', 'The service', 0]] as const)(
		'that fails is an error of an execution where n8n activates the workflow by itself, and of the activation where a person does: %s',
		async (activation, message, emissions) => {
			sandbox.setFaults({ rules: [{ fault: 'http500', method: 'GET', count: 1 }] });
			const polling = new Polling({ gatewayIds: '1' }, credentialFor(sandbox.url), {}, activation);
			const { error, emitted } = await polling.poll();
			expect([error === undefined, emitted.length]).toEqual([message === undefined, emissions]);
			// And the polls go on.
			expect((await polling.poll()).error).toBeUndefined();
		},
	);

	test('when manual, emits every gateway and stores nothing', async () => {
		const polling = watching('1, 2');
		expect((await polling.poll('manual')).items?.map(({ gatewayId }) => gatewayId)).toEqual(['1', '2']);
		expect(polling.hasNewState).toBe(false);
		expect((await polling.poll()).items).toBeNull();
		change('1', { name: 'Other' });
		await polling.poll('manual');
		expect((await polling.poll()).items?.map(({ gatewayId }) => gatewayId)).toEqual(['1']);
	});
});

describe('a poll that fails', () => {
	const failing = (id: string) => sandbox.setFaults({ rules: [{ fault: 'http500', path: `/v1/voip/dss/gtw/${id}` }] });

	test('leaves the state unchanged, and throws the API\'s message', async () => {
		const polling = watching('1');
		await polling.poll();
		change('1', { name: 'Other' });
		failing('1');
		const { items, error } = await polling.poll();
		expect(items).toBeNull();
		const description = expect.stringContaining('Request: gateway 1');
		const context = { code: 'service_error', outcome: 'unknown' };
		expect(error).toMatchObject({ name: 'NodeApiError', message: 'The service failed', httpCode: '500', description, context });
		sandbox.setFaults({});
		expect((await polling.poll()).items).toMatchObject([{ changed: { name: { from: 'Milano Elastic 1', to: 'Other' } } }]);
	});

	test('for one gateway does not hide the changes of others, and loses none of its own changes', async () => {
		const polling = watching('1, 2, 5');
		await polling.poll();
		for (const id of ['1', '2', '5']) change(id, { name: 'Other' });
		failing('2');
		const { items, error, emitted } = await polling.poll();
		expect(items?.map(({ gatewayId }) => gatewayId)).toEqual(['1', '5']);
		expect(error).toBeUndefined();
		const context = { code: 'service_error', outcome: 'unknown' };
		expect(emitted).toMatchObject([{ message: 'The service failed', description: expect.stringContaining('Request: gateway 2'), context }]);
		sandbox.setFaults({});
		expect((await polling.poll()).items?.map(({ gatewayId }) => gatewayId)).toEqual(['2']);
	});

	test('for one gateway does not keep those from being read that still wait behind it', async () => {
		const polling = watching('1, 2, 5', { options: { maxConcurrency: 1 } });
		await polling.poll();
		for (const id of ['2', '5']) change(id, { name: 'Other' });
		failing('1');
		const { items, emitted } = await polling.poll();
		expect(items?.map(({ gatewayId }) => gatewayId)).toEqual(['2', '5']);
		expect(emitted).toMatchObject([{ message: 'The service failed', description: expect.not.stringContaining('Also failed') }]);
	});

	test('keeps the state of a gateway that was absent, and tells when it appears', async () => {
		const known = gateway('1');
		const polling = watching('1, absent');
		await polling.poll();
		change('1', { name: 'Other' });
		failing('absent');
		expect((await polling.poll()).emitted).toMatchObject([{ message: 'The service failed' }]);
		sandbox.setFaults({});
		sandbox.putGateway({ ...known, id: 'absent' });
		expect((await polling.poll()).items).toMatchObject([{ gatewayId: 'absent', event: 'appeared' }]);
	});

	test.each<[string, (response: Parameters<typeof json>[0]) => void]>([
		['a list', (response) => json(response, 200, [])],
		['an empty object', (response) => json(response, 200, {})],
		['the API\'s error body', (response) => json(response, 200, { status: 'Service Unavailable', message: 'Maintenance', errors: null })],
	])('fails for a response of %s: it is not a gateway that lost its fields', async (_, answer) => {
		const service = await startService((_request, response) => answer(response));
		const { error, items } = await new Polling({ gatewayIds: '1', options: { emitOnFirstPoll: true } }, credentialFor(service.url)).poll();
		expect(items).toBeNull();
		expect(error?.httpCode).toBe('200');
	});
});

test.each<[string, object, object, object]>([
	['a parameter that is not valid', { gatewayIds: '1, ..' }, {}, { code: 'invalid_parameter', outcome: 'not_sent' }],
	['a base URL that cannot be used', { gatewayIds: '1' }, { baseUrl: 'not a url' }, { code: 'invalid_credential', outcome: 'not_sent' }],
])('%s is an error before anything is sent', async (_name, parameters, credential, context) => {
	const { error, items } = await new Polling(parameters as never, credentialFor(sandbox.url, credential)).poll();
	expect(error?.context).toMatchObject(context);
	expect([items, sandbox.requests()]).toEqual([null, []]);
});

describe('many gateways', () => {
	const ids = Array.from({ length: 100 }, (_, index) => `many-${index}`);

	test('are fetched with one login, within the concurrency limit', async () => {
		for (const id of ids) sandbox.putGateway({ ...gateway('1'), id });
		sandbox.expireTokens();
		const polling = watching(ids.join(), { options: { maxConcurrency: 10 } });
		// The first ten are answered late, so that all of them are in flight together on a busy machine too.
		sandbox.setFaults({ rules: [{ fault: 'latency', method: 'GET', ms: 500, count: 10 }] });
		expect(await polling.poll()).toEqual({ items: null, emitted: [] });
		expect(sandbox.state().counters).toMatchObject({ logins: 1, peakInFlight: 10 });
		change('many-99', { name: 'Other' });
		expect((await polling.poll()).items?.map(({ gatewayId }) => gatewayId)).toEqual(['many-99']);
	});
});

test('a change is reported once when the workflow is saved, and so reloaded, during a poll', async () => {
	const polling = watching('1');
	await polling.poll();
	change('1', { name: 'Other' });
	sandbox.setFaults({ rules: [{ fault: 'latency', ms: 300 }] });
	const old = polling.poll();
	polling.restart();
	const polled = [await polling.poll(), await old, await polling.poll()];
	expect(polled.map(({ items }) => items?.length)).toEqual([1, undefined, undefined]);
	polling.restart();
	expect((await polling.poll()).items).toBeNull();
});

test.each([
	[175, ['1', '2'], undefined],
	[181, ['1'], 'Gateway 2 could not be read within the time limit for a poll'],
])('a poll sends requests for three minutes: a gateway whose turn comes after %i s', async (seconds, read, message) => {
	const setAhead = aheadClock();
	let answerFirst = (): void => undefined;
	const slow = await startService(({ target }, response) => {
		const answer = () => json(response, 200, { id: target.split('/').at(-1) });
		if (target.endsWith('/1')) answerFirst = answer;
		else answer();
	});
	const polled = new Polling({ gatewayIds: '1, 2', options: { emitOnFirstPoll: true, maxConcurrency: 1 } }, credentialFor(slow.url)).poll();
	await until(() => slow.requests.length === 1, 'the first gateway is asked for');
	setAhead(seconds * 1_000);
	// Longer than the poll takes to look at the clock.
	await sleep(500);
	answerFirst();
	const { items, emitted } = await polled;
	expect(items?.map(({ gatewayId }) => gatewayId)).toEqual(read);
	expect(emitted[0]?.message).toBe(message);
});

test("polls of two workflows at once do not take each other's changes, though a copy has the node ids of its original", async () => {
	const [original, copy] = [watching('1'), watching('1')];
	await original.poll();
	await copy.poll();
	change('1', { name: 'Other' });
	sandbox.setFaults({ rules: [{ fault: 'latency', ms: 300 }] });
	const polled = await Promise.all([original.poll(), copy.poll()]);
	expect(polled.map(({ items }) => items?.length)).toEqual([1, 1]);
});

test('a poll that starts during another one does nothing', async () => {
	const polling = watching('1');
	await polling.poll();
	change('1', { name: 'Other' });
	sandbox.setFaults({ rules: [{ fault: 'latency', ms: 300 }] });
	const polled = await Promise.all([polling.poll(), polling.poll()]);
	expect(polled.map(({ items }) => items?.length)).toEqual([1, undefined]);
	expect((await polling.poll()).items).toBeNull();
});

test('nothing is stored when nothing has changed, whatever the order of fields in the response or the parameter', async () => {
	const polling = watching('1, 2', { watch: 'selected', fields: 'name, type' });
	await polling.poll();
	polling.restart();
	sandbox.putGateway(Object.fromEntries(Object.entries(gateway('1')).reverse()) as never);
	polling.parameters = { gatewayIds: '1, 2', watch: 'selected', fields: 'type, name' };
	await polling.poll();
	expect(polling.hasNewState).toBe(false);
});

describe('state that is in the database', () => {
	const databaseWith = (seen: unknown) => ({ 'node:Voice Admin Trigger': { seen } }) as IDataObject;
	/** The format that released versions have stored: it has to stay readable. */
	const formatOf = (version: number) =>
		JSON.stringify({
			version,
			about: { service: sandbox.url, organizationId: '', fields: ['name'] },
			gateways: [['1', { values: [['name', 'Stored']] }], ['2', null]],
		});
	const pollAfter = async (seen: unknown) =>
		await new Polling({ gatewayIds: '1, 2', watch: 'selected', fields: 'name' }, credentialFor(sandbox.url), databaseWith(seen)).poll();

	test('is read in the format of released versions', async () => {
		expect((await pollAfter(formatOf(1))).items).toMatchObject([
			{ gatewayId: '1', changed: { name: { from: 'Stored', to: 'Milano Elastic 1' } } },
			{ gatewayId: '2', changed: { name: { from: null, to: 'Milano PBX' } } },
		]);
	});

	test.each<[string, () => unknown]>([
		['of another version', () => formatOf(2)],
		['cut off', () => formatOf(1).slice(0, -20)],
		['not JSON', () => 'gateways'],
		['null', () => null],
		['of another type', () => ({ version: 1 })],
	])('starts the trigger over, without an error, if it is %s', async (_name, seen) => {
		expect(await pollAfter(seen())).toEqual({ items: null, emitted: [] });
	});
});

test('the state contains no secret and no token', async () => {
	const service = await startService((_request, response) => json(response, 200, { id: '1', name: 'milano-1' }));
	const polling = new Polling({ gatewayIds: '1' }, credentialFor(service.url));
	await polling.poll();
	const stored = JSON.stringify(polling.database);
	expect(service.requests[0]?.headers.authorization).toBe(`Bearer ${RECORDED_TOKEN}`);
	expect(stored).toContain('milano-1');
	expect(stored).not.toContain('demo-key-not-a-secret');
	expect(stored).not.toContain(RECORDED_TOKEN);
});
