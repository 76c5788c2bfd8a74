import type { IDataObject } from 'n8n-workflow';

import { InvalidParameterError } from '../invalidParameterError';
import { isBlank } from '../invisibleCharacters';
import { ACCEPTED, checkVatNumber, vatNumber } from './vatNumber';
import { vatNumberKey } from './vatNumberKey';

/** The API's field, then its two legacy aliases, which the service accepts as well. */
const VAT_NUMBER_PROPERTIES = ['vatNumber', 'pIva', 'piva'];

/**
 * Merges the VAT number of a customer (undefined for none) with its other fields, which may contain it under its name or an
 * alias. Of several spellings of one number, the first is sent.
 * @throws InvalidParameterError when there is none, when two that differ are given, and for one that is not valid
 */
export function mergeVatNumber(
	given: string | undefined,
	otherFields: IDataObject,
	validate: boolean,
): { vatNumber: string } & IDataObject {
	const checked = (name: string, value: string) => ({ name, value: validate ? checkVatNumber(name, value) : value });
	const candidates = given === undefined ? [] : [checked('VAT Number', given)];
	const rest = Object.entries(otherFields).filter(([property, value]) => {
		if (!VAT_NUMBER_PROPERTIES.includes(property)) return true;
		const name = `Other Fields → ${property}`;
		if (!isBlank(value)) candidates.push(checked(name, vatNumber(name, value)));
		return false;
	});
	const [first, ...others] = candidates;
	if (!first) throw new InvalidParameterError('VAT Number', undefined, ACCEPTED);
	const conflict = others.find(({ value }) => vatNumberKey(value) !== vatNumberKey(first.value));
	if (conflict) {
		const accepted = `'${first.name}' is already ${JSON.stringify(first.value)}. Enter one VAT number, in one place`;
		throw new InvalidParameterError(conflict.name, conflict.value, accepted);
	}
	return { vatNumber: first.value, ...(Object.fromEntries(rest) as IDataObject) };
}
