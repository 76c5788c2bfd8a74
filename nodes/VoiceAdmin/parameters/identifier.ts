import { InvalidParameterError, isBlank } from './invalidParameterError';
import { visibleText } from './invisible';

/** Half of a surrogate pair, which is no character. */
const HALF_PAIR = /\p{Surrogate}/u;

/**
 * Parses an identifier that goes into a path, without the white space around it and the characters that nobody sees.
 * @throws InvalidParameterError for nothing, for `.` and `..` (which would change the path), and for text that is not
 * well-formed Unicode (which cannot be percent-encoded)
 */
export function identifier(parameter: string, given: unknown): string | number {
	if (typeof given === 'number' && Number.isSafeInteger(given)) return given;
	const id = typeof given === 'string' ? visibleText(given) : undefined;
	if (isBlank(id) || id === '.' || id === '..' || HALF_PAIR.test(id)) {
		throw new InvalidParameterError(parameter, given, 'Enter the ID as your provider shows it, e.g. 12');
	}
	return id;
}
