// Parsers that no operation of today needs: the first operation that does brings its parser along, to the file of this name in
// nodes/VoiceAdmin/parameters.
import { InvalidParameterError } from '../../../nodes/VoiceAdmin/parameters/invalidParameterError';
import { visibleText } from '../../../nodes/VoiceAdmin/parameters/invisible';

/** A parser of numbers, whole or not, negative or not, given as a number or, as spreadsheets do, in ASCII digits. */
export function numberWithin({ min = -Infinity, max = Infinity, whole = false }: { min?: number; max?: number; whole?: boolean }) {
	return (parameter: string, given: unknown): number => {
		const text = typeof given === 'string' ? visibleText(given) : '';
		const value = /^-?[0-9]+(?:\.[0-9]+)?$/.test(text) ? Number(text) : given;
		const isExact =
			typeof value === 'number' && (Number.isSafeInteger(value) || (!whole && Number.isFinite(value) && Math.abs(value) < 2 ** 53));
		if (isExact && value >= min && value <= max) return value;
		const bounds = [...(min > -Infinity ? [`at least ${min}`] : []), ...(max < Infinity ? [`at most ${max}`] : [])].join(' and ');
		throw new InvalidParameterError(parameter, given, `Enter a ${whole ? 'whole ' : ''}number${bounds && ` of ${bounds}`}`);
	};
}

/** A parser of values that the API lists. */
export function oneOf(...values: Array<string | number>) {
	return (parameter: string, given: unknown): string | number => {
		const text = typeof given === 'string' ? visibleText(given) : given;
		const value = values.find((each) => String(each) === String(text));
		if (value !== undefined) return value;
		throw new InvalidParameterError(
			parameter,
			given,
			`Enter one of: ${values.slice(0, 20).join(', ')}${values.length > 20 ? ', …' : ''}`,
		);
	};
}

/** Parses a day, given as text or, by an expression, as a date: `2026-01-31`. @throws InvalidParameterError */
export function date(parameter: string, given: unknown): string {
	const day = /^\d{4}-\d\d-\d\d(?=$|[T ])/.exec(isoText(given))?.[0];
	const time = day === undefined ? NaN : Date.parse(day);
	if (day !== undefined && !Number.isNaN(time) && new Date(time).toISOString().startsWith(day)) return day;
	throw new InvalidParameterError(parameter, given, 'Enter a date, e.g. 2026-01-31');
}

/** Parses a moment, given as text or, by an expression, as a date: `2026-01-31T09:30:00Z`. @throws InvalidParameterError */
export function dateTime(parameter: string, given: unknown): string {
	const text = isoText(given);
	const isDay = new Date(`${text.slice(0, 10)}T00:00Z`).toJSON()?.startsWith(text.slice(0, 10));
	if (isDay && /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text)))
		return text;
	throw new InvalidParameterError(parameter, given, 'Enter a date and time with its time zone, e.g. 2026-01-31T09:30:00Z');
}

/** An expression gives a Date of JavaScript or a DateTime of Luxon, which JSON writes alike. */
export function isoText(given: unknown): string {
	if (typeof given === 'string') return visibleText(given);
	return given instanceof Date || (typeof given === 'object' && given !== null && 'toISO' in given)
		? String(JSON.parse(JSON.stringify(given)))
		: '';
}

/** A parser of lists, given as a list, as JSON, or as text separated by commas; `parse` checks each value. */
export function listOf(parse: (parameter: string, given: unknown) => unknown) {
	return (parameter: string, given: unknown): unknown[] => {
		const text = typeof given === 'string' ? visibleText(given) : '';
		const separated = text.split(',').map((each) => each.trim());
		let values: unknown = typeof given === 'string' ? separated.filter((each) => each !== '') : given;
		try {
			if (text.startsWith('[')) values = JSON.parse(text);
		} catch {
			values = undefined;
		}
		if (values === undefined) throw new InvalidParameterError(parameter, given, 'Enter values separated by commas');
		return (Array.isArray(values) ? values : [values]).map((value) => parse(parameter, value));
	};
}
