import { z } from 'zod';

import type { ErrorDetails } from '../apiError';
import { integer, number, oneOf, text } from './describe';

/** What is known of a fault: its parameters, and how the page words it. */
interface FaultKind {
	group: (typeof GROUPS)[number];
	title: string;
	does: string;
	/** Message of an error of the API. */
	message?: string;
	parameters: z.ZodRawShape;
	/** The one parameter that a person may want to choose on the page. */
	needs?: { name: string; label: string; value: number; least: number; most: number; step?: 'any' };
}

/** Groups of faults, in the page's order. */
const GROUPS = ['Slow, or too many requests', 'Errors of the service', 'Broken connections', 'Unexpected responses', 'Access tokens'] as const;
const [SLOW, ERRORS, BROKEN, OTHER, TOKENS] = GROUPS;

/** Which requests a rule is for, and into how many of them it is injected. */
const scope = {
	/** Share of the requests into which it is injected. Default 1. */
	rate: number(0, 1).optional(),
	/** Only this path and those below it: `/v1/voip` is for `/v1/voip/dss/gtw/1`, not for `/v1/voipx`. */
	path: z.string().startsWith('/').describe('a path that begins with /').optional(),
	/** Only this HTTP method. */
	method: z.string().regex(/^(get|put|post|patch|delete|head|options)$/i).describe('an HTTP method such as "GET"').optional(),
	/** Only requests whose body holds this text, such as the VAT number of one customer. */
	bodyContains: text.optional(),
	/** Into at most this many requests. */
	count: integer(0).optional(),
	/** Leaves the first so many requests of the path and method alone. */
	after: integer(0).optional(),
};

/** When to try again, in a reply. */
const retryAfter = {
	/** Default 1 for http429; the other statuses have no Retry-After unless this is given. */
	retryAfterSeconds: number(0).optional(),
	/** As a number of seconds (the default), as an HTTP date, or not at all. */
	retryAfterAs: oneOf('seconds', 'date', 'none').optional(),
};

const httpError = {
	message: text.optional(),
	errors: z.custom<ErrorDetails>((value) => typeof value === 'string' || (typeof value === 'object' && value !== null)).describe('a string, a list or an object').optional(),
	/** Whether the request is processed all the same. Default false. */
	processed: z.boolean().describe('true or false').optional(),
	...retryAfter,
	...scope,
};

const NOT_PROCESSED = 'No data is changed.';

/** A fault that answers with an error of the API; the message is also what the page says, unless told. */
const httpFault = (title: string, message: string, does = `${message}. ${NOT_PROCESSED}`) => ({ group: ERRORS, title, does, message, parameters: httpError });

/** The faults, in the order of their help. */
export const FAULTS = {
	/** Adds to other faults. */
	latency: {
		group: SLOW,
		title: 'Latency',
		does: 'The response is delayed.',
		parameters: { ms: number(0, 600_000), /** At most so many more, by chance. */ jitterMs: number(0, 600_000).optional(), ...scope },
		needs: { name: 'ms', label: 'milliseconds', value: 2000, least: 0, most: 600_000 },
	},
	http429: {
		...httpFault('429 Too Many Requests', 'Too many requests', 'An error with Retry-After, which says when to try again.'),
		group: SLOW,
		needs: { name: 'retryAfterSeconds', label: 'seconds in Retry-After', value: 2, least: 0, most: 3600 },
	},
	http500: httpFault('500 Internal Server Error', 'The service failed'),
	http502: httpFault('502 Bad Gateway', 'A server behind the service did not answer properly'),
	http503: httpFault('503 Service Unavailable', 'The service is not available at the moment'),
	http504: httpFault('504 Gateway Timeout', 'A server behind the service did not answer in time'),
	http400: httpFault('400 Bad Request', 'The request is not valid', 'The request is rejected as not valid, even if it is valid.'),
	http401: httpFault('401 Unauthorized', 'The access token is not valid', 'No access token is accepted, not even a new one.'),
	http403: httpFault('403 Forbidden', 'This client does not have permission for this operation', 'The error says that the client lacks permission.'),
	http404: httpFault('404 Not Found', 'The requested resource is not found', 'Every requested resource is reported as not found.'),
	resetBefore: { group: BROKEN, title: 'Reset, not processed', does: `The connection is reset at once. ${NOT_PROCESSED}`, parameters: scope },
	resetAfter: {
		group: BROKEN,
		title: 'Reset, processed',
		does: 'The connection is reset after the request was processed: a customer exists, but the client does not know.',
		parameters: scope,
	},
	htmlPage: { group: OTHER, title: 'HTML page', does: `A 502 page of a proxy instead of JSON. ${NOT_PROCESSED}`, parameters: scope },
	truncatedJson: { group: OTHER, title: 'Truncated JSON', does: 'The response is cut off halfway. The request is processed.', parameters: scope },
	hugeBody: {
		group: OTHER,
		title: 'Huge body',
		does: 'A very large JSON body. The request is processed.',
		parameters: { megabytes: integer(1, 200).optional(), ...scope },
		needs: { name: 'megabytes', label: 'megabytes', value: 20, least: 1, most: 200 },
	},
	/** Counted for each token from its issue. */
	tokenExpires: {
		group: TOKENS,
		title: 'Expiring tokens',
		does: 'Each access token works for a set number of requests. After that, requests get a 401.',
		parameters: { afterRequests: integer(1) },
		needs: { name: 'afterRequests', label: 'requests per token', value: 3, least: 1, most: 1_000_000 },
	},
} satisfies Record<string, FaultKind>;

