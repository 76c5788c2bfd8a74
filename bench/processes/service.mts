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
const GATEWAY = /^GET \/v1\/voip\/dss\/gtw\/([^/]+)/;

/** Access tokens that were issued; they stay valid, so that a run can find one stored. */
const tokens = new Set<string>();

let latency: number;
let limiter: TokenBucket | undefined;
let counters: Omit<Counters, 'different'>;
let different: Set<string>;
let inFlight = 0;

function begin(conditions: Pick<Scenario, 'latency' | 'perSecond'>): void {
	latency = conditions.latency;
	limiter = conditions.perSecond ? new TokenBucket({ perSecond: conditions.perSecond }) : undefined;
	counters = { requests: 0, logins: 0, good: 0, limited: 0, peakInFlight: 0, sockets: 0 };
	different = new Set();
}
begin({ latency: 0 });

const service = http.createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
	let body = '';
	request.on('data', (chunk) => (body += chunk));
	counters[request.url === LOGIN ? 'logins' : 'requests']++;
	counters.peakInFlight = Math.max(counters.peakInFlight, ++inFlight);
	response.once('close', () => inFlight--);
	const send = (status: number, content?: object, headers?: Record<string, string>) => {
		const reply = content && JSON.stringify(content);
		response.writeHead(status, { ...(reply && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(reply) }), ...headers }).end(reply);
	};
	const seconds = limiter?.secondsToWait() ?? 0;
	if (seconds > 0) {
		counters.limited++;
		// At once: a limiter stands before the work.
		request.once('end', () => send(429, problem('Too Many Requests', 'Too many requests'), { 'retry-after': String(Math.ceil(seconds)) }));
		return;
	}
	const answer = () => send(...replyTo(request, body));
	setTimeout(() => (request.complete ? answer() : request.once('end', answer)), latency);
});

service.on('connection', () => counters.sockets++);

const problem = (status: string, message: string, errors = '') => ({ status, message, errors });

function replyTo({ method, url = '', headers }: IncomingMessage, body: string): [status: number, content?: object] {
	if (url === LOGIN) {
		const token = randomUUID();
		tokens.add(token);
		return [200, { access_token: token }];
	}
	if (!tokens.has(headers.authorization?.replace(/^Bearer /, '') ?? '')) return [401, problem('Unauthorized', 'The access token is not valid')];
	const reply = resourceReply(`${method} ${url}`, body);
	if (!reply) return [404, problem('Not Found', 'The API has no such path', url)];
	counters.good++;
	different.add(url + body);
	return reply;
}

function resourceReply(operation: string, body: string): [status: number, content?: object] | undefined {
	if (operation === 'PUT /v1/voip/dss/trunk/country/setpremium') return [204];
	if (operation === 'POST /v1/customers/add') return [200, { id: counters.good + 1, ...JSON.parse(body), createdAt: '2026-01-01T10:00:00.000Z' }];
	const id = GATEWAY.exec(operation)?.[1];
	return id ? [200, { id, name: `Gateway ${id}`, type: 'elastic-sip-trunk', organizationId: 10, terminationUri: `gtw-${id}.sip.example` }] : undefined;
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
