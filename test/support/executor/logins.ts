import type { Sandbox } from '../../../sandbox';

/**
 * Expects one login for each access token that expired, and one for the first: every token but the last has served as many
 * requests as it may. Every reply below 300 counts as one of the service, so no fault of the plan may answer with such a status.
 */
export function expectOneLoginPerToken(sandbox: Sandbox, requestsPerToken = Number.MAX_SAFE_INTEGER): void {
	const requests = sandbox.requests().filter(({ operationId }) => operationId !== 'login');
	const served = requests.filter(({ status }) => typeof status === 'number' && status < 300).length;
	// The log does not tell whether the token of these had expired.
	const perhapsServed = requests.filter(({ fault }) => fault === 'resetAfter').length;
	const { logins } = sandbox.state().counters;
	expect(logins * requestsPerToken).toBeGreaterThanOrEqual(served);
	expect((logins - 1) * requestsPerToken).toBeLessThanOrEqual(served + perhapsServed);
}
