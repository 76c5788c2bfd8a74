import { wait, withDeadline } from '../../nodes/VoiceAdmin/time';

const HOUR_MS = 3_600_000;

test('a wait ends on time when the time of day is set back, as an operator or a time server may', async () => {
	const { now } = Date;
	const waiting = wait(250, () => false);
	jest.spyOn(Date, 'now').mockImplementation(() => now() - HOUR_MS);
	await waiting;
});

test('a wait ends as soon as its condition holds', async () => {
	let checks = 0;
	await wait(HOUR_MS, () => ++checks === 2);
	expect(checks).toBe(2);
});

test('work that is cancelled fails as that, whatever words the work itself has for it', async () => {
	const cancelled = new AbortController();
	const work = withDeadline(HOUR_MS, cancelled.signal, async (signal) => {
		await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('closed'))));
	});
	cancelled.abort();
	const later = withDeadline(HOUR_MS, cancelled.signal, async () => await new Promise(() => {}));
	for (const each of [work, later])
		await expect(each).rejects.toThrow('the execution was canceled before the service responded');
});
