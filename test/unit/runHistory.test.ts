import { recordedRequest } from '../../nodes/VoiceAdmin/execution/history/entry';
import { type ExecutionStore, RunHistory, type RunStore } from '../../nodes/VoiceAdmin/execution/history/runHistory';
import { isFailed } from '../../nodes/VoiceAdmin/execution/checkedItem';
import { describeFailure, type Failure, withRequestDetails } from '../../nodes/VoiceAdmin/transport/failure';
import type { ApiRequest } from '../../nodes/VoiceAdmin/transport/apiRequest';

const create = (number: number, more: object = {}): ApiRequest => ({
	method: 'POST',
	path: '/x',
	fields: { number, ...more },
	creates: `customer with VAT number ${number}`,
	deduplicationKey: String(number),
});
const put = (number: number, label?: string): ApiRequest => ({
	method: 'PUT',
	path: `/x/${number}`,
	fields: { number },
	label,
});
const GET: ApiRequest = { method: 'GET', path: '/x', fields: {} };
const failure = (outcome: Failure['outcome'], fields?: object): Failure => ({
	message: 'No',
	description: '',
	code: 'rejected',
	outcome,
	fields: fields as never,
});
const done = { value: [{ json: { id: 1 } }] };
const failed = (outcome: Failure['outcome']) => ({ failure: failure(outcome) });

/** A history, what n8n stores of it, and the same as n8n hands it to the node again. */
function setUp(run = '0') {
	const [store, execution]: [RunStore, ExecutionStore] = [{}, {}];
	const history = new RunHistory(store, execution, run);
	const send = async (item: number, index: number, request: ApiRequest, result: object, account = 'a') =>
		await history.sendUnlessSettled(item, index, request, account, async () => result as never);
	const reloaded = (nth = run) => {
		const [one, other] = JSON.parse(JSON.stringify([store, execution])) as [RunStore, ExecutionStore];
		return new RunHistory(one, other, nth);
	};
	return { store, execution, history, send, reloaded };
}

test('a create that was being sent when its execution ended may be done, and one that waited was not sent', async () => {
	const { history, reloaded } = setUp();
	for (const [item, outcome] of (['unknown', 'not_done'] as const).entries())
		void history.sendUnlessSettled(item, 0, create(item), 'a', async (recordOutcome) => {
			recordOutcome('unknown');
			recordOutcome(outcome);
			return await new Promise(() => {});
		});
	void history.sendUnlessSettled(2, 0, create(2), 'a', async () => await new Promise(() => {}));
	const reason = reloaded().reasonsNotToSend();
	const reasons = [0, 1, 2].map((item) => reason([item, 0], recordedRequest(create(item), 'a'), false));
	expect(reasons).toMatchObject([
		{ fields: { number: 0 }, code: 'connection_failed', outcome: 'unknown' },
		undefined as never,
		undefined as never,
	]);
	expect(describeFailure(reasons[0]!)).toEqual({
		message: 'The execution ended before the service responded. The customer with VAT number 0 may already exist',
		description:
			"Look for the customer with VAT number 0 in your provider's records before you send it again.\n" +
			"This execution doesn't send it again: if it isn't there, start a new one with this item only.",
	});
});

test('a change that may have been carried out in an earlier try may be so whatever becomes of the next one', async () => {
	const { send, reloaded } = setUp();
	await send(0, 0, put(1), failed('unknown'));
	const rejected = { failure: withRequestDetails(put(1), failure('not_done')) };
	const result = await reloaded().sendUnlessSettled(0, 0, put(1), 'a', async () => rejected);
	expect(isFailed(result) && describeFailure(result.failure)).toEqual({
		message: 'No. The request may have been carried out',
		description: 'Ask your provider what was done before you send it again',
	});
});

