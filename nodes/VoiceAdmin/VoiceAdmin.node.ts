import { NodeConnectionTypes } from 'n8n-workflow';
import type { INodeType, INodeTypeDescription } from 'n8n-workflow';

import { searchCountries } from './methods/searchCountries';
import { customer } from './operations/customer';
import { dssGateway } from './operations/dssGateway';
import { dssTrunk } from './operations/dssTrunk';
import { resource } from './operations/resource';
import { subtitle } from './operations/subtitle';
import { testVoiceAdminApi } from './methods/credentialTest';

export class VoiceAdmin implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Voice Admin',
		name: 'voiceAdmin',
		icon: { light: 'file:voiceAdmin.svg', dark: 'file:voiceAdmin.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitle([resource, ...dssTrunk, ...dssGateway, ...customer]),
		description: 'Manage VoIP DSS trunks and gateways and add customers',
		defaults: { name: 'Voice Admin' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		usableAsTool: true,
		// By this, however empty, n8n (2.8 to 2.40) knows a node that has methods as declarative. One that it does not
		// know so, it runs by a way that is made for its tests and can't be cancelled; and for a tool that an agent
		// before version 3 calls it does nothing at all, and tells the model nothing.
		requestDefaults: {},
		credentials: [{ name: 'voiceAdminApi', required: true, testedBy: 'testVoiceAdminApi' }],
		properties: [resource, ...dssTrunk, ...dssGateway, ...customer],
	};

	methods = { credentialTest: { testVoiceAdminApi }, listSearch: { searchCountries } };
}
