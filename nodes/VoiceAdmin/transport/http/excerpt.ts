import { LONGEST_WRITING, redact, type Secrets } from './redact';

/** Of a text that came from outside no more is looked at than this and a secret's length, in characters: it may be 20 MB. */
const LOOKED_AT = 4_000;

/** Makes a text that came from outside fit for a message: without secrets, and no longer than `length`. */
export type Excerpt = (text: string, length: number) => string;

/**
 * @param tokens access tokens that were sent, beside the credential's own
 */
export function excerptWithout(secrets: Secrets, ...tokens: string[]): Excerpt {
	const longest = LONGEST_WRITING * Math.max(...[secrets.clientSecret, secrets.accessToken, ...tokens].map(({ length }) => length));
	return (text, length) => {
		const isLong = text.length > LOOKED_AT + longest;
		const redacted = redact(text.slice(0, LOOKED_AT + longest).trim(), secrets, ...tokens);
		// The beginning of a secret at the end of what was looked at is not recognised.
		const shown = isLong ? redacted.slice(0, Math.max(0, redacted.length - longest)) : redacted;
		if (shown.length <= length && !isLong) return shown;
		return `${shown.slice(0, length).trimEnd()} … (${text.length} characters)`;
	};
}
