import fc from 'fast-check';

/** Cases of a property: a third of them in `npm test`, which somebody waits for. */
export const CASES = process.env.VOICE_ADMIN_TEST_FULL ? 3_000 : 1_000;

/** A number of cases, for a title. */
export const cases = (count: number): string => `${count.toLocaleString('en-US')} cases`;

/** A property that takes longer has failed: long enough for its cases, and for making the input of a failure small. */
export const TIME_LIMIT_MS = 900_000;

const seed = process.env.FAST_CHECK_SEED;

// Other cases in every run. A failure shows its seed: with FAST_CHECK_SEED set to it, the same cases come again.
fc.configureGlobal({
	...(seed !== undefined && { seed: Number(seed) }),
	interruptAfterTimeLimit: TIME_LIMIT_MS,
	markInterruptAsFailure: true,
});

export { fc };
