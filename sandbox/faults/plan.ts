import { z } from 'zod';

import { checked } from '../apiError';

/** What is known of a fault: its parameters, and how the page words it. */
interface FaultKind {
	group: string;
	title: string;
	does: string;
	message?: string;
	parameters: z.ZodRawShape;
	/** The one parameter that a person may want to choose on the page. */
	needs?: { name: string; label: string; value: number };
}

const SLOW = 'Slow, or too many requests';
const ERRORS = 'Errors of the service';
const BROKEN = 'Broken connections';
const OTHER = 'Unexpected responses';
const TOKENS = 'Access tokens';

const integer = (least: number) => z.number().int().min(least);
const milliseconds = z.number().min(0).max(600_000);

/** Which requests a rule is for, and into how many of them it is injected. */
export const scope = {
	/** Share of the requests into which it is injected. Default 1. */
	rate: z.number().min(0).max(1).optional(),
	/** Only this path and those below it: `/v1/voip` is for `/v1/voip/dss/gtw/1`, not for `/v1/voipx`. */
	path: z.string().startsWith('/').optional(),
	method: z.string().regex(/^(get|put|post|patch|delete|head|options)$/i, 'Expected an HTTP method').optional(),
	/** Only requests whose body holds this text, such as the VAT number of one customer. */
	bodyContains: z.string().optional(),
	count: integer(0).optional(),
	/** Leaves the first so many requests of the path and method alone. */
	after: integer(0).optional(),
};

const httpError = {
	message: z.string().optional(),
	errors: z.union([z.string(), z.array(z.object({ field: z.string(), message: z.string() })), z.record(z.unknown())]).optional(),
	/** Whether the request is processed all the same. Default true for http408, else false. */
	processed: z.boolean().optional(),
	/** Default 1 for http429; the other statuses have no Retry-After unless this is given. */
	retryAfterSeconds: z.number().min(0).optional(),
	/** As a number of seconds (the default), as an HTTP date, or not at all. */
	retryAfterAs: z.enum(['seconds', 'date', 'none']).optional(),
};

const limit = {
	perSecond: z.number().positive(),
	/** How many may come at once after a pause. Default: as many as in one second; for nginxLimit 1. */
	burst: integer(1).optional(),
};
const perSecond = { name: 'perSecond', label: 'requests a second', value: 5 };

/** From the first request into which it is injected. */
const outage = { parameters: { ms: milliseconds, ...scope }, needs: { name: 'ms', label: 'milliseconds', value: 3000 } };

const NOT_PROCESSED = 'No data is changed.';
const kind = (group: string, title: string, does: string) => ({ group, title, does, parameters: scope });

/** A fault that answers with an error of the API; the message is also what the page says, unless told. */
const error = (title: string, message: string, does = `${message}. ${NOT_PROCESSED}`) =>
	({ group: ERRORS, title, does, message, parameters: { ...httpError, ...scope } });

