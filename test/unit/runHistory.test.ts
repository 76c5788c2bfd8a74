import {
	findUnknownCreate,
	type RunHistory,
	resultsOfFailedItem,
	sendUnlessSettled,
	settledRequests,
	withEarlierTries,
	withOtherRequests,
} from '../../nodes/VoiceAdmin/execution/runHistory';
import type { Failure } from '../../nodes/VoiceAdmin/transport/failure';
import type { ApiRequest } from '../../nodes/VoiceAdmin/transport/apiRequest';

const create = (number: number): ApiRequest => ({
	method: 'POST',
	path: '/x',
	fields: {},
	creates: `customer with VAT number ${number}`,
});
const put = (number: number, label?: string): ApiRequest => ({
	method: 'PUT',
	path: `/x/${number}`,
	fields: {},
	label,
});
const failure = (outcome: Failure['outcome'], request?: object): Failure => ({
	message: 'No',
	description: '',
	code: 'rejected',
	outcome,
	fields: request as never,
});
const at = (itemIndex: number, requestIndex: number, request: ApiRequest) => ({ itemIndex, requestIndex, request });
const done = { value: [{ json: { id: 1 } }] };

test.each([
	['a create', create(1), [{ failure: { outcome: 'unknown' } }], { outcome: 'not_done', description: '' }],
	[
		'any other request',
		put(1),
		[],
		{ outcome: 'unknown', description: 'The request may have been carried out in an earlier try under Retry On Fail' },
	],
])(
	'an item that fails in a later try keeps what an earlier one settled, and fails with the outcome of the rest: %s',
	async (_name, request, settled, rest) => {
		const history: RunHistory = new Map();
		const results = [
			{ failure: failure('not_done') },
			{ stopped: 'not_done' as const },
			{ failure: failure('not_sent') },
			{ failure: failure('unknown') },
			done,
		];
		for (const [index, result] of results.entries())
			await sendUnlessSettled(history, at(0, index, request), async () => result);
		const failed = { failure: failure('not_sent') };
		expect(resultsOfFailedItem(history, 0, failed)).toMatchObject([...settled, done, { failure: rest }]);
		expect(resultsOfFailedItem(history, 1, failed)).toEqual([failed]);
		await sendUnlessSettled(history, at(2, 0, request), async () => done);
		expect(resultsOfFailedItem(history, 2, failed)).toEqual([done]);
		// Where the run stops, its error can't say that nothing was sent.
		expect([0, 1, 2].map((itemIndex) => withEarlierTries(history, { itemIndex, ...failed }).failure.outcome)).toEqual([
			rest.outcome,
			'not_sent',
			'unknown',
		]);
	},
);

test.each<[ApiRequest, string]>([
	[put(1), 'The request may have been carried out in an earlier try under Retry On Fail'],
	[{ method: 'GET', path: '/x', fields: {} }, ''],
])('an error after a try with an unknown outcome says so: %j', async (request, description) => {
	const history: RunHistory = new Map();
	for (const outcome of ['unknown', 'not_done', 'unknown'] as const) {
		const result = await sendUnlessSettled(history, at(0, 0, request), async () => ({ failure: failure(outcome) }));
		expect(result).toMatchObject({
			failure: { outcome: 'unknown', description: outcome === 'unknown' ? '' : description },
		});
	}
	// A run that is stopped before it sends this again.
	expect(await sendUnlessSettled(history, at(0, 0, request), async () => ({ stopped: 'not_sent' }))).toEqual({
		stopped: 'unknown',
	});
	expect(await sendUnlessSettled(history, at(0, 0, request), async () => done)).toEqual(done);
});

test('what may not be sent again is what was done, and a create whose outcome is unknown', async () => {
	const history: RunHistory = new Map();
	const results = [done, { failure: failure('not_done') }, { failure: failure('unknown') }];
	for (const [item, result] of results.entries()) {
		await sendUnlessSettled(history, at(2 * item, 0, put(item)), async () => result);
		expect(findUnknownCreate(history)).toBe(undefined);
		await sendUnlessSettled(history, at(2 * item + 1, 0, create(item)), async () => result);
	}
	expect(settledRequests(history).map(({ itemIndex, requestIndex }) => [itemIndex, requestIndex])).toEqual([
		[0, 0],
		[1, 0],
		[5, 0],
	]);
	const description = 'The node did not send it again under Retry On Fail';
	expect(findUnknownCreate(history)).toMatchObject({ itemIndex: 5, failure: { outcome: 'unknown', description } });
});

test.each<[string, (number: number) => ApiRequest, number, RegExp | string]>([
	[
		'ten creates',
		create,
		10,
		/^Created before the run stopped: customer with VAT number 1; .+; customer with VAT number 10$/,
	],
	['eleven creates', create, 11, /; customer with VAT number 10 and 1 more$/],
	['changes', (number) => put(number, `trunk ${number}`), 2, 'Done before the run stopped: trunk 1; trunk 2'],
	['a change without words of its own', put, 1, 'Done before the run stopped: PUT /x/1'],
	['reads', () => ({ method: 'GET', path: '/x', fields: {} }), 2, ''],
])('an error that stops a run names what was done before: %s', async (_name, request, count, expected) => {
	const history: RunHistory = new Map();
	for (let item = 1; item <= count; item++)
		await sendUnlessSettled(history, at(item, 0, request(item)), async () => done);
	await sendUnlessSettled(history, at(0, 0, request(0)), async () => ({ stopped: 'not_sent' }));
	const { description } = withOtherRequests(failure('not_done'), history);
	expect(description).toEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected));
});

test('and what may have been done, but not the request that the error is about', async () => {
	const history: RunHistory = new Map();
	const requests = [put(1, 'trunk 1, country IT'), put(2, 'trunk 1, country FR'), put(3, 'trunk 1, country DE')];
	const failures = requests.map(({ fields }) => failure('unknown', fields));
	for (const [index, request] of requests.entries())
		await sendUnlessSettled(history, at(0, index, request), async () => ({ failure: failures[index]! }));
	const { description } = withOtherRequests(failures[0]!, history);
	expect(description).toBe('May have been done before the run stopped: trunk 1, country FR; trunk 1, country DE');
	const created: RunHistory = new Map();
	await sendUnlessSettled(created, at(0, 0, create(2)), async () => ({ failure: failure('unknown') }));
	expect(withOtherRequests(failures[0]!, created).description).toBe(
		'May have been created before the run stopped: customer with VAT number 2',
	);
});
