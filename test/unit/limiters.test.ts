import { MAX_KEYS } from '../../nodes/VoiceAdmin/transport/flow/cacheByKey';
import { limiterOf } from '../../nodes/VoiceAdmin/transport/flow/limiters';
import { RunLimit } from '../../nodes/VoiceAdmin/transport/flow/runLimit';
import { aheadClock } from '../support/time';

const limiterOfKey = (fingerprint: string) => limiterOf({ serviceUrl: 'https://api.example', fingerprint });

describe('the limiter of a key, when more keys than are remembered come after it', () => {
	const askForOthers = () => {
		for (let n = 0; n <= MAX_KEYS; n++) limiterOfKey(`other ${n}`);
	};

	test('stays while a request of it is in flight: another one would send beyond the limit', async () => {
		const limiter = limiterOfKey('in use');
		const permit = await new RunLimit(1).acquire(limiter);
		askForOthers();
		expect(limiterOfKey('in use')).toBe(limiter);
		permit?.release('success');
	});

	test('is forgotten when none is in flight', () => {
		const limiter = limiterOfKey('idle');
		askForOthers();
		expect(limiterOfKey('idle')).not.toBe(limiter);
	});
});

test('the limiter of a key is forgotten after a minute without requests', async () => {
	const limiter = limiterOfKey('of a minute');
	(await new RunLimit(1).acquire(limiter))?.release('success');
	const skip = aheadClock();
	skip(59_000);
	expect(limiterOfKey('of a minute')).toBe(limiter);
	skip(1_001);
	expect(limiterOfKey('of a minute')).not.toBe(limiter);
	jest.restoreAllMocks();
});