/** The faults, in the order of their help and of the page. */
export const FAULTS = {
	/** Adds to other faults. `jitterMs`: at most so many more, by chance. */
	latency: {
		...kind(SLOW, 'Latency', 'The response is delayed.'),
		parameters: { ms: milliseconds, jitterMs: milliseconds.optional(), ...scope },
		needs: { name: 'ms', label: 'milliseconds', value: 2000 },
	},
	http429: {
		...error('429 Too Many Requests', 'Too many requests', 'An error with Retry-After, which says when to try again.'),
		group: SLOW,
		needs: { name: 'retryAfterSeconds', label: 'seconds in Retry-After', value: 2 },
	},
	rateLimit: {
		...kind(SLOW, 'Rate limit', 'Requests above this rate get a 429 with Retry-After.'),
		parameters: { ...limit, retryAfterAs: httpError.retryAfterAs, ...scope },
		needs: perSecond,
	},
	/** As nginx's `limit_req` without a burst. `status`: 503, nginx's default, or 429. */
	nginxLimit: {
		...kind(SLOW, 'Rate limit of nginx', 'Requests above this rate, without a burst, get a 503 page without Retry-After.'),
		parameters: { ...limit, status: z.union([z.literal(429), z.literal(503)]).optional(), ...scope },
		needs: { ...perSecond, value: 10 },
	},
	http500: error('500 Internal Server Error', 'The service failed'),
	http502: error('502 Bad Gateway', 'A server behind the service did not respond properly'),
	http503: error('503 Service Unavailable', 'The service is not available at the moment'),
	http504: error('504 Gateway Timeout', 'A server behind the service did not respond in time'),
	http400: error('400 Bad Request', 'The request is not valid', 'The request is rejected as not valid, even if it is valid.'),
	http401: error('401 Unauthorized', 'The access token is not valid', 'No access token is accepted, not even a new one.'),
	http403: error(
		'403 Forbidden',
		'This client does not have permission for this operation',
		'The error says that the client lacks permission.',
	),
	http404: error('404 Not Found', 'The requested resource is not found', 'Every requested resource is reported as not found.'),
	http408: error('408 Request Timeout', 'The request took too long', 'The time for the request is over, but it is processed.'),
	resetBefore: kind(BROKEN, 'Reset, not processed', `The connection is reset at once. ${NOT_PROCESSED}`),
	resetAfter: kind(
		BROKEN,
		'Reset, processed',
		'The connection is reset after the request was processed: a customer exists, but the client does not know.',
	),
	unavailable: { ...kind(BROKEN, 'Unavailable, 502 pages', `For this time, a proxy responds to every request with a 502 page. ${NOT_PROCESSED}`), ...outage },
	refused: {
		...kind(BROKEN, 'Unavailable, connections refused', 'For this time, the sandbox accepts no connections. Requests in progress are processed.'),
		...outage,
	},
	htmlPage: kind(OTHER, 'HTML page', `A 502 page of a proxy instead of JSON. ${NOT_PROCESSED}`),
	/** As Varnish does by default when a backend does not answer in time. `retryAfterSeconds`: default 5. */
	pageAfter: {
		...kind(OTHER, 'HTML page, processed', 'A 503 page of a cache, with Retry-After. The request is processed.'),
		parameters: { retryAfterSeconds: httpError.retryAfterSeconds, ...scope },
	},
	truncatedJson: kind(OTHER, 'Truncated JSON', 'The response is cut off halfway. The request is processed.'),
	hugeBody: {
		...kind(OTHER, 'Huge body', 'A very large JSON body. The request is processed.'),
		parameters: { megabytes: integer(1).max(200).optional(), ...scope },
		needs: { name: 'megabytes', label: 'megabytes', value: 20 },
	},
	/** Counted for each token from its issue. */
	tokenExpires: {
		group: TOKENS,
		title: 'Expiring tokens',
		does: 'Each access token works for a set number of requests. After that, requests get a 401.',
		parameters: { afterRequests: integer(1) },
		needs: { name: 'afterRequests', label: 'requests per token', value: 3 },
	},
} satisfies Record<string, FaultKind>;

type ParametersOf<Shape extends z.ZodRawShape> = z.infer<z.ZodObject<Shape>>;
export type FaultName = keyof typeof FAULTS;
export type HttpFaultName = Extract<FaultName, `http${number}`>;
export type FaultRule = { [Name in FaultName]: { fault: Name } & ParametersOf<(typeof FAULTS)[Name]['parameters']> }[FaultName];

const [first, ...others] = Object.entries(FAULTS).map(([fault, { parameters }]) =>
	z.object({ fault: z.literal(fault), ...(parameters as z.ZodRawShape) }).strict(),
);
const rules = z.array(z.discriminatedUnion('fault', [first!, ...others])) as unknown as z.ZodType<FaultRule[]>;

/** What is to go wrong; just the list of its rules is a plan too. */
const planSchema = z.preprocess(
	(value) => (Array.isArray(value) ? { rules: value } : value),
	z.object({
		/** The same seed and the same sequence of requests give the same faults. Default 1. */
		seed: z.number().int().optional(),
		/** Asked in order: latencies add up, and of the rest the first that is drawn wins. */
		rules: rules.optional(),
	}).strict(),
);
export type FaultPlan = z.infer<typeof planSchema>;

/**
 * A plan from JSON that someone wrote.
 * @throws {ApiError} if it is not one
 */
export const parseFaultPlan = (value: unknown): FaultPlan => checked(planSchema, value);

/** Every fault, as the page shows it. `scoped`: it is for requests, and not for tokens. */
export const FAULT_SWITCHES = Object.entries<FaultKind>(FAULTS).map(
	([fault, { group, title, does, needs, parameters }]) => ({ fault, group, title, does, needs, scoped: 'path' in parameters }),
);
