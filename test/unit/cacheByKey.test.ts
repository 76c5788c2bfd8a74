import { CacheByKey } from '../../nodes/VoiceAdmin/transport/flow/cacheByKey';

const made = (cache: CacheByKey<{ key: string }>, key: string) => cache.get(key, () => ({ key }));

describe('the cache by key', () => {
	test('makes a value once for each key', () => {
		const cache = new CacheByKey<{ key: string }>({ max: 10 });
		const first = made(cache, 'a');
		expect(made(cache, 'a')).toBe(first);
		expect(made(cache, 'b')).toEqual({ key: 'b' });
	});

	test('forgets the least recently used when there are too many', () => {
		const cache = new CacheByKey<{ key: string }>({ max: 2 });
		const first = made(cache, 'a');
		const second = made(cache, 'b');
		made(cache, 'a');
		made(cache, 'c');
		expect(cache.size).toBe(2);
		expect(made(cache, 'a')).toBe(first);
		expect(made(cache, 'b')).not.toBe(second);
	});

	test('keeps what is in use, even when there are too many, and the value that is asked for beside it', () => {
		const cache = new CacheByKey<{ key: string }>({ max: 1, isInUse: ({ key }) => key === 'a' });
		const first = made(cache, 'a');
		made(cache, 'b');
		const last = made(cache, 'c');
		expect(cache.size).toBe(2);
		expect([made(cache, 'a'), made(cache, 'c')]).toEqual([first, last]);
	});

	test('forgets what is stale when another key is asked for, and makes it again when it is asked for itself', () => {
		const stale = new Set<string>();
		const cache = new CacheByKey<{ key: string }>({ max: 10, isStale: ({ key }) => stale.has(key) });
		const first = made(cache, 'a');
		made(cache, 'b');
		stale.add('a');
		made(cache, 'c');
		expect(cache.size).toBe(2);
		expect(made(cache, 'a')).not.toBe(first);
	});
});
