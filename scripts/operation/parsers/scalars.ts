// Parsers that no operation uses yet. npm run operation copies one into the file of this name in nodes/VoiceAdmin/parameters when
// it writes the first operation that does.
import { InvalidParameterError } from '../../../nodes/VoiceAdmin/parameters/invalidParameterError';
import { visibleText } from '../../../nodes/VoiceAdmin/parameters/invisibleCharacters';

/** A parser of numbers, given as a number or, as from spreadsheets, as text in ASCII digits. They may be negative or fractional. */
export function numberWithin({
	min = -Infinity,
	max = Infinity,
	whole = false,
}: {
	min?: number;
	max?: number;
	whole?: boolean;
}) {
	return (parameter: string, given: unknown): number => {
		const text = typeof given === 'string' ? visibleText(given) : '';
		const value = /^-?[0-9]+(?:\.[0-9]+)?$/.test(text) ? Number(text) : given;
		const isExact =
			typeof value === 'number' &&
			(Number.isSafeInteger(value) || (!whole && Number.isFinite(value) && Math.abs(value) < 2 ** 53));
		if (isExact && value >= min && value <= max) return value;
		const bounds = [
			...(min > -Infinity ? [`at least ${min}`] : []),
			...(max < Infinity ? [`at most ${max}`] : []),
		].join(' and ');
		throw new InvalidParameterError(
			parameter,
			given,
			`Enter a ${whole ? 'whole ' : ''}number${bounds && ` of ${bounds}`}`,
		);
	};
}

/** A parser of enum values. */
export function oneOf(...values: Array<string | number>) {
	return (parameter: string, given: unknown): string | number => {
		const text = visibleText(String(given));
		const value = values.find((each) => String(each) === text);
		if (value !== undefined) return value;
		const listed = [...values.slice(0, 20), ...(values.length > 20 ? ['…'] : [])].join(', ');
		throw new InvalidParameterError(parameter, given, `Enter one of: ${listed}`);
	};
}

/** A parser of dates, with or without a time, given as text or, by an expression, as a JavaScript Date or a Luxon DateTime. */
export function dateOf({ withTime = false } = {}) {
	return (parameter: string, given: unknown): string => {
		const text = typeof given === 'string' ? visibleText(given) : String((given as Partial<Date> | null)?.toJSON?.());
		const day = text.slice(0, 10);
		const isDay = /^\d{4}(?:-\d\d){2}$/.test(day) && new Date(`${day}T00:00Z`).toJSON()?.startsWith(day);
		const time = withTime ? /^T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/ : /^(?:$|[T ])/;
		if (isDay && time.test(text.slice(10)) && (!withTime || !Number.isNaN(Date.parse(text))))
			return withTime ? text : day;
		const example = withTime ? 'date and time with its time zone, e.g. 2026-01-31T09:30:00Z' : 'date, e.g. 2026-01-31';
		throw new InvalidParameterError(parameter, given, `Enter a ${example}`);
	};
}

/** A parser of lists, given as an array, as JSON, or as text separated by commas; `parse` checks each value. */
export function listOf(parse: (parameter: string, given: unknown) => unknown) {
	return (parameter: string, given: unknown): unknown[] => {
		const text = typeof given === 'string' ? visibleText(given) : '';
		const separated = text.split(',').flatMap((each) => each.trim() || []);
		try {
			const values: unknown = text.startsWith('[') ? JSON.parse(text) : typeof given === 'string' ? separated : given;
			return [values].flat().map((value) => parse(parameter, value));
		} catch (error) {
			throw error instanceof SyntaxError
				? new InvalidParameterError(parameter, given, 'Enter values separated by commas')
				: error;
		}
	};
}

/** Joins the values of a parser of lists with commas. */
export function commaSeparated(parse: (parameter: string, given: unknown) => unknown[]) {
	return (parameter: string, given: unknown): string => parse(parameter, given).join(',');
}
