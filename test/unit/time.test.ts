import { wait } from '../../nodes/VoiceAdmin/time';

const HOUR_MS = 3_600_000;

test('a wait ends on time when the time of day is set back, as an operator or a time server may', async () => {
	const { now } = Date;
	const waiting = wait(250, () => false);
	jest.spyOn(Date, 'now').mockImplementation(() => now() - HOUR_MS);
	await waiting;
});
