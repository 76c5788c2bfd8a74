import { MAX_KEYS } from '../../nodes/VoiceAdmin/transport/flow/cacheByKey';
import { limiterOf } from '../../nodes/VoiceAdmin/transport/flow/limiters';
import { RunLimit } from '../../nodes/VoiceAdmin/transport/flow/runLimit';
import { aheadClock } from '../support/time';

const limiterOfKey = (fingerprint: string) => limiterOf({ serviceUrl: 'https://api.example', fingerprint });

describe('the limiter of a key, when as many keys come after it as are remembered', () => {
	let others = 0;
	const askForOthers = (count: number, meanwhile = () => {}) => {
		for (let n = 0; n < count; n++) {
			limiterOfKey(`other ${others++}`);
			meanwhile();
		}
	};

	test('stays while a request of it is in flight or waits: another one would send beyond the limit, or in a pause', async () => {
		const limiter = limiterOfKey('in use');
		const run = new RunLimit(1);
		const permit = await run.acquire(limiter);
		askForOthers(MAX_KEYS);
		expect(limiterOfKey('in use')).toBe(limiter);
		permit?.release('dropped', { ms: 60_000, isForKey: true });
		void run.acquire(limiter);
		askForOthers(MAX_KEYS);
		expect(limiterOfKey('in use')).toBe(limiter);
		run.close();
	});

	test('is forgotten when none is in flight, unless it was asked for meanwhile', () => {
		const [idle, asked] = [limiterOfKey('idle'), limiterOfKey('asked for')];
		askForOthers(MAX_KEYS - 1, () => void limiterOfKey('asked for'));
		expect(limiterOfKey('idle')).not.toBe(idle);
		expect(limiterOfKey('asked for')).toBe(asked);
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
