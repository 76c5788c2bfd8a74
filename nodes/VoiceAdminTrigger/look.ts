import { OperationalError } from 'n8n-workflow';
import type { IDataObject } from 'n8n-workflow';

import { GATEWAY_PATH } from '../VoiceAdmin/resources/dssGateway/gatewayRequest';
import { deliver, type Traveller } from '../VoiceAdmin/transport/deliver';
import type { Failure } from '../VoiceAdmin/transport/errors';
import type { Reply } from '../VoiceAdmin/transport/reply';
import type { ApiRequest } from '../VoiceAdmin/transport/request';
import type { Requester } from '../VoiceAdmin/transport/requester';
import { Attempt } from '../VoiceAdmin/transport/run';
import type { Settings } from '../VoiceAdmin/transport/settings';
import { tooLarge } from './failures';
import { tooManyFields } from './snapshot';
import type { Watched } from './watched';

/** Time for a request, in milliseconds: polls come by the minute, and one that hangs keeps the next from looking. */
const TIMEOUT_MS = 60_000;

/** What was seen of a gateway: as the service gives it, or null where it has none of that id. */
export type Sighting = { current: IDataObject | null } | { failure: Failure };

/** Looks at gateways, many at a time, at the pace that the service keeps up with. A failure of one is not one of the others. */
export async function lookAt(
	requester: Requester,
	{ gateways, fields }: Watched,
	settings: Settings,
): Promise<Map<string, Sighting>> {
	const traveller: Traveller = {
		requester,
		itemIndex: 0,
		attempt: new Attempt(),
		settings,
		stopsOnError: false,
		options: { method: 'GET', url: GATEWAY_PATH, timeout: TIMEOUT_MS },
	};
	const sightings = [...gateways].map(async ([id, request]) => [id, await lookAtOne(traveller, id, request, fields)] as const);
	return new Map(await Promise.all(sightings));
}

async function lookAtOne(
	traveller: Traveller,
	gatewayId: string,
	request: ApiRequest,
	fields: Watched['fields'],
): Promise<Sighting> {
	const outcome = await deliver(traveller, request, gatewayOf);
	if ('result' in outcome) {
		const tooMany = tooManyFields(outcome.result, fields);
		return tooMany === undefined ? { current: outcome.result } : { failure: tooLarge(gatewayId, tooMany) };
	}
	if (!('failure' in outcome)) throw new OperationalError('The poll was stopped before it had looked at all gateways');
	const { failure } = outcome;
	// A 404 that is not in the API's format is of a wrong address or a proxy: the gateway may well be there.
	return failure.status === 404 && failure.isOfApi ? { current: null } : { failure };
}

function gatewayOf({ status, body }: Reply): IDataObject | undefined {
	const isObject = body.kind === 'json' && typeof body.value === 'object' && body.value !== null && !Array.isArray(body.value);
	return status >= 200 && status < 300 && isObject ? (body.value as IDataObject) : undefined;
}
