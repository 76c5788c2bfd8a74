import { CacheByKey, MAX_KEYS } from './cacheByKey';
import { ConcurrencyLimiter } from './concurrencyLimiter';
import { logDebug, type LogSubject } from './log';

/** After so long without a request, what is known of the service is forgotten, in milliseconds. */
const FORGET_AFTER_MS = 60_000;

const limiters = new CacheByKey<ConcurrencyLimiter>({
	max: MAX_KEYS,
	isInUse: ({ idleMs }) => idleMs === undefined,
	isStale: ({ idleMs = 0 }) => idleMs > FORGET_AFTER_MS,
});

/** The limiter of a service and API key in this process: the same for every node, execution and item with that key. */
export function limiterOf(key: LogSubject): ConcurrencyLimiter {
	return limiters.get(key.fingerprint, () => new ConcurrencyLimiter((message) => logDebug(key, message)));
}
