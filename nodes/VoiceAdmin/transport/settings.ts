import { integerBetween } from '../parameters/integer';
import type { ReadParameter } from './http/request';

/** Bounds and defaults of the node's Options; the description shows the same. */
export const MAX_CONCURRENCY = { bounds: [1, 500], default: 200 } as const;
export const MAX_RETRIES = { bounds: [0, 10], default: 3 } as const;

/** How a run's requests travel, from the node's Options. */
export interface Settings {
	/** Most requests in flight at once; the first item's value holds for the run. */
	maxConcurrency: number;
	/** How often a request is sent again at the most. */
	maxRetries: number;
}

/** @throws Refusal when an option is not a whole number within its bounds */
export function settingsOf(read: ReadParameter): Settings {
	const given = (read('options') ?? {}) as Partial<Record<keyof Settings, unknown>>;
	return {
		maxConcurrency: integerBetween(
			'Max Concurrency',
			given.maxConcurrency ?? MAX_CONCURRENCY.default,
			MAX_CONCURRENCY.bounds,
		),
		maxRetries: integerBetween(
			'Max Retries',
			given.maxRetries ?? MAX_RETRIES.default,
			MAX_RETRIES.bounds,
		),
	};
}
