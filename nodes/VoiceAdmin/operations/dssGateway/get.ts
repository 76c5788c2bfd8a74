import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { ApiRequest, ReadParameter } from '../../transport/http/request';
import { route } from '../../transport/route';
import { options } from '../options';
import { showFor } from '../showFor';
import { toolDescription } from '../toolDescription';
import { GATEWAY_PATH, gatewayRequest } from './gatewayRequest';

/** `GET /v1/voip/dss/gtw/{gatewayId}` or `GET /v1/voip/dss/gtw/{gatewayId}/{organizationId}`. */
export const get: INodePropertyOptions = {
	name: 'Get',
	value: 'get',
	action: 'Get a VoIP DSS gateway',
	description: 'Get a gateway, with its SIP termination URI where it has one',
	routing: route('GET', GATEWAY_PATH, build),
};

export const getFields = showFor('dssGateway', 'get', [
	toolDescription(
		'Gets a VoIP DSS gateway; changes nothing. Gateway ID: identifier of the gateway, as the service shows it. Where asked for, Organization ID: identifier of the organization to look in; an empty text looks the gateway up by itself. The reply has terminationUri, the SIP termination URI, for gateways of the type Elastic SIP Trunk; for others it is missing or null.',
	),
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
	return [gatewayRequest(read('gatewayId'), read('organizationId'))];
}
