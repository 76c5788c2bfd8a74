import type { IDataObject } from 'n8n-workflow';

import { pathSegment, trimmed } from '../../parameters/identifier';
import { isBlank } from '../../parameters/invalidParameterError';
import type { ApiRequest } from '../../transport/http/request';

/** `GET` of it, with a gateway's path appended, gives that gateway. */
export const GATEWAY_PATH = '/v1/voip/dss/gtw';

/**
 * The request for one gateway: `GET /v1/voip/dss/gtw/{gatewayId}`, or
 * `GET /v1/voip/dss/gtw/{gatewayId}/{organizationId}` when an organization is given.
 *
 * @param parameter name in the editor of the parameter that the gateway's id comes from
 * @throws Refusal for an identifier that can't stand in a path
 */
export function gatewayRequest(gatewayId: unknown, organizationId: unknown, parameter = 'Gateway ID'): ApiRequest {
	const gateway = pathSegment(parameter, gatewayId);
	// What is not text or a number has been refused by now.
	const sent = { gatewayId: trimmed(gatewayId) } as IDataObject;
	if (isBlank(organizationId)) return { pathSuffix: gateway, sent };
	return {
		pathSuffix: gateway + pathSegment('Organization ID', organizationId),
		sent: { ...sent, organizationId: trimmed(organizationId) } as IDataObject,
	};
}
