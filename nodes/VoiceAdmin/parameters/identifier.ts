import { isBlank, Refusal } from './invalidParameterError';

/** Half of a surrogate pair, which is no character. */
const HALF_PAIR = /\p{Surrogate}/u;

/**
 * Makes one percent-encoded path segment of an identifier, with its leading slash; what arrives decodes to exactly
 * what was given, without the white space around it.
 *
 * @throws Refusal for nothing, for `.` and `..` (which would change the path), and for text that is
 * not well-formed Unicode (which cannot be encoded)
 */
export function pathSegment(parameter: string, given: unknown): string {
	const accepted = 'Give the identifier as the service shows it, e.g. 12';
	const id = typeof given === 'number' && Number.isSafeInteger(given) ? String(given) : trimmed(given);
	if (isBlank(id) || typeof id !== 'string' || id === '.' || id === '..' || HALF_PAIR.test(id)) {
		throw new Refusal(parameter, given, accepted);
	}
	return `/${encodeURIComponent(id)}`;
}

/** Without white space around it: an identifier with a space at its end looks right, and is nobody's. */
export function trimmed(given: unknown): unknown {
	return typeof given === 'string' ? given.trim() : given;
}
