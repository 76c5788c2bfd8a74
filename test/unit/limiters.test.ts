import { MAX_KEYS } from '../../nodes/VoiceAdmin/transport/flow/cacheByKey';
import { limiterOf } from '../../nodes/VoiceAdmin/transport/flow/limiters';
import { RunLimit } from '../../nodes/VoiceAdmin/transport/flow/runLimit';

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
