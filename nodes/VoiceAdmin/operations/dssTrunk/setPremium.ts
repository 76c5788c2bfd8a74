import { COUNTRY_CODES_PATTERN, countryCodes } from '../../parameters/countryCodes';
import { integerId } from '../../parameters/identifier';
import { text } from '../../parameters/scalars';
import type { Operation } from '../operation';

/** A numeric ID. Its default is not 0: that would hide the placeholder, and send a forgotten field as trunk 0. n8n 2.8 turns '' into 0. */
const ID_FIELD = { type: 'number', typeOptions: { numberPrecision: 0 }, default: null, parse: integerId } as const;

/** TrunkCountryRequest of the API; answered with 204 and no body. */
export const setPremiumDssTrunk: Operation = {
	option: {
		name: 'Set Premium',
		value: 'setPremium',
		action: 'Enable premium traffic on a VoIP DSS trunk',
		description: 'Enable premium traffic to one or more countries on a trunk. Premium traffic may be billed.',
		routing: { request: { method: 'PUT', url: '/v1/voip/dss/trunk/country/setpremium' } },
	},
	label: ({ idTrunk, iso }) => `trunk ${String(idTrunk)}, country ${String(iso)}`,
	toolDescription:
		"Enables premium traffic to one or more countries on a VoIP DSS trunk. Premium traffic may be billed, and the API's documentation shows no way to turn it off: use this tool only for a trunk and countries that the user has named. The response has an entry for each country: never call this again for a trunk and country that succeeded. If an error says that the request may have been carried out, tell the user, and don't call this again unless they ask.",
	notice: {
		workflow:
			"Each item enables premium traffic, even with Execute step. Premium traffic may be billed, and the API's documentation shows no way to turn it off. To check the items first, add the option Dry Run. What is sent twice may be billed twice: add the option Max Retries and set it to 0, keep Retry On Fail off, don't retry the execution, and remove what's already done from a new execution's input.",
		agent:
			"Premium traffic may be billed, and the API's documentation shows no way to turn it off. A resent request may be billed again: to avoid that, add the option Max Retries and set it to 0, keep the agent's Retry On Fail off, and don't retry the execution in the Executions list. Leave an optional field to the model only if it always has a value: n8n makes such fields required.",
	},
	fields: [
		{
			displayName: 'Trunk ID',
			name: 'idTrunk',
			...ID_FIELD,
			required: true,
			placeholder: 'e.g. 1001',
			description: 'ID of the VoIP DSS trunk',
			routing: { send: { type: 'body', property: 'idTrunk' } },
		},
		{
			displayName: 'Country',
			name: 'iso',
			type: 'resourceLocator',
			required: true,
			default: { mode: 'list', value: '' },
			description:
				'Countries to enable premium traffic to: ISO 3166-1 codes of two or three letters or three digits (no dialing prefixes), separated by commas',
			routing: { send: { type: 'body', property: 'iso' } },
			fanOut: true,
			parse: countryCodes,
			modes: [
				{
					displayName: 'From List',
					name: 'list',
					type: 'list',
					placeholder: 'Choose a country...',
					hint: 'For several countries, switch to By Code',
					typeOptions: { searchListMethod: 'searchCountries', searchable: true },
				},
				{
					displayName: 'By Code',
					name: 'code',
					type: 'string',
					placeholder: 'e.g. IT, FR',
					hint: 'ISO codes, separated by commas. Not dialing prefixes: 380 is Italy, not Ukraine',
					// n8n marks a value that doesn't match, and doesn't start the workflow. `countryCodes` checks the values of expressions.
					validation: [
						{
							type: 'regex',
							properties: {
								regex: COUNTRY_CODES_PATTERN,
								errorMessage:
									'Enter ISO country codes, not dialing prefixes: two or three letters or three digits, separated by commas',
							},
						},
					],
				},
			],
		},
	],
	additionalFields: [
		{
			displayName: 'Organization ID',
			name: 'organizationId',
			...ID_FIELD,
			placeholder: 'e.g. 10',
			description: 'ID of the organization',
			routing: { send: { type: 'body', property: 'organizationId' } },
		},
		{
			displayName: 'Premium Available',
			name: 'premiumAvailable',
			type: 'string',
			default: '',
			description:
				'Sent unchanged as premium_available. The API documents neither its values nor its effect. Enter only a value you were given.',
			routing: { send: { type: 'body', property: 'premium_available' } },
			parse: text,
		},
		{
			displayName: 'Session Border Controller ID',
			name: 'sbcId',
			...ID_FIELD,
			placeholder: 'e.g. 3',
			description: 'ID of the session border controller (SBC)',
			routing: { send: { type: 'body', property: 'sbcId' } },
		},
	],
};
