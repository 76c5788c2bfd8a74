import type { IDataObject } from 'n8n-workflow';

import { gatewayOf } from '../operations/dssGateway/get';
import type { ApiRequest } from '../transport/apiRequest';
import type { VoiceAdminCredential } from '../transport/auth/credential';
import type { Failure } from '../transport/failure';
import { Run } from '../transport/flow/run';
import { wait } from '../time';
import { successValueOf } from '../transport/response/successValue';
import { MAX_SMALL_RESPONSE_BYTES } from '../transport/response/readResponse';
import type { N8nContext } from '../transport/sendRequest';
import { sendWithRetry } from '../transport/sendWithRetry';
import { outOfTimeFailure, tooManyFieldsFailure } from './pollFailures';
import { type Snapshot, takeSnapshot, watchedValues } from './changedFields';
import type { WatchSettings } from './watchSettings';

const REQUEST_TIMEOUT_MS = 30_000;

const MAX_OUTAGE_WAIT_MS = 30_000;

/** After this, no further request is sent: the next poll waits for this one, and activating a workflow waits for its first poll. */
const POLL_TIMEOUT_MS = 180_000;

/** A gateway; null if it doesn't exist, with the service's response; or why it could not be read. */
export type GatewayResult =
	| { current: IDataObject; snapshot: Snapshot }
	| { current: null; snapshot: null; notFound: Failure }
	| { failure: Failure };

/** Gets all watched gateways concurrently, each with its own failure. */
export async function fetchGateways(
	n8n: N8nContext,
	credential: VoiceAdminCredential,
	{ requests, fields, maxConcurrency, maxRetries }: WatchSettings,
): Promise<Map<string, GatewayResult>> {
	const run = new Run(maxConcurrency, MAX_OUTAGE_WAIT_MS);
	const timeoutMs = REQUEST_TIMEOUT_MS;
	const settings = { n8n, credential, run, maxRetries, timeoutMs, maxBytes: MAX_SMALL_RESPONSE_BYTES };
	void wait(POLL_TIMEOUT_MS, () => run.isStopped).then(() => run.stop());
	const fetchOne = async (gatewayId: string, request: ApiRequest): Promise<GatewayResult> => {
		const result = await sendWithRetry(settings, request, (response) => gatewayOf(successValueOf(response)?.value));
		if ('stopped' in result) return { failure: outOfTimeFailure(gatewayId, result.stopped) };
		if ('failure' in result) {
			const { code, hasApiErrorBody } = result.failure;
			// Any other 404 means a missing route, from a proxy or framework: the gateway may well exist.
			return code === 'not_found' && hasApiErrorBody
				? { current: null, snapshot: null, notFound: result.failure }
				: result;
		}
		const snapshot = takeSnapshot(result.value, fields);
		if (snapshot === undefined)
			return { failure: tooManyFieldsFailure(gatewayId, watchedValues(result.value, fields).length) };
		return { current: result.value, snapshot };
	};
	try {
		return new Map(
			await Promise.all([...requests].map(async ([id, request]) => [id, await fetchOne(id, request)] as const)),
		);
	} finally {
		run.stop();
	}
}