test('what an execution may have created is sent by no later run or node of it, but for another account or customer', async () => {
	const { history, send, execution } = setUp();
	await send(0, 0, create(1), done);
	await send(1, 0, create(2, { name: 'Milano' }), failed('unknown'));
	await send(2, 0, put(3), failed('unknown'));
	history.end(true);
	const reason = new RunHistory({}, JSON.parse(JSON.stringify(execution)) as ExecutionStore, '1').reasonsNotToSend();
	const isSent = (request: ApiRequest, account = 'a', isExact = false) =>
		reason([0, 0], recordedRequest(request, account), isExact) === undefined;
	expect([create(1), create(2), put(3)].map((request) => isSent(request))).toEqual([true, false, true]);
	expect(isSent(create(2), 'b')).toBe(true);
	// With Allow Duplicates, another customer may have the same number.
	expect([isSent(create(2, { name: 'Roma' }), 'a', true), isSent(create(2, { name: 'Milano' }), 'a', true)]).toEqual([
		true,
		false,
	]);
});

test('an item that would create something else than in an earlier attempt is an error that names both', async () => {
	const { send, reloaded } = setUp();
	await send(0, 0, create(1), done);
	await send(1, 0, create(2), failed('unknown'));
	const reason = reloaded().reasonsNotToSend();
	const message = (item: number, now: number, account = 'a') =>
		reason([item, 0], recordedRequest(create(now), account), false)?.message;
	expect([message(0, 1), message(0, 5), message(1, 5), message(0, 1, 'b')]).toEqual([
		undefined,
		'An earlier attempt of this item created the customer with VAT number 1, and this one would create the customer with VAT number 5',
		'An earlier attempt of this item may have created the customer with VAT number 2, and this one would create the customer with VAT number 5',
		'An earlier attempt of this item created the customer with VAT number 1 with another API key or at another address, and this one would create the customer with VAT number 1',
	]);
});

test('a run that succeeded leaves nothing, and the next run of the node knows nothing of one that did not end', async () => {
	const { history, send, store, execution, reloaded } = setUp();
	await send(0, 0, create(1), done);
	expect(reloaded('1').settledCreates).toEqual([]);
	history.end(true);
	expect([store, execution]).toEqual([{}, {}]);
});

const ADVICE = 'A new execution sends them again: first remove exactly these from its input';

test.each<[string, (number: number) => ApiRequest, number[], string]>([
	[
		'creates',
		create,
		[0, 1, 2, 4, 5, 7],
		`Created before the run stopped: items 0 to 2, 4 to 5, 7 (counted from 0). ${ADVICE}`,
	],
	[
		'changes',
		(number) => put(number, `trunk ${number}`),
		[2],
		`Done before the run stopped: item 2 (counted from 0). ${ADVICE}`,
	],
	['reads', () => GET, [0, 1], ''],
])('an error that stops a run says which items were done before: %s', async (_name, request, items, expected) => {
	const { history, send } = setUp();
	for (const item of items) await send(item, 0, request(item), done);
	await send(8, 0, request(8), { stopped: 'not_sent' });
	expect(history.withOtherRequests({ itemIndex: 9, failure: failure('not_done') }).notes).toEqual(expected);
});

test('the error of a stopped run says which countries of an item were done, and which other requests may have been', async () => {
	const { history, send } = setUp();
	const countries = ['IT', 'FR', 'DE', 'ES', 'AT'].map((iso, number) => put(number, `trunk 1, country ${iso}`));
	const unknown = (request: ApiRequest) => ({ failure: failure('unknown', request.fields) });
	for (const [index, request] of countries.entries())
		await send(1, index, request, [0, 1, 3].includes(index) ? done : unknown(request));
	await send(0, 0, put(9), done);
	const { notes } = history.withOtherRequests({ itemIndex: 1, ...unknown(countries[2]!) });
	expect(notes).toBe(
		`Done before the run stopped: item 0; trunk 1, country IT (item 1); trunk 1, country FR (item 1); trunk 1, country ES (item 1) (counted from 0). ${ADVICE}.\n` +
			'May have been done before the run stopped: trunk 1, country AT (item 1). Ask your provider what was done before you send it again.',
	);
});
