// @ts-check
// GETs by Node's http alone, with a set number in flight. In JavaScript, as what a loader of TypeScript takes would be measured.
import http from 'node:http';

const { url, token, items, inFlight } = JSON.parse(process.argv[2] ?? '');
const agent = new http.Agent({ keepAlive: true, maxSockets: inFlight });
const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };

/** @type {(path: string) => Promise<{ status?: number, body: object }>} */
const get = (path) =>
	new Promise((resolve, reject) => {
		const request = http.get(url + path, { agent, headers }, (reply) => {
			let text = '';
			reply.setEncoding('utf8');
			reply.on('data', (chunk) => (text += chunk));
			reply.once('end', () => resolve({ status: reply.statusCode, body: JSON.parse(text) }));
		});
		request.once('error', reject);
	});

const started = performance.now();
const cpuBefore = process.cpuUsage();
const gateways = /** @type {object[]} */ ([]);
let next = 1;
const worker = async () => {
	while (next <= items) {
		const { status, body } = await get(`/v1/voip/dss/gtw/${next++}`);
		if (status === 200) gateways.push(body);
	}
};
await Promise.all(Array.from({ length: inFlight }, worker));
const time = performance.now() - started;
const { user, system } = process.cpuUsage(cpuBefore);
const peakMemory = process.resourceUsage().maxRSS * 1024;
console.log(JSON.stringify({ time, good: gateways.length, cpu: (user + system) / 1000, peakMemory }));
agent.destroy();
