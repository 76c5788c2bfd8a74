import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { boolean } from '../../parameters/boolean';
import { jsonObject } from '../../parameters/jsonObject';
import { checkItalianVatNumber, takeVatNumber } from '../../parameters/vatNumber';
import type { ApiRequest, ReadParameter } from '../../transport/http/request';
import { route } from '../../transport/route';
import { notice } from '../notice';
import { options } from '../options';
import { showFor } from '../showFor';
import { toolDescription } from '../toolDescription';

/** `POST /v1/customers/add`; what the service answers is not documented. */
export const add: INodePropertyOptions = {
	name: 'Add',
	value: 'add',
	action: 'Add a customer',
	description: 'Create a customer record. This API has no way to change or delete it again.',
	routing: route('POST', '/v1/customers/add', build),
};

export const addFields = showFor('customer', 'add', [
	toolDescription(
		'Creates a customer record. There is no undo: this API has no way to change or delete a customer. Call this once for each customer, with what the user has given, and do not call it again for a customer after an error that says that the customer may have been created. VAT Number: VAT number (partita IVA) of the customer, e.g. IT12345678903. Where asked for, Other Fields: further fields of the customer record, as a JSON object, e.g. { "name": "Example S.p.A." }.',
	),
	...notice(
		'A customer can\'t be changed or deleted through this API: each item makes a record that stays',
		'A customer can\'t be changed or deleted through this API, and a model decides when to call this tool: have a person approve each call, by a human review step between the agent and this tool',
	),
	{
		displayName: 'VAT Number',
		name: 'vatNumber',
		type: 'string',
		default: '',
		placeholder: 'e.g. IT12345678903',
		hint: 'Required, here or in Other Fields',
		description: 'VAT number (partita IVA) of the customer',
	},
	{
		displayName: 'Other Fields',
		name: 'otherFields',
		type: 'json',
		default: '{}',
		hint: 'A JSON object, e.g. { "name": "Example S.p.A." }',
		description: 'Further fields of the customer record, as a JSON object. The API does not document which it knows; they are sent as they are.',
	},
	options({
		displayName: 'Validate VAT Number',
		name: 'validateVatNumber',
		type: 'boolean',
		default: false,
		description: 'Whether to refuse an Italian VAT number (11 digits, with or without IT) whose check digit is wrong. Other values pass.',
	}),
] as INodeProperties[]);

function build(read: ReadParameter): ApiRequest[] {
	const { vatNumber, rest } = takeVatNumber(
		'VAT Number',
		read('vatNumber'),
		jsonObject('Other Fields', read('otherFields')),
	);
	const { validateVatNumber } = (read('options') ?? {}) as { validateVatNumber?: unknown };
	if (boolean('Validate VAT Number', validateVatNumber)) checkItalianVatNumber('VAT Number', vatNumber);
	const body: IDataObject = { vatNumber, ...rest };
	return [{ body, sent: body, creates: `customer with VAT number ${vatNumber}` }];
}
