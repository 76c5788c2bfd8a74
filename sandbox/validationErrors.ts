import type { ValidationResult } from 'openapi-backend';

import type { ValidationError } from './apiError';

type SchemaError = NonNullable<ValidationResult['errors']>[number];

/**
 * The list form of the API's `errors` from what the validation of a request found: one entry for each field, in the
 * words of someone who knows the API and not the schema.
 */
export function validationErrors(schemaErrors: SchemaError[]): ValidationError[] {
	const entries = schemaErrors.map((error) => ({ field: fieldOf(error), message: messageOf(error) }));
	return entries.filter(({ field }, index) => entries.findIndex((entry) => entry.field === field) === index);
}

/** The field as the client knows it: `idTrunk`, not `/requestBody/idTrunk`; `body` for the body as a whole. */
function fieldOf({ instancePath, keyword, params }: SchemaError): string {
	const names = instancePath.split('/').slice(2);
	if (keyword === 'required') names.push(params.missingProperty);
	if (keyword === 'additionalProperties') names.push(params.additionalProperty);
	const field = names.filter((name) => name !== 'requestBody').join('.');
	return field === '' ? 'body' : field;
}

function messageOf({ keyword, message, parentSchema }: SchemaError): string {
	// openapi.yaml gives the sentence where that of the keyword would show a regular expression or the like
	if (typeof parentSchema?.['x-refusal'] === 'string') return parentSchema['x-refusal'];
	if (keyword === 'required') return 'is required';
	if (keyword === 'additionalProperties') return 'is not known';
	return message ?? 'is not valid';
}
