import type { IDataObject } from 'n8n-workflow';

import { isObject, soleElementOf } from '../../json';
import { identifier } from '../../parameters/identifier';
import { isBlank } from '../../parameters/invisibleCharacters';
import type { Operation } from '../operation';

/** A gateway, with `terminationUri` for the type Elastic SIP Trunk; the trigger polls it as well. */
export const getDssGateway: Operation = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get a VoIP DSS gateway',
		description: 'Get a gateway, including its SIP termination URI if it has one',
		routing: { request: { method: 'GET', url: '/v1/voip/dss/gtw/{gatewayId}{/organizationId}' } },
	},
	isResult: (value) => gatewayOf(value) !== undefined,
	label: ({ gatewayId, organizationId }) =>
		`gateway ${String(gatewayId)}${organizationId === undefined ? '' : ` of organization ${String(organizationId)}`}`,
	toolDescription:
		'Gets a VoIP DSS gateway. It changes nothing. Only gateways of the type Elastic SIP Trunk have a terminationUri, the SIP termination URI. For other types, it may be missing or null.',
	fields: [
		{
			displayName: 'Gateway ID',
			name: 'gatewayId',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. 12',
			description: 'ID of the VoIP DSS gateway',
			parse: identifier,
		},
		{
			displayName: 'Organization ID',
			name: 'organizationId',
			type: 'string',
			default: '',
			placeholder: 'e.g. 10',
			description: 'ID of the organization. Leave it empty to get the gateway by its own ID only.',
			parse: identifier,
		},
	],
};

/** The gateway in a response, maybe in a list of one: an object with an `id`. */
export function gatewayOf(value: unknown): IDataObject | undefined {
	const gateway = soleElementOf(value);
	if (!isObject(gateway) || !['string', 'number'].includes(typeof gateway.id) || isBlank(gateway.id)) return undefined;
	return gateway;
}
