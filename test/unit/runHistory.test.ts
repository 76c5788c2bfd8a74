import { type NodeStore, RunHistory } from '../../nodes/VoiceAdmin/execution/runHistory';
import type { Failure } from '../../nodes/VoiceAdmin/transport/failure';
import type { ApiRequest } from '../../nodes/VoiceAdmin/transport/apiRequest';

const create = (number: number): ApiRequest => ({
	method: 'POST',
	path: '/x',
	fields: { number },
	creates: `customer with VAT number ${number}`,
	deduplicationKey: String(number),
});
const put = (number: number, label?: string): ApiRequest => ({
	method: 'PUT',
	path: `/x/${number}`,
	fields: { number },
	label,
});
const failure = (outcome: Failure['outcome'], fields?: object): Failure => ({
	message: 'No',
	description: '',
	code: 'rejected',
	outcome,
	fields: fields as never,
});
const at = (itemIndex: number, requestIndex: number, request: ApiRequest) => ({ itemIndex, requestIndex, request });
const done = { value: [{ json: { id: 1 } }] };

/** As n8n stores an execution, and hands it to the node again. */
const reloaded = (store: NodeStore, run = '0') => new RunHistory(JSON.parse(JSON.stringify(store)) as NodeStore, run);

test.each([
	['a create', create(1), [{ failure: { outcome: 'unknown' } }], { outcome: 'not_done', description: '' }],
	[
		'any other request',
		put(1),
		[],
		{ outcome: 'unknown', description: 'The request may have been carried out in an earlier try' },
	],
])(
	'an item that fails in a later try keeps what an earlier one settled, and fails with the outcome of the rest: %s',
	async (_name, request, settled, rest) => {
		const store: NodeStore = {};
		const history = new RunHistory(store, '0');
		const results = [
			{ failure: failure('not_done') },
			{ stopped: 'not_done' as const },
			{ failure: failure('not_sent') },
			{ failure: failure('unknown') },
			done,
		];
		for (const [index, result] of results.entries())
			await history.sendUnlessSettled(at(0, index, request), async () => result);
		await history.sendUnlessSettled(at(2, 0, request), async () => done);
		const failed = { failure: failure('not_sent') };
		for (const each of [history, reloaded(store)]) {
			expect(each.resultsOfFailedItem(0, failed)).toMatchObject([...settled, done, { failure: rest }]);
			expect(each.resultsOfFailedItem(1, failed)).toEqual([failed]);
			expect(each.resultsOfFailedItem(2, failed)).toEqual([done]);
			// Where the run stops, its error can't say that nothing was sent.
			expect([0, 1, 2].map((itemIndex) => each.withEarlierTries({ itemIndex, ...failed }).failure.outcome)).toEqual([
				rest.outcome,
				'not_sent',
				'unknown',
			]);
		}
	},
);

test.each<[ApiRequest, string]>([
	[put(1), 'The request may have been carried out in an earlier try'],
	[{ method: 'GET', path: '/x', fields: {} }, ''],
])('an error after a try with an unknown outcome says so: %j', async (request, description) => {
	const history = new RunHistory({}, '0');
	for (const outcome of ['unknown', 'not_done', 'unknown'] as const) {
		const result = await history.sendUnlessSettled(at(0, 0, request), async () => ({ failure: failure(outcome) }));
		expect(result).toMatchObject({
			failure: { outcome: 'unknown', description: outcome === 'unknown' ? '' : description },
		});
	}
	// A run that is stopped before it sends this again.
	expect(await history.sendUnlessSettled(at(0, 0, request), async () => ({ stopped: 'not_sent' }))).toEqual({
		stopped: 'unknown',
	});
	expect(await history.sendUnlessSettled(at(0, 0, request), async () => done)).toEqual(done);
});

test('what may not be sent again is what was done, and a create whose outcome is unknown', async () => {
	const store: NodeStore = {};
	const history = new RunHistory(store, '0');
	const results = [done, { failure: failure('not_done') }, { failure: failure('unknown') }];
	for (const [item, result] of results.entries()) {
		await history.sendUnlessSettled(at(2 * item, 0, put(item)), async () => result);
		expect(history.unknownCreate).toBe(undefined);
		await history.sendUnlessSettled(at(2 * item + 1, 0, create(item)), async () => result);
	}
	for (const each of [history, reloaded(store)]) {
		expect(each.settledRequests.map(({ itemIndex, requestIndex }) => [itemIndex, requestIndex])).toEqual([
			[0, 0],
			[1, 0],
			[5, 0],
		]);
		const description = 'The node did not send it again in this execution';
		expect(each.unknownCreate).toMatchObject({ itemIndex: 5, failure: { outcome: 'unknown', description } });
	}
});

