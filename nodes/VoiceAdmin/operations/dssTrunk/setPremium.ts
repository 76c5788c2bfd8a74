import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { integer } from '../../parameters/integer';
import { isoCodes } from '../../parameters/countryCodes';
import { isBlank, Refusal } from '../../parameters/invalidParameterError';
import type { ApiRequest, ReadParameter } from '../../transport/http/request';
import { route } from '../../transport/route';
import { notice } from '../notice';
import { options } from '../options';
import { showFor } from '../showFor';
import { toolDescription } from '../toolDescription';

/** Body of the request: TrunkCountryRequest of the API. */
interface TrunkCountryRequest extends IDataObject {
	idTrunk: number;
	iso: string;
	organizationId?: number;
	sbcId?: number;
	premium_available?: string;
}

/** `PUT /v1/voip/dss/trunk/country/setpremium`, answered with 204 and no body. */
export const setPremium: INodePropertyOptions = {
	name: 'Set Premium',
	value: 'setPremium',
	action: 'Set premium for a VoIP DSS trunk',
	description: 'Enable premium traffic to one or more countries on a trunk. Premium traffic costs money.',
	routing: route('PUT', '/v1/voip/dss/trunk/country/setpremium', build),
};

export const setPremiumFields = showFor('dssTrunk', 'setPremium', [
	toolDescription(
		'Enables premium traffic to one or more countries on a VoIP DSS trunk. Premium traffic costs money, and this tool cannot turn it off again: use it only for a trunk and countries that the user has named. Trunk ID: number of the trunk. Country: ISO codes of the countries, of two or three letters or three digits, several separated by commas, e.g. IT, FR. Where asked for, Organization ID: number of the organization that the trunk belongs to; Premium Available: premium traffic availability value; Session Border Controller ID: number of the session border controller. The reply has an entry for each country.',
	),
	...notice(
		'Premium traffic costs money, for every trunk and country that this node is given',
		'Premium traffic costs money, and a model decides when to call this tool: have a person approve each call, by a human review step between the agent and this tool',
	),
	{
		displayName: 'Trunk ID',
		name: 'idTrunk',
		type: 'number',
		typeOptions: { numberPrecision: 0 },
		required: true,
		// Not 0: it would hide the placeholder, and a forgotten field would be sent as trunk 0. Of '', n8n 2.8 makes 0.
		default: null,
		placeholder: 'e.g. 1001',
		description: 'Number of the VoIP DSS trunk, as the service shows it',
	},
	{
		displayName: 'Country',
		name: 'iso',
		type: 'resourceLocator',
		required: true,
		default: { mode: 'list', value: '' },
		description: 'Country whose traffic becomes premium: an ISO code of two or three letters or three digits. Several countries give one output item each.',
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
				hint: 'Separate several countries with commas',
			},
		],
	},
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: [
			{
				displayName: 'Organization ID',
				name: 'organizationId',
				type: 'number',
				typeOptions: { numberPrecision: 0 },
				default: null,
				placeholder: 'e.g. 10',
				description: 'Number of the organization that the trunk belongs to',
			},
			{
				displayName: 'Premium Available',
				name: 'premiumAvailable',
				type: 'string',
				default: '',
				description: 'Premium traffic availability value. The API does not document which values it accepts; it is sent as it is.',
			},
			{
				displayName: 'Session Border Controller ID',
				name: 'sbcId',
				type: 'number',
				typeOptions: { numberPrecision: 0 },
				default: null,
				placeholder: 'e.g. 3',
				description: 'Number of the session border controller (SBC)',
			},
		],
	},
	options(),
] as INodeProperties[]);

function build(read: ReadParameter): ApiRequest[] {
	const idTrunk = integer('Trunk ID', read('idTrunk'));
	const codes = isoCodes('Country', read('iso'));
	const additional = (read('additionalFields') ?? {}) as IDataObject;
	const optional: Omit<TrunkCountryRequest, 'idTrunk' | 'iso'> = {};
	if (!isBlank(additional.organizationId)) {
		optional.organizationId = integer('Organization ID', additional.organizationId);
	}
	if (!isBlank(additional.sbcId)) {
		optional.sbcId = integer('Session Border Controller ID', additional.sbcId);
	}
	if (!isBlank(additional.premiumAvailable)) {
		optional.premium_available = premiumValue(additional.premiumAvailable);
	}
	return codes.map((iso) => {
		const body: TrunkCountryRequest = { idTrunk, iso, ...optional };
		return { body, sent: body, label: `Country ${iso} of trunk ${idTrunk}` };
	});
}

function premiumValue(given: unknown): string {
	if (typeof given === 'string') return given;
	if (typeof given === 'number' || typeof given === 'boolean') return String(given);
	throw new Refusal('Premium Available', given, 'Give a text');
}
