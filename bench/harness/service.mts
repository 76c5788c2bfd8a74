// The service that all are measured against: Node's http and nothing else, in a process of its own. It knows the API's
// paths, takes a set time for each reply, and counts. The sandbox of this project checks every request against the API's
// description, which would cost more than what is measured.
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { TokenBucket } from '../../sandbox/faults/tokenBucket.ts';
import type { Counters } from '../results.mts';
import { type Conditions, TOKEN } from '../scenarios.mts';

const LOGIN = '/auth/api-key/login';

type Reply = [status: number, content?: object];

let latency = 0;
let limiter: TokenBucket | undefined;
let counters: Omit<Counters, 'different'>;
let different: Set<string>;

/** Sets the conditions of a scenario, and counts from zero. */
function begin(conditions: Conditions): void {
	latency = conditions.latency;
	limiter = conditions.perSecond ? new TokenBucket({ perSecond: conditions.perSecond }) : undefined;
	counters = { requests: 0, logins: 0 };
	different = new Set();
}
begin({ latency });

// Connections are kept as nginx does it.
const service = http.createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
	// A client that breaks off in its body gets no reply.
	answer(request, response).catch(() => response.destroy());
});

async function answer(request: IncomingMessage, response: ServerResponse) {
	// Conditions are set by PUT, counters read by GET; neither is counted.
	if (request.url === '/control') {
		if (request.method === 'PUT') begin(JSON.parse(await text(request)) as Conditions);
		return response.end(JSON.stringify({ ...counters, different: different.size }));
	}
	counters[request.url === LOGIN ? 'logins' : 'requests']++;
	const seconds = limiter?.secondsToWait() ?? 0;
	// At once: a limiter stands before the work.
	const pause = new Promise<void>((resolve) => void (seconds > 0 ? resolve() : setTimeout(resolve, latency)));
	const [body] = await Promise.all([text(request), pause]);
	if (seconds > 0) response.setHeader('retry-after', Math.ceil(seconds));
	const [status, content] = seconds > 0 ? problem(429, 'Too Many Requests') : replyTo(request, body);
	response.statusCode = status;
	if (content) response.setHeader('content-type', 'application/json');
	return response.end(content && JSON.stringify(content));
}

const problem = (code: number, status: string): Reply => [code, { status, message: status, errors: '' }];

function replyTo({ method, url = '', headers }: IncomingMessage, body: string): Reply {
	if (url === LOGIN) return [200, { access_token: TOKEN }];
	if (headers.authorization !== `Bearer ${TOKEN}`) return problem(401, 'Unauthorized');
	const reply = resourceReply(`${method} ${url}`, body);
	if (!reply) return problem(404, 'Not Found');
	different.add(url + body);
	return reply;
}

function resourceReply(operation: string, body: string): Reply | undefined {
	if (operation === 'PUT /v1/voip/dss/trunk/country/setpremium') return [204];
	const createdAt = '2026-01-01T10:00:00.000Z';
	if (operation === 'POST /v1/customers/add') return [200, { id: different.size + 1, ...JSON.parse(body), createdAt }];
	const [, id] = /^GET \/v1\/voip\/dss\/gtw\/([^/]+)/.exec(operation) ?? [];
	const gateway = { id, name: `Gateway ${id}`, type: 'elastic-sip-trunk', organizationId: 10, terminationUri: `gtw-${id}.sip.example` };
	return id ? [200, gateway] : undefined;
}

service.listen(Number(process.argv[2]), '127.0.0.1');
