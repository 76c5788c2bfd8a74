/**
 * Milliseconds on a clock that never goes back, unlike the time of day, which an operator or a time server may set.
 * For waits and for ages; it says nothing about the date.
 */
export const now = (): number => performance.now();
