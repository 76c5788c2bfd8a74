// The service that all are measured against: Node's http and nothing else, in a process of its own. It knows the API's
// paths, takes a set time for each reply, and counts. The sandbox of this project checks every request against the API's
// description, which would cost more than what is measured.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { TokenBucket } from '../../sandbox/faults/tokenBucket.ts';
import type { Counters } from '../results.mts';
import type { Scenario } from '../scenarios.mts';

/** As nginx does it. */
const KEEP_ALIVE_MS = 75_000;
const LOGIN = '/auth/api-key/login';
const NO_COUNTS: Omit<Counters, 'different'> = { requests: 0, logins: 0, good: 0, limited: 0, peakInFlight: 0, sockets: 0 };

/** Access tokens that were issued; they stay valid, so that a run can find one stored. */
const tokens = new Set<string>();
let latency = 0;
let limiter: TokenBucket | undefined;
let counters = { ...NO_COUNTS };
let different = new Set<string>();
let inFlight = 0;

type Reply = [status: number, content?: object, headers?: Record<string, string>];

const service = http.createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, async (request, response) => {
	counters[request.url === LOGIN ? 'logins' : 'requests']++;
	counters.peakInFlight = Math.max(counters.peakInFlight, ++inFlight);
	response.once('close', () => inFlight--);
	const seconds = limiter?.secondsToWait() ?? 0;
	// At once: a limiter stands before the work.
	const pause = new Promise((resolve) => void (seconds > 0 ? resolve(undefined) : setTimeout(resolve, latency)));
	const [body] = await Promise.all([text(request), pause]);
	const [status, content, headers] = seconds > 0 ? rejected(seconds) : replyTo(request, body);
	const reply = content && JSON.stringify(content);
	const length = reply && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(reply) };
	response.writeHead(status, { ...length, ...headers }).end(reply);
});
service.on('connection', () => counters.sockets++);

function rejected(seconds: number): Reply {
	counters.limited++;
	return [429, problem('Too Many Requests'), { 'retry-after': String(Math.ceil(seconds)) }];
}

const problem = (status: string) => ({ status, message: status, errors: '' });

function replyTo({ method, url = '', headers }: IncomingMessage, body: string): Reply {
	if (url === LOGIN) {
		const token = randomUUID();
		tokens.add(token);
		return [200, { access_token: token }];
	}
	if (!tokens.has(headers.authorization?.replace(/^Bearer /, '') ?? '')) return [401, problem('Unauthorized')];
	const reply = resourceReply(`${method} ${url}`, body);
	if (!reply) return [404, problem('Not Found')];
	counters.good++;
	different.add(url + body);
	return reply;
}

function resourceReply(operation: string, body: string): Reply | undefined {
	if (operation === 'PUT /v1/voip/dss/trunk/country/setpremium') return [204];
	const createdAt = '2026-01-01T10:00:00.000Z';
	if (operation === 'POST /v1/customers/add') return [200, { id: counters.good + 1, ...JSON.parse(body), createdAt }];
	const [, id] = /^GET \/v1\/voip\/dss\/gtw\/([^/]+)/.exec(operation) ?? [];
	const type = 'elastic-sip-trunk';
	return id ? [200, { id, name: `Gateway ${id}`, type, organizationId: 10, terminationUri: `gtw-${id}.sip.example` }] : undefined;
}

/** Sets the conditions of a scenario, and counts from zero. */
function begin(conditions: Pick<Scenario, 'latency' | 'perSecond'>): void {
	latency = conditions.latency;
	limiter = conditions.perSecond ? new TokenBucket({ perSecond: conditions.perSecond }) : undefined;
	counters = { ...NO_COUNTS };
	different = new Set();
}

// Conditions are set and counters read on another port, so that doing so is not counted.
const control = http.createServer(async (request, response) => {
	if (request.method === 'PUT') begin(JSON.parse(await text(request)));
	response.end(JSON.stringify({ ...counters, different: different.size }));
});

const [url, controlUrl] = await Promise.all(
	[service, control].map(async (server) => {
		await once(server.listen(0, '127.0.0.1'), 'listening');
		return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	}),
);
console.log(JSON.stringify({ url, control: controlUrl }));
