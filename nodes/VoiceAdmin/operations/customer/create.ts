import { boolean } from '../../parameters/scalars';
import { jsonObject } from '../../parameters/jsonObject';
import { namedValues } from '../../parameters/namedValues';
import { mergeVatNumber } from '../../parameters/vatNumber/mergeVatNumber';
import { vatNumber } from '../../parameters/vatNumber/vatNumber';
import { vatNumberKey } from '../../parameters/vatNumber/vatNumberKey';
import type { Operation } from '../operation';

const OTHER_FIELDS_DESCRIPTION =
	"More fields of the customer record, sent unchanged. The API doesn't document which it accepts. vatNumber, pIva and piva count as VAT Number.";

/** What the service answers is not documented. */
export const createCustomer: Operation = {
	option: {
		name: 'Create',
		value: 'add',
		action: 'Create a customer',
		description: 'Create a customer record. The documented API has no way to change or delete it.',
		routing: { request: { method: 'POST', url: '/v1/customers/add' } },
	},
	deduplicationKey: (fields) => vatNumberKey(String(fields.vatNumber)),
	creates: (fields) => `customer with VAT number ${String(fields.vatNumber)}`,
	toolDescription:
		"Creates a customer record. The documented API has no way to change or delete a customer, so treat each call as final. Call this once per customer, using only the details that the user gave. If an error says that the customer may already exist, don't call this again for that customer.",
	notice: {
		workflow:
			'Each item creates a customer record, even with Execute step, and the documented API has no way to change or delete it. A new execution creates all of them again. To check the items first, add the option Dry Run. In Settings, set On Error to Continue (using error output): otherwise, one failed item hides the output of the customers that were created.',
		agent:
			"The documented API has no way to change or delete a customer, and another call creates it again: keep the agent's Retry On Fail off, and don't retry the execution in the Executions list.",
	},
	fields: [
		{
			displayName: 'VAT Number',
			name: 'vatNumber',
			type: 'string',
			default: '',
			placeholder: 'e.g. IT12345678903',
			hint: 'Required unless Other Fields contains it',
			description:
				"VAT number (partita IVA) of the customer: 11 digits for Italy, with or without IT, or another country's two letters and its number",
			routing: { send: { type: 'body', property: 'vatNumber' } },
			parse: vatNumber,
		},
		{
			displayName: 'Specify Other Fields',
			name: 'specifyOtherFields',
			type: 'options',
			// With an expression, n8n would show and send both fields.
			noDataExpression: true,
			options: [
				{ name: 'Using Fields Below', value: 'keypair' },
				{ name: 'Using JSON', value: 'json' },
			],
			default: 'keypair',
			description: 'How to enter the other fields of the customer record',
		},
		{
			displayName: 'Other Fields',
			name: 'otherFields',
			type: 'json',
			default: '{}',
			hint: 'A JSON object, e.g. { "name": "Example S.p.A." }',
			description: OTHER_FIELDS_DESCRIPTION,
			displayOptions: { show: { specifyOtherFields: ['json'] } },
			spread: true,
			parse: jsonObject,
		},
		{
			displayName: 'Other Fields',
			name: 'otherFieldsList',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			placeholder: 'Add Field',
			default: {},
			options: [
				{
					displayName: 'Field',
					name: 'fields',
					values: [
						{
							displayName: 'Name',
							name: 'name',
							type: 'string',
							default: '',
							placeholder: 'e.g. city',
							description: 'Name of the field in the API',
						},
						{
							displayName: 'Value',
							name: 'value',
							type: 'string',
							default: '',
							placeholder: 'e.g. Milano',
							description:
								"Value of the field. A row without one isn't sent. Use an expression to send a number or an object.",
						},
					],
				},
			],
			description: OTHER_FIELDS_DESCRIPTION,
			displayOptions: { show: { specifyOtherFields: ['keypair'] } },
			spread: true,
			parse: namedValues,
		},
	],
	additionalOptions: [
		{
			displayName: 'Allow Duplicate VAT Numbers',
			name: 'allowDuplicates',
			type: 'boolean',
			default: false,
			description:
				"Whether several items of a run may have the same VAT number. If off, that's an error. Earlier executions aren't compared.",
			parse: boolean,
		},
		{
			displayName: 'Validate VAT Number',
			name: 'validateVatNumber',
			type: 'boolean',
			default: true,
			description:
				'Whether to reject invalid VAT numbers. If a valid one is rejected, send that item alone with this off: it applies to all items.',
			parse: boolean,
		},
	],
	buildBody: ({ body, spread, options }) =>
		mergeVatNumber(body.vatNumber as string | undefined, spread, options.validateVatNumber as boolean),
};
