import type { IDataObject } from 'n8n-workflow';

import { isObject, isObjectOrArray } from '../json';
import { InvalidParameterError } from './invalidParameterError';
import { isBlank } from './invisibleCharacters';
import { jsonObject } from './jsonObject';

/**
 * Parses n8n's list of names and values, `{ fields: [{ name, value }] }`, to an object; skips rows without a value.
 * @throws InvalidParameterError for a value without a name, a repeated name, and a value that JSON can't represent
 */
export function namedValues(parameter: string, given: unknown): IDataObject {
	const { fields = [], ...others } = (isBlank(given) ? {} : isObject(given) ? given : { given }) as {
		fields?: unknown;
	};
	const isList = Object.keys(others).length === 0 && Array.isArray(fields) && fields.every(isObjectOrArray);
	if (!isList)
		throw new InvalidParameterError(
			parameter,
			given,
			'Enter a list of names and values: { "fields": [{ "name": …, "value": … }] }',
		);
	const values = new Map<string, unknown>();
	for (const { name, value } of fields as Array<{ name?: unknown; value?: unknown }>) {
		if (isBlank(value)) continue;
		if (typeof name !== 'string' || isBlank(name))
			throw new InvalidParameterError(`${parameter} → Name`, name, 'Enter the name of the field');
		if (values.has(name.trim()))
			throw new InvalidParameterError(`${parameter} → Name`, name.trim(), 'Enter each name once');
		values.set(name.trim(), value);
	}
	return jsonObject(parameter, Object.fromEntries(values));
}
