import { type IDataObject, sleep } from 'n8n-workflow';
import { CHECK_INTERVAL_MS } from '../../nodes/VoiceAdmin/time';
import { aheadClock, credentialFor, json, Polling, raw, startService, until } from '../support/executor';
import { sandbox } from '../support/executor/sandboxOfEachTest';

type Answer = (response: Parameters<typeof json>[0]) => void;

/** A workflow that watches gateways, whose first poll has been made. */
async function watching(gatewayIds: unknown, more: object = {}, url = sandbox.url): Promise<Polling> {
	const polling = new Polling({ gatewayIds, ...more } as never, credentialFor(url));
	expect(await polling.poll()).toEqual(NOTHING);
	return polling;
}

const NOTHING = { items: null, emitted: [] };

const gateway = (id: string) => sandbox.getRecordsAndCounters().gateways.find((known) => known.id === id)!;

/** Changes fields of gateways in the service. */
const change = (ids: string[], fields: object = { name: 'Other' }) => {
	for (const id of ids) sandbox.putGateway({ ...gateway(id), ...fields });
};

/** The events of a poll's items. */
const events = async (polling: Polling, mode?: 'manual') =>
	(await polling.poll(mode)).items?.map(({ gatewayId, event }) => `${gatewayId} ${event}`);

describe('a change of a gateway', () => {
	test('is reported once, by field, with the value before and now, also when n8n was down meanwhile', async () => {
		const polling = await watching('1, 5');
		polling.restart();
		change(['5'], { terminationUri: 'new.sip.sandbox.example' });
		const changed = { terminationUri: { from: 'torino-1.sip.sandbox.example', to: 'new.sip.sandbox.example' } };
		const items = [{ gatewayId: '5', event: 'changed', changed, current: gateway('5') }];
		expect(await polling.poll()).toEqual({ items, emitted: [] });
		expect(await polling.poll()).toEqual(NOTHING);
		polling.restart();
		expect(await polling.poll()).toEqual(NOTHING);
	});

	test('of one that comes as a list of one is seen', async () => {
		const service = await startService((_request, response, index) =>
			json(response, 200, [{ id: '1', name: `${index}` }]),
		);
		const polling = await watching('1', {}, service.url);
		expect((await polling.poll()).items).toMatchObject([{ changed: { name: { from: '0', to: '1' } } }]);
	});

	test('is none where only the order of a list is another, or null came for a missing field', async () => {
		const answers = [
			{ id: '1', codecs: ['a', 'b', 'b'], sip: { hosts: [{ port: 1 }, { port: 2 }] } },
			{ sip: { user: null, hosts: [{ port: 2, tls: null }, { port: 1 }] }, codecs: ['b', 'a', 'b'], id: '1' },
			{ id: '1', codecs: ['a', 'a', 'b'], sip: { hosts: [{ port: 1 }, { port: 2 }] } },
		];
		const service = await startService((_request, response, index) => json(response, 200, answers[index]!));
		const polling = await watching('1', {}, service.url);
		expect(await polling.poll()).toEqual(NOTHING);
		const changed = { codecs: { from: ['b', 'a', 'b'], to: ['a', 'a', 'b'] } };
		expect((await polling.poll()).items).toMatchObject([{ event: 'changed', changed }]);
	});

	test('is reported to each of two workflows that poll at once, though a copy has the node ids of its original', async () => {
		const [original, copy] = [await watching('1'), await watching('1')];
		change(['1']);
		expect(await Promise.all([events(original), events(copy)])).toEqual([['1 changed'], ['1 changed']]);
	});
});

test('all gateways that disappear at once are an error first, and believed by the next poll', async () => {
	const polling = await watching('1, 5, 9, 99');
	const before = ['1', '5', '9'].map(gateway);
	const message = '3 gateways disappeared at once, and none was found';
	for (const { id } of before) sandbox.removeGateway(id);
	sandbox.setFaults([{ fault: 'http', status: 500, path: '/v1/voip/dss/gtw/99' }]);
	const { items, error, emitted } = await polling.poll();
	expect([items, error]).toEqual([null, undefined]);
	const context = { code: 'not_found', outcome: 'not_done' };
	expect(emitted).toMatchObject([
		{ message, description: expect.stringMatching(/Also failed: gateway 99\.$/), context },
	]);
	sandbox.setFaults([]);
	// What is found again has never been away; one gateway of several that goes is believed at once.
	sandbox.putGateway(before[0]!);
	expect(await polling.poll()).toMatchObject({ items: [{ gatewayId: '5' }, { gatewayId: '9' }], emitted: [] });
	for (const each of before) sandbox.putGateway(each);
	expect(await events(polling)).toEqual(['5 appeared', '9 appeared']);
	for (const { id } of before) sandbox.removeGateway(id);
	expect((await polling.poll()).emitted).toMatchObject([{ message }]);
	expect(await events(polling)).toEqual(['1 disappeared', '5 disappeared', '9 disappeared']);
	expect(await polling.poll()).toEqual(NOTHING);
});

test('a gateway that is watched alone and disappears is believed at once', async () => {
	const polling = await watching('1');
	sandbox.removeGateway('1');
	expect(await events(polling)).toEqual(['1 disappeared']);
});

