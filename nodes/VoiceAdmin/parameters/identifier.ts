import { InvalidParameterError } from './invalidParameterError';
import { isBlank, visibleText } from './invisibleCharacters';
import { integer } from './scalars';

/** Half of a surrogate pair, which is no character. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Parses an identifier that goes into a path, without the white space around it and the characters that nobody sees.
 * @throws InvalidParameterError for nothing, for `.` and `..` (which would change the path), and for text that is not
 * well-formed Unicode (which cannot be percent-encoded)
 */
export function identifier(parameter: string, given: unknown): string | number {
	if (typeof given === 'number' && Number.isSafeInteger(given)) return given;
	const id = typeof given === 'string' ? visibleText(given) : undefined;
	if (isBlank(id) || id === '.' || id === '..' || LONE_SURROGATE.test(id)) {
		throw new InvalidParameterError(parameter, given, 'Enter the ID as your provider shows it, e.g. 12');
	}
	return id;
}

/**
 * Parses an ID that is sent as a whole number, as {@link integer} does. The number 0 is what an expression such as
 * `Number('')` makes of an empty cell; an ID that is 0 can be given as text. @throws InvalidParameterError
 */
export function integerId(parameter: string, given: unknown): number {
	if (given === 0) throw new InvalidParameterError(parameter, given, 'An expression such as Number("") turns an empty cell into 0. If the ID is 0, use the expression {{ "0" }}');
	return integer(parameter, given);
}
