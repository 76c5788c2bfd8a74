import { combineFailures, outOfTime, tooManyFields } from '../../nodes/VoiceAdmin/trigger/pollErrors';

const failed = (count: number) => Array.from({ length: count },
	(_, index) => ({ gatewayId: String(index + 1), failure: outOfTime(String(index + 1)) }));

test('a gateway for which there was no time was not asked for, and one with too many fields says what to do', () => {
	expect(outOfTime('7')).toEqual({
		message: 'Gateway 7 could not be read within the time limit for a poll',
		description: 'The service was too slow, or asked to wait. Watch fewer gateways, or poll less often',
		code: 'connection_failed',
		outcome: 'not_sent',
	});
	expect(tooManyFields('7', 2_000)).toEqual({
		message: 'Gateway 7 has too many fields to compare (2000)',
		description: "Set 'Watch' to 'Selected Fields', and enter only the fields that you want to watch",
		code: 'invalid_response',
		outcome: 'unknown',
	});
});

test.each<[number, string | undefined]>([
	[1, undefined],
	[2, 'Also failed: gateway 2.'],
	[21, 'Also failed: gateway 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21.'],
	[22, 'Also failed: gateway 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21 and 1 more.'],
])('of %i gateways that failed the error is that of the first, and names the others', (count, also) => {
	const own = outOfTime('1');
	expect(combineFailures(failed(count)))
		.toEqual({ ...own, description: also === undefined ? own.description : `${own.description}.\n${also}` });
});
