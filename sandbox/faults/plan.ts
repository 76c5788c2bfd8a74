import type { ErrorDetails } from '../apiError';

/** Which requests a rule is for, and how many of them it strikes. */
export interface FaultScope {
	/** Share of the requests that are struck, from 0 to 1. Default 1. */
	rate?: number;
	/** Only this path and those below it: `/v1/voip` is for `/v1/voip/dss/gtw/1`, not for `/v1/voipx`. */
	path?: string;
	/** Only this HTTP method. */
	method?: string;
	/** Only requests whose body holds this text, such as the VAT number of one customer. */
	bodyContains?: string;
	/** Strikes at most this many requests. */
	count?: number;
	/** Leaves the first so many requests of the path and method alone. */
	after?: number;
}

/** How a reply says when to try again. */
export interface RetryAfter {
	/** Default 1 for http429; the other statuses have no Retry-After unless this is given. */
	retryAfterSeconds?: number;
	/** As a number of seconds (the default), as an HTTP date, or not at all. */
	retryAfterAs?: 'seconds' | 'date' | 'none';
}

export type HttpFaultName =
	| 'http400' | 'http401' | 'http403' | 'http404' | 'http429' | 'http500' | 'http502' | 'http503' | 'http504';

/**
 * The faults. Where one has a `status`: below 400 the request is processed and only its reply is replaced, as if the
 * network had spoilt it; from 400 on it is not processed, unless `processed` is set.
 */
export type Fault =
	/** The reply waits `ms` milliseconds, and up to `jitterMs` more. Adds to other faults. */
	| { fault: 'latency'; ms: number; jitterMs?: number }
	/** An error of the API, with its body. The request is processed all the same only where `processed` is set: default false. */
	| ({ fault: HttpFaultName; message?: string; errors?: ErrorDetails; processed?: boolean } & RetryAfter)
	/** The connection is reset and the request was not processed. */
	| { fault: 'resetBefore' }
	/** The connection is reset and the request was processed. */
	| { fault: 'resetAfter' }
	/** An HTML page instead of JSON, as a proxy gives it. Default status 502. */
	| { fault: 'htmlPage'; status?: number }
	/** JSON that ends in its middle, in a reply that is otherwise complete. Default status: the reply's own. */
	| { fault: 'truncatedJson'; status?: number }
	/** JSON of the wrong types. Default status 400, default body an error body with `"errors": 42`. */
	| { fault: 'wrongJson'; status?: number; body?: unknown }
	/** No body at all. Default status 500. */
	| { fault: 'emptyBody'; status?: number }
	/** A JSON body of this many megabytes. Default status 200, default 20. */
	| { fault: 'hugeBody'; status?: number; megabytes?: number }
	/** Headers at once, then a byte now and then, for ever. Default status 200, default 250 ms between bytes. */
	| { fault: 'neverEnds'; status?: number; everyMs?: number }
	/** A redirect to another address; the request is not processed. Default status 307. */
	| { fault: 'redirect'; location: string; status?: number }
	/** A login that succeeds without an access_token. Strikes logins only. */
	| { fault: 'loginWithoutToken' }
	/** A login that succeeds with an access_token that is not a text. Strikes logins only. Default 12345. */
	| { fault: 'loginTokenOfWrongType'; accessToken?: unknown };

/** Each token is good for so many authorized requests, counted from its issue, and gives 401 from then on. */
export interface TokenExpiresRule {
	fault: 'tokenExpires';
	afterRequests: number;
}

export type FaultRule = (Fault & FaultScope) | TokenExpiresRule;

/** What is to go wrong. */
export interface FaultPlan {
	/** The same seed and the same sequence of requests give the same faults. Default: the sandbox's seed. */
	seed?: number;
	/** Asked in order: latencies add up, and of the rest the first that strikes wins. */
	rules?: FaultRule[];
	/** Requests above this rate get 429 with Retry-After. */
	rateLimit?: RateLimit;
}

export interface RateLimit {
	perSecond: number;
	/** How many may come at once after a pause. Default: as many as in one second. */
	burst?: number;
}

export type FaultName = FaultRule['fault'];
