import { STATUS_CODES } from 'node:http';

import { z } from 'zod';

import { ApiError, type Reply } from '../apiError';
import { TokenBucket } from './tokenBucket';

/** A fault: its texts on the page, the parameters of its rules, and its behavior. */
export interface Fault<Parameters extends z.ZodRawShape = z.ZodRawShape> extends Behavior<Parameters> {
	title: string;
	does: string;
	parameters: Parameters;
}

/** What a fault does to a request, by `delayMs` or `reply`; `tokenExpires` has neither, and is applied by `State.setFaults`. */
interface Behavior<Parameters extends z.ZodRawShape> {
	/** The one parameter that can be set on the page, and its initial value. */
	pageInput?: { name: string; label: string; value: number };
	/** By how much the request is delayed. */
	delayMs?(rule: ValuesOf<Parameters>): number;
	/**
	 * For faults that depend on time; called once per rule. The gate returns the seconds until requests pass again, or 0
	 * to let this one pass.
	 */
	createGate?(rule: ValuesOf<Parameters>): () => number;
	/** Whether the request is processed first, so that records change although the client gets an error. */
	processed?: boolean;
	/** Whether the sandbox accepts no connections for the rule's `ms`. */
	stopsListening?: boolean;
	/** The response to send. @param original that of the processed request @returns "reset" to reset the connection */
	reply?(rule: ValuesOf<Parameters>, original: Reply, secondsLeft: number): Reply | 'reset';
}

export type ValuesOf<Parameters extends z.ZodRawShape> = z.infer<z.ZodObject<Parameters>>;

const NOT_PROCESSED = 'No data is changed.';
const ON_PURPOSE = 'A sandbox fault caused this error on purpose';

const integer = (min: number) => z.number().int().min(min);
const milliseconds = z.number().min(0).max(600_000);

/** The parameters of all faults but `tokenExpires`: which requests a rule applies to, and to how many of them. */
export const scope = {
	/** Share of the requests that are affected. Default 1. */
	rate: z.number().min(0).max(1).optional(),
	/** Only this path and those below it: `/v1/voip` matches `/v1/voip/dss/gtw/1`, but not `/v1/voipx`. */
	path: z.string().startsWith('/').optional(),
	method: z
		.string()
		.regex(/^(get|put|post|patch|delete|head|options)$/i, 'Expected an HTTP method')
		.optional(),
	/** Only requests whose body contains this text, such as a customer's VAT number. */
	bodyContains: z.string().optional(),
	count: integer(0).optional(),
	/** Skips this many matching requests first. */
	after: integer(0).optional(),
	/** Only every nth matching request, as with one bad server of n in turn. */
	every: integer(1).optional(),
};

const retryAfter = {
	retryAfterSeconds: z.number().min(0).optional(),
	/** Whether Retry-After is sent. */
	retryAfterAs: z.enum(['seconds', 'none']).optional(),
};

/** A fault that is injected into requests. @param ownParameters its parameters, in addition to `scope` */
const fault = <Own extends z.ZodRawShape>(
	title: string,
	does: string,
	ownParameters: Own,
	behavior: Behavior<Own & typeof scope>,
) => ({ title, does, parameters: { ...ownParameters, ...scope }, ...behavior });

/** Lasts for the rule's `ms`, from the first request that it affects. */
const outage = {
	pageInput: { name: 'ms', label: 'milliseconds', value: 3000 },
	createGate({ ms }: { ms: number }) {
		let until: number | undefined;
		return () => Math.max(0, (until ??= performance.now() + ms) - performance.now()) / 1000;
	},
};

