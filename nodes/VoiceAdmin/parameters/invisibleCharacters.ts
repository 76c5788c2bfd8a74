/** Unicode's format characters, such as zero-width spaces, direction marks and byte order marks. */
const INVISIBLE = /\p{Cf}/gu;

const INVISIBLE_OR_UNUSUAL = /\p{Cf}|(?! )\p{Zs}/gu;

/** Trims a text and removes invisible characters, which copied values and files may contain. */
export function visibleText(text: string): string {
	return text.replace(INVISIBLE, '').trim();
}

/** Escapes invisible characters and unusual spaces: `\u200b`. */
export function escapeInvisible(text: string): string {
	const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
	// Without the flag "u", so that a character beyond U+FFFF becomes two escapes, as in JSON.
	return text.replace(INVISIBLE_OR_UNUSUAL, (character) => character.replace(/[^]/g, escaped));
}

/** Whether a value counts as empty: nothing, or text without a visible character, as of a field or a spreadsheet cell. */
export function isBlank(value: unknown): value is undefined | null | '' {
	return value === undefined || value === null || (typeof value === 'string' && /^[\s\p{Cf}]*$/u.test(value));
}
