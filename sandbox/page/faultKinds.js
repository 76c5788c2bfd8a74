/**
 * A fault as the page words it. `needs` is the one parameter that a person may want to choose; `fixed` is what a fault
 * can't do without. `scoped: false`: it holds for all requests or tokens, not for some.
 * @typedef {{ fault: string, title: string, does: string, scoped?: boolean, fixed?: object,
 *   needs?: { name: string, label: string, value: number, least: number, most: number, step?: string } }} FaultKind
 */

const NOT_PROCESSED = 'Nothing is changed in the books.';

/** Every fault of the sandbox, in groups: sandbox/faults/plan.ts says it in types. */
export const FAULT_GROUPS = [
	{
		title: 'Slow, or too many requests',
		kinds: [
			{ fault: 'latency', title: 'Latency', does: 'The reply waits.', needs: { name: 'ms', label: 'milliseconds', value: 2000, least: 0, most: 600_000 } },
			{ fault: 'http429', title: '429 Too Many Requests', does: 'Refused with Retry-After, which says when to try again.', needs: { name: 'retryAfterSeconds', label: 'seconds in Retry-After', value: 2, least: 0, most: 3600 } },
			{ fault: 'rateLimit', title: 'Rate limit', does: 'What comes faster gets 429 with Retry-After, logins too.', scoped: false, needs: { name: 'perSecond', label: 'requests a second', value: 5, least: 0.1, most: 100_000, step: 'any' } },
		],
	},
	{
		title: 'Errors of the service',
		kinds: [
			{ fault: 'http500', title: '500 Internal Server Error', does: `The service failed. ${NOT_PROCESSED}` },
			{ fault: 'http502', title: '502 Bad Gateway', does: `A server behind the service did not answer properly. ${NOT_PROCESSED}` },
			{ fault: 'http503', title: '503 Service Unavailable', does: `The service is not available at the moment. ${NOT_PROCESSED}` },
			{ fault: 'http504', title: '504 Gateway Timeout', does: `A server behind the service did not answer in time. ${NOT_PROCESSED}` },
			{ fault: 'http400', title: '400 Bad Request', does: 'The request is called not valid, even if it is.' },
			{ fault: 'http401', title: '401 Unauthorized', does: 'The access token is refused, also a new one.' },
			{ fault: 'http403', title: '403 Forbidden', does: 'The client is said to lack the permission.' },
			{ fault: 'http404', title: '404 Not Found', does: 'Whatever is asked for is not found.' },
		],
	},
	{
		title: 'Broken connections',
		kinds: [
			{ fault: 'resetBefore', title: 'Reset, not processed', does: `The connection is reset at once. ${NOT_PROCESSED}` },
			{ fault: 'resetAfter', title: 'Reset, processed', does: 'The connection is reset after the request was carried out: a customer is there, and its creator does not know.' },
			{ fault: 'neverEnds', title: 'Reply that never ends', does: 'It begins, and then comes a byte now and then, until the client gives up. The request was carried out.' },
		],
	},
	{
		title: 'Replies that are not the API’s',
		kinds: [
			{ fault: 'htmlPage', title: 'HTML page', does: 'A 502 page of a proxy instead of JSON. Nothing is changed in the books.' },
			{ fault: 'truncatedJson', title: 'Truncated JSON', does: 'The reply stops in its middle. The request was carried out.' },
			{ fault: 'wrongJson', title: 'JSON of wrong types', does: 'A 400 whose errors are a number.' },
			{ fault: 'emptyBody', title: 'Empty body', does: 'A 500 without a word.' },
			{ fault: 'hugeBody', title: 'Huge body', does: 'Much more JSON than anybody wants.', needs: { name: 'megabytes', label: 'megabytes', value: 20, least: 1, most: 200 } },
			{ fault: 'redirect', title: 'Redirect', does: 'A 307 to another address, https://elsewhere.example/, where no token should go.', fixed: { location: 'https://elsewhere.example/' } },
		],
	},
	{
		title: 'Logins and access tokens',
		kinds: [
			{ fault: 'tokenExpires', title: 'Expiring tokens', does: 'Each access token is good for some requests, and gives 401 from then on.', scoped: false, needs: { name: 'afterRequests', label: 'requests for a token', value: 3, least: 1, most: 1_000_000 } },
			{ fault: 'loginWithoutToken', title: 'Login without a token', does: 'The login succeeds, and its reply has no access_token.', fixed: { path: '/auth' } },
			{ fault: 'loginTokenOfWrongType', title: 'Login with a wrong token', does: 'The login succeeds with an access_token that is a number.', fixed: { path: '/auth' } },
		],
	},
];
