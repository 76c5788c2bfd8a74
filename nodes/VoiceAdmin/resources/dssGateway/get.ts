import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { pathSegment } from '../../parameters/pathSegment';
import { isBlank } from '../../parameters/refusal';
import type { ApiRequest, ReadParameter } from '../../transport/request';
import { route } from '../../transport/route';
import { options } from '../options';
import { showFor } from '../showFor';

/** `GET /v1/voip/dss/gtw/{gatewayId}` or `GET /v1/voip/dss/gtw/{gatewayId}/{organizationId}`. */
export const get: INodePropertyOptions = {
	name: 'Get',
	value: 'get',
	action: 'Get a VoIP DSS gateway',
	description: 'Get a gateway, with its SIP termination URI where it has one',
	routing: route('GET', '/v1/voip/dss/gtw', build),
};

export const getFields = showFor('dssGateway', 'get', [
	{
		displayName: 'Gateway ID',
		name: 'gatewayId',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. 12',
		description: 'Identifier of the VoIP DSS gateway, as the service shows it',
	},
	{
		displayName: 'Organization ID',
		name: 'organizationId',
		type: 'string',
		default: '',
		placeholder: 'e.g. 10',
		description: 'Identifier of the organization to look in. Leave it empty to look the gateway up by itself.',
	},
	options(),
] as INodeProperties[]);

function build(read: ReadParameter): ApiRequest[] {
	const gatewayId = read('gatewayId');
	const organizationId = read('organizationId');
	const gateway = pathSegment('Gateway ID', gatewayId);
	// What is not text or a number has been refused by now.
	const sent = { gatewayId } as IDataObject;
	if (isBlank(organizationId)) return [{ pathSuffix: gateway, sent }];
	return [
		{
			pathSuffix: gateway + pathSegment('Organization ID', organizationId),
			sent: { ...sent, organizationId } as IDataObject,
		},
	];
}
