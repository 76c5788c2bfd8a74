import { wait } from '../../nodes/VoiceAdmin/transport/flow/wait';
import { Spacing } from '../../nodes/VoiceAdmin/transport/flow/requestPacer';

const HOUR_MS = 3_600_000;

/** Sets the time of day back by an hour, as an operator or a time server may. */
function setBack(): void {
	const real = Date.now;
	jest.spyOn(Date, 'now').mockImplementation(() => real() - HOUR_MS);
}

afterEach(() => jest.restoreAllMocks());

test('a wait ends in its time when the time of day is set back', async () => {
	const waiting = wait(250, () => false);
	setBack();
	await waiting;
});

test('the time between two requests does not grow when the time of day is set back', async () => {
	const spacing = new Spacing();
	spacing.begins();
	spacing.sent();
	spacing.took();
	spacing.pauseBegins();
	await wait(50, () => false);
	spacing.pauseEnds(1);
	spacing.sent();
	setBack();
	expect(spacing.delay).toBeLessThan(1_000);
});
