import type { IDataObject } from 'n8n-workflow';

import { GATEWAY_PATH } from '../operations/dssGateway/gatewayRequest';
import { deliver, type Traveller } from '../transport/http/sendWithRetry';
import type { Failure } from '../transport/http/errors';
import { MAX_SMALL_REPLY_BYTES, type Reply } from '../transport/http/response';
import type { ApiRequest } from '../transport/http/request';
import type { Requester } from '../transport/requester';
import type { Attempt } from '../execution/nodeRun';
import type { Settings } from '../transport/settings';
import { wait } from '../transport/flow/wait';
import { asFailure, notLookedAt } from './pollErrors';
import { type Snapshot, snapshotOf } from './snapshot';
import type { Watched } from './watchSettings';

/** Time for a request, in milliseconds. */
const REQUEST_MS = 30_000;

/**
 * Time for a poll, in milliseconds, after which no further request is sent: the next poll waits for this one, and
 * n8n for the first one while it activates the workflow.
 */
const POLL_MS = 180_000;

/** What was seen of a gateway: as the service gives it, or null where it has none of that id. */
export type Sighting = { current: IDataObject | null; snapshot: Snapshot } | { failure: Failure };

/**
 * Looks at gateways, many at a time, at the pace that the service keeps up with. A failure of one is not one of the others.
 *
 * @param attempt a new one; it is stopped when the time is over
 */
export async function lookAt(
	requester: Requester,
	attempt: Attempt,
	watched: Watched,
	settings: Settings,
	withinMs = POLL_MS,
): Promise<Map<string, Sighting>> {
	const traveller: Traveller = {
		requester,
		attempt,
		settings,
		stopsOnError: false,
		maxReplyBytes: MAX_SMALL_REPLY_BYTES,
		options: { method: 'GET', url: GATEWAY_PATH, timeout: REQUEST_MS },
	};
	let isDone = false;
	void wait(withinMs, () => isDone).then(() => attempt.stop());
	try {
		const sightings = [...watched.gateways].map(async ([id, request]) => [id, await lookAtOne(traveller, id, request, watched.fields)] as const);
		return new Map(await Promise.all(sightings));
	} finally {
		isDone = true;
	}
}

async function lookAtOne(
	traveller: Traveller,
	gatewayId: string,
	request: ApiRequest,
	fields: Watched['fields'],
): Promise<Sighting> {
	const outcome = await deliver(traveller, request, gatewayOf);
	if ('failure' in outcome) {
		// A 404 that is not in the API's format is of a wrong address or a proxy: the gateway may well be there.
		const isGone = outcome.failure.status === 404 && outcome.failure.isOfApi;
		return isGone ? { current: null, snapshot: null } : { failure: outcome.failure };
	}
	if (!('result' in outcome)) return { failure: notLookedAt(gatewayId) };
	try {
		return { current: outcome.result, snapshot: snapshotOf(outcome.result, fields) };
	} catch (error) {
		return { failure: asFailure(gatewayId, error) };
	}
}

/**
 * The gateway in a good reply. None is in an empty object, nor in the API's error body, whatever its status says: by
 * these a gateway would lose all its fields.
 */
function gatewayOf({ status, body }: Reply): IDataObject | undefined {
	if (status < 200 || status > 299 || body.kind !== 'json') return undefined;
	const value = body.value as IDataObject | null;
	if (typeof value !== 'object' || value === null || Array.isArray(value) || Object.keys(value).length === 0) return undefined;
	return 'message' in value && 'errors' in value ? undefined : value;
}
