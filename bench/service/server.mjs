// The service that all are measured against: Node's http and nothing else, in a process of its own. It knows
// the API's paths, takes a set time for each reply, and counts. The sandbox of this project checks every
// request against the API's description, which would cost more than what is measured.
import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { limiter } from './limiter.mjs';

/** Milliseconds that an idle connection is kept: as nginx does it. */
const KEEP_ALIVE_MS = 75_000;

const GATEWAY = /^\/v1\/voip\/dss\/gtw\/([^/]+)/;

/** Access tokens that were issued; they stay valid, so that a run can find one stored. */
const tokens = new Set();

let conditions;
let counters;
let pass;
let inFlight = 0;

/** @param {{ latency: number, perSecond: number }} wanted latency: ms; perSecond: requests that pass, 0 for no limit */
function reset(wanted) {
	conditions = wanted;
	pass = limiter(wanted.perSecond);
	counters = { requests: 0, logins: 0, good: 0, limited: 0, peakInFlight: 0, sockets: 0, different: new Set() };
}
reset({ latency: 0, perSecond: 0 });

const service = http.createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, reply) => {
	let body = '';
	request.on('data', (chunk) => (body += chunk));
	const isLogin = request.url === '/auth/api-key/login';
	counters[isLogin ? 'logins' : 'requests']++;
	counters.peakInFlight = Math.max(counters.peakInFlight, ++inFlight);
	reply.once('close', () => inFlight--);
	const seconds = pass();
	// Whoever is over the limit hears of it at once: a limiter stands before the work.
	if (seconds > 0) {
		request.once('end', () => send(reply, 429, { status: 'Too Many Requests', message: 'Too many requests', errors: '' }, { 'retry-after': Math.ceil(seconds) }));
		return;
	}
	setTimeout(() => {
		if (request.complete) answer(request, body, reply);
		else request.once('end', () => answer(request, body, reply));
	}, conditions.latency);
});

service.on('connection', () => counters.sockets++);

function answer({ method, url, headers }, body, reply) {
	if (url === '/auth/api-key/login') {
		const token = randomUUID();
		tokens.add(token);
		send(reply, 200, { access_token: token });
		return;
	}
	if (!tokens.has(headers.authorization?.replace(/^Bearer /, ''))) {
		send(reply, 401, { status: 'Unauthorized', message: 'The access token is not valid', errors: '' });
		return;
	}
	const gateway = method === 'GET' && GATEWAY.exec(url)?.[1];
	if (gateway) {
		send(reply, 200, { id: gateway, name: `Gateway ${gateway}`, type: 'elastic-sip-trunk', organizationId: 10, terminationUri: `gtw-${gateway}.sip.example` });
	} else if (method === 'PUT' && url === '/v1/voip/dss/trunk/country/setpremium') {
		send(reply, 204);
	} else if (method === 'POST' && url === '/v1/customers/add') {
		send(reply, 200, { id: counters.good + 1, ...JSON.parse(body), createdAt: '2026-01-01T10:00:00.000Z' });
	} else {
		send(reply, 404, { status: 'Not Found', message: 'The API has no such path', errors: url });
		return;
	}
	counters.different.add(url + body);
}

function send(reply, status, body, headers = {}) {
	if (status === 429) counters.limited++;
	else if (status < 400 && !body?.access_token) counters.good++;
	const text = body && JSON.stringify(body);
	reply.writeHead(status, { ...(text && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }), ...headers }).end(text);
}

// Set and read from elsewhere, so that doing so is not counted.
const control = http.createServer((request, reply) => {
	if (request.method === 'GET') {
		reply.end(JSON.stringify({ ...counters, different: counters.different.size }));
		return;
	}
	let body = '';
	request.on('data', (chunk) => (body += chunk));
	request.once('end', () => {
		reset(JSON.parse(body));
		reply.end();
	});
});

const listen = (server) =>
	new Promise((resolve) => {
		server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${server.address().port}`));
	});

console.log(JSON.stringify({ url: await listen(service), control: await listen(control) }));
