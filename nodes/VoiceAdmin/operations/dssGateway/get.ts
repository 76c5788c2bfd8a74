import { identifier } from '../../parameters/identifier';
import type { Operation } from '../operation';

/** A gateway, with `terminationUri` for the type Elastic SIP Trunk; the trigger polls it as well. */
export const get: Operation = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get a VoIP DSS gateway',
		description: 'Get a gateway, including its SIP termination URI if it has one',
		routing: { request: { method: 'GET', url: '/v1/voip/dss/gtw/{gatewayId}{/organizationId}' } },
	},
	label: ({ gatewayId }) => `gateway ${String(gatewayId)}`,
	toolDescription:
		'Gets a VoIP DSS gateway. It changes nothing. For gateways of type Elastic SIP Trunk, the response contains terminationUri, the SIP termination URI. For other types, it is missing or null.',
	fields: [
		{
			displayName: 'Gateway ID',
			name: 'gatewayId',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. 12',
			description: 'ID of the VoIP DSS gateway, as your provider shows it',
			pathSegment: true,
			parse: identifier,
		},
		{
			displayName: 'Organization ID',
			name: 'organizationId',
			type: 'string',
			default: '',
			placeholder: 'e.g. 10',
			description: 'ID of the organization that the gateway belongs to. Leave it empty to find the gateway by its own ID only.',
			pathSegment: true,
			parse: identifier,
		},
	],
};
