import { z } from 'zod';

import { ApiError, nameOf, type Reply } from '../apiError';
import { TokenBucket } from './tokenBucket';

/** A fault: its texts on the page and in --help, the parameters of its rules, and its behavior. */
export interface Fault<Parameters extends z.ZodRawShape = z.ZodRawShape> extends Behavior<Parameters> {
	title: string;
	description: string;
	parameters: Parameters;
}

/** What a fault does to a request instead of a delay. */
export interface Injection {
	/** Whether the request is processed first, so that records change although the client gets an error. */
	processed?: boolean;
	/** For how many milliseconds the sandbox accepts no connections. */
	outageMs?: number;
	/** The response to send, by default that of the processed request; "reset" to reset the connection. */
	reply?: Reply | 'reset';
}

/** What a fault does to a request, by `delayMs` or `inject`; `tokenExpires` has neither, and is applied by `SandboxState.setFaults`. */
interface Behavior<Parameters extends z.ZodRawShape> {
	/** The one parameter that can be set on the page, and its initial value. */
	pageInput?: { name: string; label: string; value: number };
	/** By how much the request is delayed. */
	delayMs?(rule: ValuesOf<Parameters>): number;
	/**
	 * For faults that depend on time; called once per rule. The throttle returns the seconds until requests pass again, or
	 * 0 to let this one pass.
	 */
	createThrottle?(rule: ValuesOf<Parameters>): () => number;
	/** @param remainingSeconds of the throttle */
	inject?(rule: ValuesOf<Parameters>, remainingSeconds: number): Injection;
}

export type ValuesOf<Parameters extends z.ZodRawShape> = z.infer<z.ZodObject<Parameters>>;

const NO_CHANGE_NOTE = 'No data is changed.';
const DEFAULT_ERRORS = 'A sandbox fault caused this error on purpose';

const integer = (min: number) => z.number().int().min(min);
const duration = z.number().min(0).max(600_000);
const outageDuration = duration.describe('milliseconds, from the first request that it affects');

/** The parameters of all faults but `tokenExpires`, described for --help: which requests a rule applies to, and to how many. */
export const ruleFilters = {
	rate: z.number().min(0).max(1).optional().describe('share of the requests, from 0 to 1'),
	path: z.string().startsWith('/').optional().describe('only this path and those below it, such as /v1/voip'),
	method: z
		.string()
		.regex(/^(get|put|post|patch|delete|head|options)$/i, 'Expected an HTTP method')
		.optional()
		.describe('only this HTTP method'),
	bodyContains: z.string().optional().describe('only requests with this text in their body, such as a VAT number'),
	count: integer(0).optional().describe('only so many requests'),
	after: integer(0).optional().describe('skips so many requests first'),
	every: integer(1).optional().describe('only every nth request, as with one bad server of n'),
};

const retryAfter = {
	retryAfterSeconds: z.number().min(0).optional().describe('value of the header Retry-After'),
	retryAfterAs: z.literal('none').optional().describe('"none": without the header Retry-After'),
};

/** A fault that is injected into requests. @param ownParameters its parameters, in addition to `ruleFilters` */
const defineFault = <Own extends z.ZodRawShape>(
	title: string,
	description: string,
	ownParameters: Own,
	behavior: Behavior<Own & typeof ruleFilters>,
) => ({ title, description, parameters: { ...ownParameters, ...ruleFilters }, ...behavior });

/** Begins with the first request that it affects. */
const outage = {
	pageInput: { name: 'ms', label: 'milliseconds', value: 3000 },
	createThrottle({ ms }: { ms: number }) {
		let endsAt: number | undefined;
		return () => Math.max(0, (endsAt ??= performance.now() + ms) - performance.now()) / 1000;
	},
};

