import type { Failure } from '../transport/failure';
import type { Outcome } from '../transport/response/classifyFailure';

/** Maximum number of gateways that an error names. */
const MAX_NAMED = 20;

export interface FailedGateway {
	gatewayId: string;
	failure: Failure;
}

export function tooManyFieldsFailure(gatewayId: string, count: number): Failure {
	return {
		message: `Gateway ${gatewayId} has too many fields to compare (${count})`,
		description: "Set 'Watch' to 'Selected Fields', and enter only the fields that you want to watch",
		code: 'invalid_response',
		outcome: 'unknown',
	};
}

/** @param outcome of its attempts so far */
export function outOfTimeFailure(gatewayId: string, outcome: Outcome): Failure {
	return {
		message: `Gateway ${gatewayId} couldn't be read within the time limit for a poll`,
		description: 'The service was too slow, or limits requests. Watch fewer gateways, or poll less often',
		code: 'connection_failed',
		outcome,
	};
}

export function allDisappearedFailure(count: number): Failure {
	return {
		message: `${count} gateways disappeared at once, and none was found`,
		description:
			"The service returned 404 for each, which can also mean that the API key is another account's, or that the service has moved: check the credential. If they're really gone, the next poll reports them as disappeared",
		code: 'not_found',
		outcome: 'not_done',
		status: 404,
	};
}

/** The first failure, with the IDs of the other failed gateways. */
export function combineFailures(failed: FailedGateway[]): Failure {
	const [first, ...others] = failed as [FailedGateway, ...FailedGateway[]];
	if (others.length === 0) return first.failure;
	const named = others.slice(0, MAX_NAMED).map(({ gatewayId }) => gatewayId);
	const more = others.length > named.length ? ` and ${others.length - named.length} more` : '';
	const notes = `Also failed: gateway${others.length === 1 ? '' : 's'} ${named.join(', ')}${more}`;
	return { ...first.failure, notes };
}
