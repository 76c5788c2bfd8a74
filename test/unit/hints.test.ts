import { failuresHint, waitHints } from '../../nodes/VoiceAdmin/execution/hints';
import type { Failure } from '../../nodes/VoiceAdmin/transport/failure';

const message = (hint: { message: string } | undefined) => hint?.message;
const failed = (item: number, outcome: Failure['outcome'], creates?: string, isChange = true) => ({
	itemIndex: item,
	failure: { outcome, creates, isChange } as Failure,
});

test.each<[string, Array<ReturnType<typeof failed>>, number, string | undefined]>([
	['none', [], 2, undefined],
	['one, for two countries', [failed(0, 'not_done'), failed(0, 'not_done')], 2, '1 of 2 items failed'],
	[
		'two creates whose outcome is unknown',
		[failed(0, 'unknown', 'a'), failed(1, 'unknown', 'b')],
		2,
		"2 of 2 items failed. The outcome of 2 items is unknown. Look for them in your provider's records before you send them again",
	],
	['a read without a response', [failed(0, 'unknown', undefined, false)], 2, '1 of 2 items failed'],
	[
		'a change whose outcome is unknown, and another that was rejected',
		[failed(0, 'unknown'), failed(1, 'not_done')],
		3,
		'2 of 3 items failed. The outcome of 1 item is unknown. Ask your provider what was done before you send it again',
	],
])('a hint of failed items: %s', (_name, failures, items, expected) => {
	const hints = [false, true].map((isInPart) => message(failuresHint(failures, items, isInPart)));
	expect(hints).toEqual([expected, expected && expect.stringMatching(/failed, at least in part. Before/)]);
});

test('a hint of a run that waited for its service for five seconds or more, by the reason', () => {
	expect(waitHints({ unavailable: 4_499, rateLimited: 4_499 })).toEqual([]);
	expect(waitHints({ unavailable: 5_000, rateLimited: 0 })).toMatchObject([{ type: 'info', location: 'outputPane' }]);
	expect(waitHints({ unavailable: 4_500, rateLimited: 12_000 }).map(message)).toEqual([
		'The service was unavailable; the run waited for 5 seconds',
		'The service limits the number of requests; the run waited for 12 seconds',
	]);
});