/** The faults, in the order of --help and of the page. */
export const FAULTS = {
	/** Combines with other faults. */
	latency: defineFault(
		'Latency',
		'The response is delayed.',
		{ ms: duration.describe('milliseconds') },
		{ pageInput: { name: 'ms', label: 'milliseconds', value: 2000 }, delayMs: ({ ms }) => ms },
	),
	rateLimit: defineFault(
		'Rate limit',
		'Requests above this rate get a 429 with Retry-After.',
		{ perSecond: z.number().positive().describe('requests a second'), retryAfterAs: retryAfter.retryAfterAs },
		{
			pageInput: { name: 'perSecond', label: 'requests a second', value: 5 },
			createThrottle({ perSecond }) {
				const bucket = new TokenBucket(perSecond);
				return () => bucket.takeToken();
			},
			inject({ perSecond, retryAfterAs }, remainingSeconds) {
				const headers = retryAfterOf({ retryAfterSeconds: Math.ceil(remainingSeconds), retryAfterAs });
				const details = `At most ${perSecond} requests a second are accepted`;
				return { reply: new ApiError(429, 'Too many requests', details, headers).reply };
			},
		},
	),
	http: defineFault(
		'Error status',
		`The service responds with this status, from 400 to 599. ${NO_CHANGE_NOTE}`,
		{
			status: integer(400).max(599).describe('from 400 to 599'),
			message: z.string().optional().describe('text in the error body'),
			errors: z
				.union([z.string(), z.array(z.object({ field: z.string(), message: z.string() })), z.record(z.unknown())])
				.optional()
				.describe('details in the error body'),
			processed: z.boolean().optional().describe('true: the request is processed first'),
			...retryAfter,
		},
		{
			pageInput: { name: 'status', label: 'status', value: 503 },
			inject({ status, message = 'The service failed', errors = DEFAULT_ERRORS, processed, ...rule }) {
				const headers = retryAfterOf({ ...(status === 429 && { retryAfterSeconds: 1 }), ...rule });
				return { processed, reply: new ApiError(status, message, errors, headers).reply };
			},
		},
	),
	htmlPage: defineFault(
		'HTML page',
		`A 502 page of a proxy instead of JSON. ${NO_CHANGE_NOTE}`,
		{},
		{ inject: () => ({ reply: createPage(502) }) },
	),
	/** Like Varnish's default page when a backend times out. */
	pageAfter: defineFault(
		'HTML page, processed',
		'A 503 page of a cache, with Retry-After. The request is processed.',
		{ retryAfterSeconds: retryAfter.retryAfterSeconds },
		{
			inject: ({ retryAfterSeconds = 5 }) => ({
				processed: true,
				reply: createPage(503, retryAfterOf({ retryAfterSeconds })),
			}),
		},
	),
	resetBefore: defineFault(
		'Reset, not processed',
		`The connection is reset at once. ${NO_CHANGE_NOTE}`,
		{},
		{ inject: () => ({ reply: 'reset' }) },
	),
	resetAfter: defineFault(
		'Reset, processed',
		'The connection is reset after the request was processed: a customer exists, but the client does not know.',
		{},
		{ inject: () => ({ processed: true, reply: 'reset' }) },
	),
	unavailable: defineFault(
		'Unavailable, 502 pages',
		`For this time, a proxy responds to every request with a 502 page. ${NO_CHANGE_NOTE}`,
		{ ms: outageDuration, status: integer(200).max(599).optional().describe('of the page, such as 200, 302 or 404') },
		{
			...outage,
			inject: ({ status = 502 }) => ({
				reply: createPage(status, isRedirect(status) ? { Location: '/maintenance.html' } : {}),
			}),
		},
	),
	refused: defineFault(
		'Unavailable, connections refused',
		'For this time, the sandbox accepts no connections. Requests in progress are processed.',
		{ ms: outageDuration },
		{ ...outage, inject: ({ ms }) => ({ processed: true, outageMs: ms }) },
	),
	tokenExpires: {
		title: 'Expiring tokens',
		description: 'Each access token works for a set number of requests. After that, requests get a 401.',
		pageInput: { name: 'afterRequests', label: 'requests per token', value: 3 },
		parameters: { afterRequests: integer(1).describe('requests for each token') },
	},
} satisfies Record<string, Fault>;

/** The Retry-After header; none without a number of seconds. */
function retryAfterOf({ retryAfterSeconds, retryAfterAs }: ValuesOf<typeof retryAfter>): Record<string, string> {
	return retryAfterSeconds === undefined || retryAfterAs ? {} : { 'Retry-After': String(retryAfterSeconds) };
}

const isRedirect = (status: number) => status >= 300 && status < 400;

/** The error page of a proxy. */
function createPage(status: number, headers: Record<string, string> = {}): Reply {
	const title = `${status} ${nameOf(status)}`;
	const body = `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`;
	return { status, headers: { 'Content-Type': 'text/html; charset=utf-8', ...headers }, body };
}
