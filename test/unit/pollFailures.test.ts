import { combineFailures, outOfTimeFailure } from '../../nodes/VoiceAdmin/trigger/pollFailures';

const failed = (count: number) =>
	Array.from({ length: count }, (_, index) => ({
		gatewayId: String(index + 1),
		failure: outOfTimeFailure(String(index + 1), 'not_sent'),
	}));

test.each<[number, string | undefined]>([
	[1, undefined],
	[2, 'Also failed: gateway 2.'],
	[21, 'Also failed: gateways 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21.'],
	[22, 'Also failed: gateways 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21 and 1 more.'],
])('of %i gateways that failed the error is that of the first, and names the others', (count, also) => {
	const own = outOfTimeFailure('1', 'not_sent');
	expect(combineFailures(failed(count))).toEqual({
		...own,
		description: also === undefined ? own.description : `${own.description}.\n${also}`,
	});
});
