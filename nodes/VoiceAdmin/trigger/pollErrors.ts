import type { Failure } from '../transport/http/errors';
import { NotRememberedError } from './snapshot';

/** Gateways that an error names at the most. */
const MOST_NAMED = 20;

/** A gateway that could not be read. */
export interface Unread {
	gatewayId: string;
	failure: Failure;
}

/** The failure of a gateway that was read, and can't be compared. */
export function asFailure(gatewayId: string, error: unknown): Failure {
	const reason = error instanceof NotRememberedError ? error.message : 'is nested too deep to be remembered';
	return {
		message: `Gateway ${gatewayId} ${reason}`,
		description: 'Choose "Selected Fields" in "Watch", and name those whose changes matter',
	};
}

/** The failure of a gateway whose turn did not come. */
export function notLookedAt(gatewayId: string): Failure {
	return {
		message: `Gateway ${gatewayId} could not be read in the time that a poll has`,
		description: 'The service was too slow, or asked to wait. Watch fewer gateways, or look less often',
	};
}

/** One failure for a poll's: the first one's words, and which other gateways could not be read. */
export function failureOfAll(unread: Unread[]): Failure {
	const [first, ...others] = unread as [Unread, ...Unread[]];
	if (others.length === 0) return first.failure;
	const named = others.slice(0, MOST_NAMED).map(({ gatewayId }) => gatewayId);
	const more = others.length > named.length ? ` and ${others.length - named.length} more` : '';
	const description = `${first.failure.description}\nNor could be read: gateway ${named.join(', ')}${more}`;
	return { ...first.failure, description: description.trim() };
}
