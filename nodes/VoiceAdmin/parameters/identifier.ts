import { InvalidParameterError } from './invalidParameterError';
import { isBlank, visibleText } from './invisibleCharacters';
import { integer } from './scalars';

const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Parses an identifier for a path; trims white space and removes invisible characters.
 * @throws InvalidParameterError if empty, for `.` and `..` (which would change the path), and for ill-formed Unicode (which can't be
 * percent-encoded)
 */
export function identifier(parameter: string, given: unknown): string | number {
	if (typeof given === 'number' && Number.isSafeInteger(given)) return given;
	const id = typeof given === 'string' ? visibleText(given) : undefined;
	if (isBlank(id) || id === '.' || id === '..' || LONE_SURROGATE.test(id)) {
		throw new InvalidParameterError(parameter, given, 'Enter the ID as your provider shows it');
	}
	return id;
}

/**
 * Parses a numeric ID. Rejects the number 0, which `Number('')` returns for an empty cell; an ID that is 0 can be given as text.
 * @throws InvalidParameterError
 */
export function integerId(parameter: string, given: unknown): number {
	if (given === 0)
		throw new InvalidParameterError(
			parameter,
			given,
			'Enter the ID: an expression such as Number("") turns an empty cell into 0. If the ID is 0, use the expression {{ "0" }}',
		);
	return integer(parameter, given);
}
