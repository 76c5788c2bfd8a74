import fc from 'fast-check';

/** Cases of each property. Every run has the same ones, unless FAST_CHECK_SEED is set. */
export const CASES = 10_000;

fc.configureGlobal({ seed: Number(process.env.FAST_CHECK_SEED ?? 20_260_101), endOnFailure: true });

export { fc };