test('a create that was being sent when its execution ended may be done, and one that waited was not sent', async () => {
	const store: NodeStore = {};
	const history = new RunHistory(store, '0');
	for (const [item, outcome] of (['unknown', 'not_done'] as const).entries())
		void history.sendUnlessSettled(at(item, 0, create(item)), async (recordOutcome) => {
			recordOutcome('unknown');
			recordOutcome(outcome);
			return await new Promise(() => {});
		});
	void history.sendUnlessSettled(at(2, 0, create(2)), async () => await new Promise(() => {}));
	const again = reloaded(store);
	expect(again.settledRequests.map(({ itemIndex }) => itemIndex)).toEqual([0]);
	expect(again.unknownCreate?.failure).toMatchObject({
		message: 'The execution ended before the service responded. The customer with VAT number 0 may already exist',
		description: expect.stringMatching(
			/^Look for the customer .+\nThe node did not send it again in this execution\.$/,
		),
		fields: { number: 0 },
		code: 'connection_failed',
		outcome: 'unknown',
	});
});

test('a run leaves what later runs may not create again, and a run that succeeded leaves nothing', async () => {
	const store: NodeStore = {};
	const runs = ['0', '1', '2'].map((run) => new RunHistory(store, run));
	await runs[0]!.sendUnlessSettled(at(0, 0, create(1)), async () => done);
	await runs[1]!.sendUnlessSettled(at(0, 0, create(1)), async () => done);
	await runs[1]!.sendUnlessSettled(at(1, 0, create(2)), async () => ({ failure: failure('unknown') }));
	await runs[1]!.sendUnlessSettled(at(2, 0, put(3)), async () => ({ failure: failure('unknown') }));
	for (const run of runs) run.forgetSettled();
	expect(Object.keys(store.runs!)).toEqual(['1']);
	expect([...reloaded(store, '2').unknownElsewhere.keys()]).toEqual(['2']);
	expect([...runs[1]!.unknownElsewhere]).toEqual([]);
	const good: NodeStore = {};
	const history = new RunHistory(good, '0');
	await history.sendUnlessSettled(at(0, 0, create(1)), async () => done);
	history.forgetSettled();
	expect(good).toEqual({});
});

test.each<[string, (number: number) => ApiRequest, number[], string]>([
	['creates', create, [0, 1, 2, 4, 5, 7], 'Created before the run stopped, counted from 0: items 0 to 2, 4 to 5, 7'],
	['changes', (number) => put(number, `trunk ${number}`), [2], 'Done before the run stopped, counted from 0: items 2'],
	['reads', () => ({ method: 'GET', path: '/x', fields: {} }), [0, 1], ''],
])('an error that stops a run says which items were done before: %s', async (_name, request, items, expected) => {
	const history = new RunHistory({}, '0');
	for (const item of items) await history.sendUnlessSettled(at(item, 0, request(item)), async () => done);
	await history.sendUnlessSettled(at(8, 0, request(8)), async () => ({ stopped: 'not_sent' }));
	const { description } = history.withOtherRequests({ itemIndex: 9, failure: failure('not_done') });
	expect(description).toEqual(expected);
});

test('and of an item of which only some requests were done, which; and what may have been done, but not the request that the error is about', async () => {
	const history = new RunHistory({}, '0');
	const countries = ['IT', 'FR', 'DE', 'ES'].map((iso, number) => put(number, `trunk 1, country ${iso}`));
	const unknown = (request: ApiRequest) => ({ failure: failure('unknown', request.fields) });
	for (const [index, request] of countries.entries())
		await history.sendUnlessSettled(at(1, index, request), async () => (index < 2 ? done : unknown(request)));
	await history.sendUnlessSettled(at(0, 0, put(9)), async () => done);
	const { description } = history.withOtherRequests({ itemIndex: 1, ...unknown(countries[2]!) });
	expect(description).toBe(
		'Done before the run stopped, counted from 0: items 0; of item 1, trunk 1, country IT; trunk 1, country FR.\n' +
			'May have been done before the run stopped: trunk 1, country ES (item 1)',
	);
});

test('of 1,000 creates, an error names all that were done in 300 characters', async () => {
	const history = new RunHistory({}, '0');
	for (let item = 0; item < 1_000; item++)
		await history.sendUnlessSettled(at(item, 0, create(item)), async () =>
			item === 300 || item === 600 ? { failure: failure('not_done') } : done,
		);
	expect(history.describe()).toBe(
		'Created before the run stopped, counted from 0: items 0 to 299, 301 to 599, 601 to 999',
	);
});
