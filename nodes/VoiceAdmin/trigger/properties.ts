import type { INodeProperties } from 'n8n-workflow';

import { asProperty } from '../operations/nodeProperties';
import { optionsField, SENDING_OPTIONS } from '../operations/options';

/** The trigger's parameters; n8n puts "Poll Times" before them. */
export const properties: INodeProperties[] = [
	{
		displayName: 'Gateway IDs',
		name: 'gatewayIds',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. 12, 15',
		description:
			'Identifiers of the VoIP DSS gateways to watch, separated by commas, or an expression that gives a list of them. At most 500.',
	},
	{
		displayName: 'Organization ID',
		name: 'organizationId',
		type: 'string',
		default: '',
		placeholder: 'e.g. 10',
		description: 'Identifier of the organization to look in. Leave it empty to get the gateways by their own identifiers alone.',
	},
	{
		displayName: 'Watch',
		name: 'watch',
		type: 'options',
		options: [
			{
				name: 'All Fields',
				value: 'all',
				description: 'Any change of a gateway',
			},
			{
				name: 'Selected Fields',
				value: 'selected',
				description: 'Changes of fields that you name',
			},
			{
				name: 'Termination URI',
				value: 'terminationUri',
				description: 'Changes of the SIP termination URI',
			},
		],
		default: 'all',
		description: 'What counts as a change. A gateway that appears or disappears always does.',
	},
	{
		displayName: 'Fields',
		name: 'fields',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. terminationUri, name',
		description: 'Names of the fields to watch, as the service gives them, separated by commas, or an expression that gives a list of them',
		displayOptions: { show: { watch: ['selected'] } },
	},
	{
		displayName: 'Emit on First Poll',
		name: 'emitOnFirstPoll',
		type: 'boolean',
		default: false,
		description: 'Whether to emit an item for each gateway that is polled for the first time. Otherwise the trigger only stores its current state.',
	},
	asProperty(optionsField(SENDING_OPTIONS)),
];
