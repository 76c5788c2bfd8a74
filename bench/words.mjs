/** A number with as many digits as tell something: 0.123, 1.23, 12.3, 1,234. */
export function number(value) {
	const digits = Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : Math.abs(value) >= 10 ? 1 : 2;
	return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** A median, and from where to where the rounds go. */
export const withSpread = ({ median, min, max, count }) => (count === 1 ? number(median) : `${number(median)} (${number(min)}–${number(max)})`);

export const percent = (share) => `${number(share * 100)} %`;

export const kilobytes = (bytes) => `${number(bytes / 1000)} kB`;
