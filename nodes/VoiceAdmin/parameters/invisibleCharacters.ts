/** Characters that nobody sees: Unicode's format characters, as zero-width spaces, direction marks and byte order marks. */
const INVISIBLE = /\p{Cf}/gu;

/** A value that is copied from a web page or read from a file may have these. @returns the text as a person sees it */
export function visibleText(text: string): string {
	return text.replace(INVISIBLE, '').trim();
}

/** Writes what nobody sees, or takes for a space, as an escape: `\u200b`. */
export function escapeInvisible(text: string): string {
	const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
	// Without the flag "u", so that a character beyond U+FFFF becomes the two escapes that JSON has for it.
	return text.replace(/\p{Cf}|(?! )\p{Zs}/gu, (character) => character.replace(/[^]/g, escaped));
}

/** Whether a value counts as "nothing given": what an empty field or a spreadsheet cell without a visible character becomes. */
export function isBlank(value: unknown): value is undefined | null | '' {
	return value === undefined || value === null || (typeof value === 'string' && /^[\s\p{Cf}]*$/u.test(value));
}
