import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { integer } from '../../parameters/integer';
import { isoCodes } from '../../parameters/isoCodes';
import { isBlank, Refusal } from '../../parameters/refusal';
import type { ApiRequest, ReadParameter } from '../../transport/request';
import { route } from '../../transport/route';
import { options } from '../options';
import { showFor } from '../showFor';

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
	{
		displayName: 'Trunk ID',
		name: 'idTrunk',
		type: 'number',
		typeOptions: { numberPrecision: 0 },
		required: true,
		default: 0,
		placeholder: 'e.g. 1001',
		description: 'Number of the VoIP DSS trunk, as the service shows it',
	},
	{
		displayName: 'Country',
		name: 'iso',
		type: 'resourceLocator',
		required: true,
		default: { mode: 'list', value: '' },
		description: 'Country whose traffic becomes premium; several countries give one output item each',
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'Choose a country...',
				typeOptions: { searchListMethod: 'searchCountries', searchable: true },
			},
			{
				displayName: 'By Code',
				name: 'code',
				type: 'string',
				placeholder: 'e.g. IT, FR',
				hint: 'ISO codes of two or three letters or three digits, separated by commas',
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
				default: 0,
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
				default: 0,
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