test('a gateway has not disappeared by a page that says 404: the same poll asks again', async () => {
	const service = await startService((_request, response, index) =>
		index === 1
			? raw(response, 404, 'text/html', '<html><title>nginx</title></html>')
			: json(response, 200, { id: '1' }),
	);
	const polling = await watching('1', {}, service.url);
	expect(await polling.poll()).toEqual(NOTHING);
	expect(service.requests).toHaveLength(3);
});

test.each<[string, Answer, string, RegExp]>([
	["a gateway's 404", (response) => json(response, 404, { message: 'no Route matched' }), '404', /^no Route matched$/],
	['an empty list', (response) => json(response, 200, []), '200', /^The service returned 200/],
	[
		'maintenance',
		(response) => json(response, 200, { maintenance: true, message: 'Back at six' }),
		'200',
		/^Back at six$/,
	],
	['an object without an id', (response) => json(response, 200, { terminationUri: 'a' }), '200', /"terminationUri"/],
])(
	'a gateway has neither disappeared nor lost its fields by %s: the poll fails, and keeps what it knows',
	async (_name, answer, httpCode, message) => {
		const service = await startService((_request, response, index) =>
			index === 1 ? answer(response) : json(response, 200, { id: '1', name: index === 0 ? 'Before' : 'After' }),
		);
		const polling = await watching('1', {}, service.url);
		const { error, items } = await polling.poll();
		expect(items).toBeNull();
		expect(error).toMatchObject({ httpCode, message: expect.stringMatching(message) });
		const changed = { name: { from: 'Before', to: 'After' } };
		expect((await polling.poll()).items).toMatchObject([{ event: 'changed', changed }]);
	},
);

test('a gateway with more fields than are remembered makes the poll fail, and says what to do', async () => {
	const fields = Object.fromEntries(Array.from({ length: 499 }, (_, n) => [`field ${n}`, 'x'.repeat(100)]));
	const service = await startService((_request, response) => json(response, 200, { id: '1', ...fields }));
	const { error } = await new Polling({ gatewayIds: '1', watch: 'all' }, credentialFor(service.url)).poll();
	const description = expect.stringContaining("Set 'Watch' to 'Selected Fields'");
	expect(error).toMatchObject({
		message: 'Gateway 1 has too many fields to compare (500)',
		description,
		context: { code: 'invalid_response', outcome: 'unknown' },
	});
});

describe('what is watched', () => {
	test('may grow and shrink without reporting known gateways again', async () => {
		const polling = await watching('1, 2');
		polling.parameters = { gatewayIds: '2, 5' };
		change(['2']);
		expect(await events(polling)).toEqual(['2 changed']);
		change(['5']);
		expect(await events(polling)).toEqual(['5 changed']);
		expect(JSON.stringify(polling.database)).not.toContain('Milano Elastic 1');
	});

	test.each<[string, object]>([
		['other fields', { watch: 'terminationUri' }],
		['one field more', { watch: 'selected', fields: 'name, terminationUri' }],
		['another organization, whose gateways are others', { organizationId: '10' }],
		['another service, whose gateways are others', {}],
	])('starts from no state with %s', async (name, more) => {
		const polling = await watching('1');
		const changed = { ...gateway('1'), terminationUri: 'new.sip.sandbox.example' };
		const other = await startService((_request, response) => json(response, 200, changed));
		sandbox.putGateway(changed);
		if (name.startsWith('another service')) polling.store.stored = credentialFor(other.url);
		else polling.parameters = { gatewayIds: '1', ...more };
		expect(await polling.poll()).toEqual(NOTHING);
	});
});

test.each([
	['appeared', ['appeared'], ['2 appeared']],
	['all three, where nothing is chosen', undefined, ['1 changed', '2 appeared', '5 disappeared']],
	['two, by an expression', '={{ ["changed", "disappeared"] }}', ['1 changed', '5 disappeared']],
])('Trigger On %s: start the workflow, and no other', async (_, chosen, wanted) => {
	const two = gateway('2');
	sandbox.removeGateway('2');
	const polling = await watching('1, 2, 5', chosen ? { events: chosen } : {});
	change(['1']);
	sandbox.putGateway(two);
	sandbox.removeGateway('5');
	expect(await events(polling)).toEqual(wanted);
	// What was not wanted is known all the same.
	expect(await events(polling)).toBeUndefined();
});