export const rateLimitSchema = z
	.object({
		perSecond: z.number().finite().positive().describe('a number above 0'),
		/** How many may come at once after a pause. Default: as many as in one second. */
		burst: integer(1).optional(),
	})
	.strict();

const RATE_LIMIT: FaultKind = {
	group: SLOW,
	title: 'Rate limit',
	does: 'Requests above this rate, including logins, get a 429 with Retry-After.',
	parameters: rateLimitSchema.shape,
	needs: { name: 'perSecond', label: 'requests a second', value: 5, least: 0.1, most: 100_000, step: 'any' },
};

export const planSchema = z
	.object({
		/** The same seed and the same sequence of requests give the same faults. Default: the sandbox's seed. */
		seed: integer(-Number.MAX_SAFE_INTEGER).optional(),
		/** Asked in order: latencies add up, and of the rest the first that is drawn wins. */
		rules: z.array(z.unknown()).describe('a list of rules').optional(),
		/** Requests above this rate get 429 with Retry-After. */
		rateLimit: z.object({}).passthrough().describe('an object such as {"perSecond": 50}').optional(),
	})
	.strict();

export type FaultName = keyof typeof FAULTS;
export type HttpFaultName = Extract<FaultName, `http${number}`>;
export type FaultScope = ParametersOf<typeof scope>;
export type RetryAfter = ParametersOf<typeof retryAfter>;
export type RateLimit = z.infer<typeof rateLimitSchema>;
export type FaultRule = { [Name in FaultName]: { fault: Name } & ParametersOf<(typeof FAULTS)[Name]['parameters']> }[FaultName];

/** What is to go wrong. */
export interface FaultPlan extends Omit<z.infer<typeof planSchema>, 'rules' | 'rateLimit'> {
	rules?: FaultRule[];
	rateLimit?: RateLimit;
}

type ParametersOf<Shape extends z.ZodRawShape> = z.infer<z.ZodObject<Shape>>;

/** A fault as the page words it. `scoped`: it can be for some requests, and not for all or for tokens. */
export type FaultSwitch = Pick<FaultKind, 'title' | 'does' | 'needs'> & { fault: string; scoped: boolean };

/** Every fault and the rate limit, in the page's groups. */
export const FAULT_GROUPS: Array<{ title: string; faults: FaultSwitch[] }> = GROUPS.map((title) => ({
	title,
	faults: Object.entries<FaultKind>({ ...FAULTS, rateLimit: RATE_LIMIT })
		.filter(([, { group }]) => group === title)
		.map(([fault, { title, does, needs, parameters }]) => ({ fault, title, does, needs, scoped: 'path' in parameters })),
}));

/** The names of all faults, and of each one's own parameters, those that every fault shares left out. */
export const describeFaults = (): Array<{ name: string; parameters: string[] }> =>
	Object.entries<FaultKind>(FAULTS).map(([name, { parameters }]) => ({
		name,
		parameters: Object.keys(parameters).filter((parameter) => !(parameter in scope)),
	}));

/** The names of the parameters that every fault but `tokenExpires` takes. */
export const scopeParameters = Object.keys(scope);
