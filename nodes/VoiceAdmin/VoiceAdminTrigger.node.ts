import { NodeConnectionTypes } from 'n8n-workflow';
import type { INodeType, INodeTypeDescription } from 'n8n-workflow';

import { testVoiceAdminApi } from './methods/credentialTest';
import { triggerProperties } from './trigger/properties';
import { poll } from './trigger/poll';

export class VoiceAdminTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Voice Admin Trigger',
		name: 'voiceAdminTrigger',
		icon: { light: 'file:voiceAdmin.svg', dark: 'file:voiceAdmin.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: '={{ $parameter["gatewayIds"] ? "Gateways: " + $parameter["gatewayIds"] : "" }}',
		// n8n shows it for both nodes, where it lists them as one.
		description:
			'Enable premium traffic on VoIP DSS trunks, get gateways and create customers, or start the workflow when a gateway changes',
		eventTriggerDescription: '',
		activationMessage:
			"The gateways are checked when you publish the workflow, and then at each poll time. The events selected in 'Trigger On' start the workflow. The first check only stores the current state, unless 'Emit on First Poll' is on.",
		defaults: { name: 'Voice Admin Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'voiceAdminApi', required: true, testedBy: 'testVoiceAdminApi' }],
		properties: triggerProperties,
	};

	methods = { credentialTest: { testVoiceAdminApi } };

	poll = poll;
}
