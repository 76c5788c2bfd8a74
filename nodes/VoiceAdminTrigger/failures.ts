import type { Failure } from '../VoiceAdmin/transport/errors';

/** Gateways that an error names at the most. */
const MOST_NAMED = 20;

/** A gateway that could not be read. */
export interface Unread {
	gatewayId: string;
	failure: Failure;
}

/** The failure of a gateway that can be read, and not remembered. */
export function tooLarge(gatewayId: string, fields: number): Failure {
	return {
		message: `Gateway ${gatewayId} has ${fields} fields with a value, more than can be remembered`,
		description: 'Choose "Selected Fields" in "Watch", and name those whose changes matter',
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
