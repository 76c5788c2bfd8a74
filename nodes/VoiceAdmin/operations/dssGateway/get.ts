import { identifier } from '../../parameters/identifier';
import type { Operation } from '../operation';

/** A gateway, with `terminationUri` for the type Elastic SIP Trunk; the trigger polls it as well. */
export const get: Operation = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get a VoIP DSS gateway',
		description: 'Get a gateway, with its SIP termination URI where it has one',
	},
	method: 'GET',
	path: '/v1/voip/dss/gtw/{gatewayId}{/organizationId}',
	toolDescription:
		'Gets a VoIP DSS gateway; changes nothing. The response has terminationUri, the SIP termination URI, for gateways of the type Elastic SIP Trunk; for others it is missing or null.',
	fields: [
		{
			displayName: 'Gateway ID',
			name: 'gatewayId',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. 12',
			description: 'Identifier of the VoIP DSS gateway, as the service shows it',
			send: { type: 'path' },
			parse: identifier,
		},
		{
			displayName: 'Organization ID',
			name: 'organizationId',
			type: 'string',
			default: '',
			placeholder: 'e.g. 10',
			description: 'Identifier of the organization to look in. Leave it empty to get the gateway by its own identifier alone.',
			send: { type: 'path' },
			parse: identifier,
		},
	],
};