describe('the first poll', () => {
	test('emits every gateway with Emit on First Poll, but none that was never there', async () => {
		const polling = new Polling(
			{ gatewayIds: '2, 99', options: { emitOnFirstPoll: true } },
			credentialFor(sandbox.url),
		);
		const changed = Object.fromEntries(Object.entries(gateway('2')).map(([name, to]) => [name, { from: null, to }]));
		expect((await polling.poll()).items).toEqual([
			{ gatewayId: '2', event: 'appeared', changed, current: gateway('2') },
		]);
		expect((await polling.poll()).items).toBeNull();
		sandbox.putGateway({ ...gateway('2'), id: '99' });
		expect(await events(polling)).toEqual(['99 appeared']);
	});

	test.each([
		['init', 1],
		['activate', 0],
	] as const)(
		'that fails is an error of an execution where n8n activates the workflow, of the activation where a person does: %s',
		async (activation, emissions) => {
			sandbox.setFaults([{ fault: 'http', status: 500, method: 'GET', count: 1 }]);
			const polling = new Polling({ gatewayIds: '1' }, credentialFor(sandbox.url), {}, activation);
			const { error, emitted } = await polling.poll();
			expect([error === undefined, emitted.length]).toEqual([emissions === 1, emissions]);
			// And the polls go on.
			expect((await polling.poll()).error).toBeUndefined();
		},
	);
});

describe('Fetch Test Event', () => {
	test('emits every gateway, whichever events are wanted, and stores nothing', async () => {
		const polling = new Polling({ gatewayIds: '1, 2', events: ['changed'] }, credentialFor(sandbox.url));
		expect(await events(polling, 'manual')).toEqual(['1 appeared', '2 appeared']);
		expect(await events(polling)).toBeUndefined();
		change(['1']);
		await polling.poll('manual');
		expect(await events(polling)).toEqual(['1 changed']);
	});

	test('fails for a gateway that is not there: its id may be mistyped', async () => {
		const { error } = await (await watching('1, 99')).poll('manual');
		expect(error).toMatchObject({
			httpCode: '404',
			context: { code: 'not_found' },
			description: expect.stringContaining('gateway 99'),
		});
	});
});

test('a parameter that is not valid is an error before anything is sent', async () => {
	const { error, items } = await new Polling({ gatewayIds: '1, ..' }, credentialFor(sandbox.url)).poll();
	expect(error?.context).toMatchObject({ code: 'invalid_parameter', outcome: 'not_sent' });
	expect([items, sandbox.getRequests()]).toEqual([null, []]);
});

const OUT_OF_TIME = {
	message: "Gateway 2 couldn't be read within the time limit for a poll",
	description: expect.stringContaining('Watch fewer gateways') as string,
	context: { code: 'connection_failed', outcome: 'not_sent' },
};

test.each([
	[175, ['1', '2'], []],
	[181, ['1'], [OUT_OF_TIME]],
])('a poll sends requests for three minutes: a gateway whose turn comes after %i s', async (seconds, read, errors) => {
	const setAhead = aheadClock();
	let answerFirst = (): void => undefined;
	const slow = await startService(({ target }, response) => {
		const answer = () => json(response, 200, { id: target.split('/').at(-1) });
		if (target.endsWith('/1')) answerFirst = answer;
		else answer();
	});
	const polled = new Polling(
		{ gatewayIds: '1, 2', options: { emitOnFirstPoll: true, maxConcurrency: 1 } },
		credentialFor(slow.url),
	).poll();
	await until(() => slow.requests.length === 1, 'the first gateway is asked for');
	setAhead(seconds * 1_000);
	// A timer that is set later ends later: by then the poll has looked at the clock.
	await sleep(CHECK_INTERVAL_MS);
	answerFirst();
	const { items, emitted } = await polled;
	expect(items?.map(({ gatewayId }) => gatewayId)).toEqual(read);
	expect(emitted).toMatchObject(errors);
});

test('of a gateway that was asked for, and did not get its turn again within three minutes, it is not said that it was not sent', async () => {
	const setAhead = aheadClock();
	const slow = await startService((_request, response) => {
		setAhead(181_000);
		setTimeout(() => json(response, 408, {}), CHECK_INTERVAL_MS);
	});
	const { error } = await new Polling({ gatewayIds: '1' }, credentialFor(slow.url)).poll();
	expect(error).toMatchObject({
		...OUT_OF_TIME,
		message: OUT_OF_TIME.message.replace('2', '1'),
		context: { outcome: 'unknown' },
	});
	expect(slow.requests).toHaveLength(1);
});

describe('the state in the database', () => {
	const formatOf = (version: number) =>
		JSON.stringify({
			version,
			scope: { service: sandbox.url, organizationId: '', fields: ['name'] },
			gateways: [
				['1', [['name', 'Stored']]],
				['2', null],
			],
		});
	const pollAfter = async (state: unknown) => {
		const database = { 'node:Voice Admin Trigger': { state } } as IDataObject;
		return await new Polling(
			{ gatewayIds: '1, 2', watch: 'selected', fields: 'name' },
			credentialFor(sandbox.url),
			database,
		).poll();
	};

	test('is read in the format of version 1', async () => {
		expect((await pollAfter(formatOf(1))).items).toMatchObject([
			{ gatewayId: '1', changed: { name: { from: 'Stored', to: 'Milano Elastic 1' } } },
			{ gatewayId: '2', changed: { name: { from: null, to: 'Milano PBX' } } },
		]);
	});

	test.each<[string, () => unknown]>([
		['of another version', () => formatOf(0)],
		['null', () => null],
		['of another type', () => ({ version: 1 })],
	])('starts the trigger over, without an error, if it is %s', async (_name, state) => {
		expect(await pollAfter(state())).toEqual(NOTHING);
	});
});
