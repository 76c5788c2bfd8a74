/**
 * The middle of some values, and how far they spread.
 * @param {number[]} values
 * @returns {{ median: number, min: number, max: number, count: number }}
 */
export function spread(values) {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = Math.floor(sorted.length / 2);
	const median = sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
	return { median, min: sorted[0], max: sorted.at(-1), count: sorted.length };
}

/**
 * The smallest of some values that at least a share of them do not exceed.
 * @param {number[]} values
 * @param {number} share such as 0.95
 */
export const quantile = (values, share) => [...values].sort((a, b) => a - b)[Math.ceil(values.length * share) - 1];
