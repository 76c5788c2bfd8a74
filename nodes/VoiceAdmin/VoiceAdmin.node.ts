import { NodeConnectionTypes } from 'n8n-workflow';
import type { INodeType, INodeTypeDescription } from 'n8n-workflow';

import { testVoiceAdminApi } from './methods/credentialTest';
import { searchCountries } from './methods/searchCountries';
import { DEFAULT_RESOURCE, RESOURCES } from './operations';
import { customOperationsOf, propertiesOf, subtitleOf } from './operations/nodeProperties';

export class VoiceAdmin implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Voice Admin',
		name: 'voiceAdmin',
		icon: { light: 'file:voiceAdmin.svg', dark: 'file:voiceAdmin.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitleOf(RESOURCES),
		description: 'Enable premium traffic on VoIP DSS trunks, get gateways and create customers',
		defaults: { name: 'Voice Admin' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		usableAsTool: true,
		// Even an empty value makes n8n (2.8 to 2.41) treat a node with methods as declarative. Any other node does nothing as a tool
		// of an agent before version 3.
		requestDefaults: {},
		credentials: [{ name: 'voiceAdminApi', required: true, testedBy: 'testVoiceAdminApi' }],
		properties: propertiesOf(RESOURCES, DEFAULT_RESOURCE),
	};

	// n8n's routing executor would send all items at once.
	customOperations = customOperationsOf(RESOURCES);

	methods = { credentialTest: { testVoiceAdminApi }, listSearch: { searchCountries } };
}