/** The faults, in the order of --help and of the page. */
export const FAULTS = {
	/** Combines with other faults. */
	latency: fault(
		'Latency',
		'The response is delayed.',
		{ ms: milliseconds },
		{
			pageInput: { name: 'ms', label: 'milliseconds', value: 2000 },
			delayMs: ({ ms }) => ms,
		},
	),
	rateLimit: fault(
		'Rate limit',
		'Requests above this rate get a 429 with Retry-After.',
		{ perSecond: z.number().positive(), retryAfterAs: retryAfter.retryAfterAs },
		{
			pageInput: { name: 'perSecond', label: 'requests a second', value: 5 },
			createGate({ perSecond }) {
				const bucket = new TokenBucket(perSecond);
				return () => bucket.secondsToWait();
			},
			reply({ perSecond: accepted, retryAfterAs }, _, seconds) {
				const headers = retryAfterOf({ retryAfterSeconds: Math.ceil(seconds), retryAfterAs });
				return new ApiError(429, 'Too many requests', `At most ${accepted} requests a second are accepted`, headers)
					.reply;
			},
		},
	),
	/** `processed`: the request is processed first. A 429 has Retry-After, by default 1 second. */
	http: fault(
		'Error status',
		`The service responds with this status, from 400 to 599. ${NOT_PROCESSED}`,
		{
			status: integer(400).max(599),
			message: z.string().optional(),
			errors: z
				.union([z.string(), z.array(z.object({ field: z.string(), message: z.string() })), z.record(z.unknown())])
				.optional(),
			processed: z.boolean().optional(),
			...retryAfter,
		},
		{
			pageInput: { name: 'status', label: 'status', value: 503 },
			reply({ status, message = 'The service failed', errors = ON_PURPOSE, ...rule }) {
				const headers = retryAfterOf({ ...(status === 429 && { retryAfterSeconds: 1 }), ...rule });
				return new ApiError(status, message, errors, headers).reply;
			},
		},
	),
	htmlPage: fault(
		'HTML page',
		`A 502 page of a proxy instead of JSON. ${NOT_PROCESSED}`,
		{},
		{ reply: () => page(502) },
	),
	/** Like Varnish's default page when a backend times out. */
	pageAfter: fault(
		'HTML page, processed',
		'A 503 page of a cache, with Retry-After. The request is processed.',
		{ retryAfterSeconds: retryAfter.retryAfterSeconds },
		{ processed: true, reply: ({ retryAfterSeconds = 5 }) => page(503, retryAfterOf({ retryAfterSeconds })) },
	),
	resetBefore: fault(
		'Reset, not processed',
		`The connection is reset at once. ${NOT_PROCESSED}`,
		{},
		{ reply: () => 'reset' },
	),
	resetAfter: fault(
		'Reset, processed',
		'The connection is reset after the request was processed: a customer exists, but the client does not know.',
		{},
		{ processed: true, reply: () => 'reset' },
	),
	/** `status`: that of the page; maintenance pages have 200, 302, 404 or 503. */
	unavailable: fault(
		'Unavailable, 502 pages',
		`For this time, a proxy responds to every request with a 502 page. ${NOT_PROCESSED}`,
		{ ms: milliseconds, status: integer(200).max(599).optional() },
		{
			...outage,
			reply: ({ status = 502 }) => page(status, isRedirect(status) ? { Location: '/maintenance.html' } : {}),
		},
	),
	refused: fault(
		'Unavailable, connections refused',
		'For this time, the sandbox accepts no connections. Requests in progress are processed.',
		{ ms: milliseconds },
		{ ...outage, stopsListening: true, processed: true, reply: (_, original) => original },
	),
	/** Counts the requests of each token since its issue. */
	tokenExpires: {
		title: 'Expiring tokens',
		does: 'Each access token works for a set number of requests. After that, requests get a 401.',
		pageInput: { name: 'afterRequests', label: 'requests per token', value: 3 },
		parameters: { afterRequests: integer(1) },
	},
} satisfies Record<string, Fault>;

/** The Retry-After header; none without a number of seconds. */
function retryAfterOf({
	retryAfterSeconds: seconds,
	retryAfterAs,
}: ValuesOf<typeof retryAfter>): Record<string, string> {
	return seconds === undefined || retryAfterAs === 'none' ? {} : { 'Retry-After': String(seconds) };
}

const isRedirect = (status: number) => status >= 300 && status < 400;

/** The error page of a proxy. */
function page(status: number, headers: Record<string, string> = {}): Reply {
	const title = `${status} ${STATUS_CODES[status]}`;
	const body = `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`;
	return { status, headers: { 'Content-Type': 'text/html; charset=utf-8', ...headers }, body };
}
