import type { INodeProperties } from 'n8n-workflow';

import { optionsProperty } from '../operations/nodeProperties';
import type { Field } from '../operations/operation';
import { SHARED_OPTIONS, WHAT_IS_RESENT } from '../operations/options';
import { boolean } from '../parameters/scalars';

/** What may have happened to a gateway between two polls. */
export const GATEWAY_EVENTS = ['appeared', 'changed', 'disappeared'] as const;
export type GatewayEvent = (typeof GATEWAY_EVENTS)[number];

const EMIT_ON_FIRST_POLL: Field = {
	displayName: 'Emit on First Poll',
	name: 'emitOnFirstPoll',
	type: 'boolean',
	default: false,
	parse: boolean,
	description:
		'Whether to output a Gateway Appeared event, if selected above, for each gateway on its first poll. If off, that poll only stores its state.',
};

const MAX_RETRIES_DESCRIPTION = `${WHAT_IS_RESENT} In outages, requests wait for up to 30 seconds.`;

/** Entries of the collection "Options". */
export const TRIGGER_OPTIONS = [
	EMIT_ON_FIRST_POLL,
	...SHARED_OPTIONS.map((field) =>
		field.name === 'maxRetries' ? { ...field, description: MAX_RETRIES_DESCRIPTION } : field,
	),
];

/** The trigger's parameters; n8n puts "Poll Times" before them. */
export const triggerProperties: INodeProperties[] = [
	{
		displayName: 'Gateway IDs',
		name: 'gatewayIds',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. 1, 12',
		description:
			"IDs of up to 500 gateways, separated by commas, or a list from an expression. Only Fetch Test Event reports one that doesn't exist.",
	},
	{
		displayName: 'Organization ID',
		name: 'organizationId',
		type: 'string',
		default: '',
		placeholder: 'e.g. 10',
		description: 'ID of the organization. Leave it empty to get the gateways by their own IDs only.',
	},
	{
		displayName: 'Trigger On',
		name: 'events',
		type: 'multiOptions',
		required: true,
		options: [
			{
				name: 'Gateway Appeared',
				value: 'appeared',
				description: "A gateway exists that didn't exist at the last poll",
			},
			{ name: 'Gateway Changed', value: 'changed', description: 'The value of a watched field has changed' },
			{ name: 'Gateway Disappeared', value: 'disappeared', description: 'A gateway no longer exists' },
		],
		default: [...GATEWAY_EVENTS],
		description:
			'Which events start the workflow. Fetch Test Event outputs every gateway as Gateway Appeared, whatever is selected.',
	},
	{
		displayName: 'Watch',
		name: 'watch',
		type: 'options',
		options: [
			{ name: 'All Fields', value: 'all', description: 'Any change to a gateway' },
			{ name: 'Selected Fields', value: 'selected', description: 'Changes to the fields that you enter' },
			{ name: 'Termination URI', value: 'terminationUri', description: 'Changes to the SIP termination URI' },
		],
		default: 'all',
		description: 'Which fields to compare for the Gateway Changed event',
	},
	{
		displayName: 'Fields',
		name: 'fields',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. terminationUri, name',
		description:
			'Fields to watch, as named directly under current in the output, separated by commas, or a list from an expression. A misspelled one never triggers.',
		displayOptions: { show: { watch: ['selected'] } },
	},
	optionsProperty(TRIGGER_OPTIONS),
];
