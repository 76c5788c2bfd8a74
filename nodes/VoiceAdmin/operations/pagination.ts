import type { IDataObject } from 'n8n-workflow';

import type { ReadParameter } from '../execution/itemParameters';
import { isObjectOrArray } from '../json';
import { isBlank } from '../parameters/invisibleCharacters';
import { boolean, integerBetween } from '../parameters/scalars';
import type { ApiRequest } from '../transport/apiRequest';
import type { Field, Pagination } from './operation';

const parseLimit = integerBetween(1, Number.MAX_SAFE_INTEGER, 'Enter a whole number, e.g. 50');

const LIMIT: Field = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 50,
	description: 'Max number of results to return',
	displayOptions: { show: { returnAll: [false] } },
};

/** n8n's fields of an operation that returns a list. */
export const LIST_FIELDS: Field[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	LIMIT,
];

/** The maximum number of results that an item asks for; Infinity for all. @throws InvalidParameterError */
export function limitOf(read: ReadParameter): number {
	const [returnAll, limit] = [read('returnAll'), read('limit')];
	if (!isBlank(returnAll) && boolean('Return All', returnAll)) return Infinity;
	return parseLimit('Limit', isBlank(limit) ? LIMIT.default : limit);
}

/** The request for the first page of a list, which gives those for the others. @param limit maximum number of results */
export function firstPage(request: ApiRequest, { size, page }: Pagination, limit: number): ApiRequest {
	const pageRequest = (position: IDataObject, nth: number): ApiRequest => ({
		...request,
		query: { ...request.query, [size.property]: Math.max(size.min ?? 0, Math.min(limit, size.max)), ...position },
		page: {
			isLater: nth > 1,
			mayNotExist: nth > 1 && page.type !== 'cursor',
			limit,
			next: (count, length, body) => {
				// Only a cursor tells that others follow an empty page.
				if (length === 0 && page.type !== 'cursor') return undefined;
				const next =
					page.type === 'cursor' ? valueAt(body, page.cursor) : page.first + (page.type === 'offset' ? count : nth);
				return isBlank(next) ? undefined : pageRequest({ [page.property]: next as string | number }, nth + 1);
			},
		},
	});
	return pageRequest({}, 1);
}

function valueAt(body: unknown, path: string): unknown {
	return path.split('.').reduce((value, name) => (isObjectOrArray(value) ? value[name] : undefined), body);
}
