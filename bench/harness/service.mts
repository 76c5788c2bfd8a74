// The service for all measurements, in its own process. It is plain Node http: it knows the API's paths, responds after a set
// latency, and counts. The sandbox validates every request against openapi.yaml, which would take longer than what is
// measured.
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { TokenBucket } from '../../sandbox/faults/tokenBucket.ts';
import type { Counters } from '../results.mts';
import { type Conditions, TOKEN } from '../scenarios.mts';

const LOGIN = '/auth/api-key/login';

type Reply = [status: number, content?: object];

let latency = 0;
let limiter: TokenBucket | undefined;
let counters: Omit<Counters, 'distinct'>;
let distinct: Set<string>;

/** Sets the conditions of a scenario, and resets the counters. */
function setConditions(conditions: Conditions): void {
	latency = conditions.latency;
	limiter = conditions.perSecond ? new TokenBucket(conditions.perSecond) : undefined;
	counters = { requests: 0, logins: 0 };
	distinct = new Set();
}
setConditions({ latency });

// Keep-alive as nginx has it by default.
const service = http.createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
	// The client disconnected while sending its body.
	respond(request, response).catch(() => response.destroy());
});

async function respond(request: IncomingMessage, response: ServerResponse) {
	// PUT sets the conditions, GET reads the counters; neither is counted.
	if (request.url === '/control') {
		if (request.method === 'PUT') setConditions(JSON.parse(await text(request)) as Conditions);
		return response.end(JSON.stringify({ ...counters, distinct: distinct.size }));
	}
	counters[request.url === LOGIN ? 'logins' : 'requests']++;
	const waitSeconds = limiter?.takeToken() ?? 0;
	// A 429 is sent at once: a rate limiter comes before the work.
	const [body] = await Promise.all([text(request), sleep(waitSeconds > 0 ? 0 : latency)]);
	if (waitSeconds > 0) response.setHeader('retry-after', Math.ceil(waitSeconds));
	const [status, content] =
		waitSeconds > 0
			? ([429, { status: 'Too Many Requests', message: 'Too many requests', errors: '' }] as const)
			: createReply(request, body);
	response.statusCode = status;
	if (content) response.setHeader('content-type', 'application/json');
	return response.end(content && JSON.stringify(content));
}

function createReply({ method, url = '' }: IncomingMessage, body: string): Reply {
	if (url === LOGIN) return [200, { access_token: TOKEN }];
	distinct.add(url + body);
	return createResourceReply(`${method} ${url}`, body);
}

function createResourceReply(operation: string, body: string): Reply {
	if (operation === 'PUT /v1/voip/dss/trunk/country/setpremium') return [204];
	const createdAt = '2026-01-01T10:00:00.000Z';
	if (operation === 'POST /v1/customers/add') return [200, { id: distinct.size, ...JSON.parse(body), createdAt }];
	const [, id] = /^GET \/v1\/voip\/dss\/gtw\/([^/]+)/.exec(operation) ?? [];
	const gateway = {
		id,
		name: `Gateway ${id}`,
		type: 'elastic-sip-trunk',
		organizationId: 10,
		terminationUri: `gtw-${id}.sip.example`,
	};
	return [200, gateway];
}

service.listen(Number(process.argv[2]), '127.0.0.1');
