import { NodeConnectionTypes } from 'n8n-workflow';
import type { INodeType, INodeTypeDescription } from 'n8n-workflow';

import { searchCountries } from './listSearch/searchCountries';
import { customer } from './resources/customer';
import { dssGateway } from './resources/dssGateway';
import { dssTrunk } from './resources/dssTrunk';
import { testVoiceAdminApi } from './transport/testCredential';

export class VoiceAdmin implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Voice Admin',
		name: 'voiceAdmin',
		icon: { light: 'file:voiceAdmin.svg', dark: 'file:voiceAdmin.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
		description: 'Manage VoIP DSS trunks and gateways and add customers',
		defaults: { name: 'Voice Admin' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		usableAsTool: true,
		credentials: [{ name: 'voiceAdminApi', required: true, testedBy: 'testVoiceAdminApi' }],
		properties: [
			{
				displayName: 'Resource',
				name: 'resource',
				type: 'options',
				noDataExpression: true,
				options: [
					{ name: 'Customer', value: 'customer' },
					{ name: 'VoIP DSS Gateway', value: 'dssGateway' },
					{ name: 'VoIP DSS Trunk', value: 'dssTrunk' },
				],
				default: 'dssTrunk',
			},
			...dssTrunk,
			...dssGateway,
			...customer,
		],
	};

	methods = { credentialTest: { testVoiceAdminApi }, listSearch: { searchCountries } };
}
