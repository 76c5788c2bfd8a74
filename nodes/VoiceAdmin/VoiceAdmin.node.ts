import { NodeConnectionTypes } from 'n8n-workflow';
import type { IExecuteFunctions, INodeExecutionData, INodeType, INodeTypeDescription } from 'n8n-workflow';

import { testVoiceAdminApi } from './methods/credentialTest';
import { searchCountries } from './methods/searchCountries';
import { DEFAULT_RESOURCE, RESOURCES } from './operations';
import { propertiesOf, subtitleOf } from './operations/nodeProperties';
import { runOperation } from './operations/runOperation';

/**
 * The operations are data, with n8n's `routing`, but this package carries them out: n8n's routing executor evaluates the
 * workflow's parameters with the decrypted credential in scope, so that whoever may use a credential could read its key.
 * A node with `requestDefaults` would start it too, in n8n's dynamic node parameters.
 */
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
		credentials: [{ name: 'voiceAdminApi', required: true, testedBy: 'testVoiceAdminApi' }],
		properties: propertiesOf(RESOURCES, DEFAULT_RESOURCE),
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await runOperation(this, RESOURCES);
	}

	methods = { credentialTest: { testVoiceAdminApi }, listSearch: { searchCountries } };
}
