import { Agent, request } from 'node:http';
import { connect } from 'node:net';

import axios from 'axios';
import fc from 'fast-check';

import { DEMO_CLIENT } from '../../sandbox';
import { until } from '../support/until';
import { Listener } from './listener';
import { everyFieldWrong, oddRequest, written } from './oddRequests';
import type { OddBytes, OddRequest } from './oddRequests';
import { run } from './runCli';

const AT_ONCE = 25;
/** Of random requests; those with each field wrong come besides. */
const BATCHES = 120;
const LEAST_REQUESTS = 5000;
/** A new one in each run, unless told. */
const SEED = Number(process.env.FAST_CHECK_SEED ?? Math.floor(Math.random() * 2 ** 31));
/** Replies are read so far, as a fault may have asked for one of many megabytes. */
const MOST_READ = 1_000_000;

/** For the test's own requests: a fault that a batch has left may keep a reply from ending, with a byte now and then. */
const client = axios.create();
client.interceptors.request.use((config) => ({ ...config, signal: AbortSignal.timeout(10_000) }));

const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
const sandbox = run('--port', '0', '--verbose');
let url: string;
let port: number;

beforeAll(async () => {
	[, url = ''] = (await sandbox.shows(/listens on (http:\S+)[\s\S]*Ctrl-C/)) as string[];
	port = Number(new URL(url).port);
});
afterAll(() => {
	agent.destroy();
	sandbox.stop('SIGKILL');
});

it(`survives more than ${LEAST_REQUESTS} odd requests while pages are open, and none brings out a mistake of its own (FAST_CHECK_SEED=${SEED})`, async () => {
	const listeners = [await Listener.to({ url }), await Listener.to({ url })];
	const statuses = new Map<number | undefined, number>();
	let sent = 0;
	const sendBatch = async (batch: Array<OddRequest | OddBytes>) => {
		const token = await startOver();
		const replies = await Promise.all(batch.map((one) => ('bytes' in one ? sendBytes(one) : send(one, token))));
		sent += replies.length;
		for (const status of replies) statuses.set(status, (statuses.get(status) ?? 0) + 1);
		const broken = batch.filter((one, index) => 'path' in one && one.path.startsWith('/_sandbox/') && (replies[index] ?? 0) >= 500);
		expect([broken, mistakes(), sandbox.errors()]).toEqual([[], [], '']);
	};
	for (let begin = 0; begin < everyFieldWrong.length; begin += AT_ONCE) await sendBatch(everyFieldWrong.slice(begin, begin + AT_ONCE));
	// shrinking would need a new sandbox each time
	const settings = { numRuns: BATCHES, endOnFailure: true, seed: SEED };
	await fc.assert(fc.asyncProperty(fc.array(oddRequest, { minLength: AT_ONCE, maxLength: AT_ONCE }), sendBatch), settings);
	expect(sent).toBeGreaterThanOrEqual(LEAST_REQUESTS);
	// enough of them came through to where they matter
	for (const status of [200, 201, 204, 400, 401, 403, 404, 405]) expect([status, (statuses.get(status) ?? 0) >= 10]).toEqual([status, true]);

	const headers = { Authorization: `Bearer ${await startOver()}` };
	expect((await client.get(`${url}/v1/voip/dss/gtw/1`, { headers })).data.id).toBe('1');
	expect((await client.post(`${url}/v1/customers/add`, { vatNumber: 'IT12345678903' }, { headers })).status).toBe(201);
	expect((await client.get(`${url}/`)).data).toContain('<title>Voice Admin sandbox</title>');
	for (const listener of [...listeners, await Listener.to({ url })]) {
		await until(() => listener.latest?.customers.some(({ vatNumber }) => vatNumber === 'IT12345678903') === true, 'the customer is shown');
		listener.leave();
	}
	sandbox.stop('SIGINT');
	expect([await sandbox.ended, mistakes(), sandbox.errors()]).toEqual([0, [], '']);
}, 300_000);

/**
 * Resets the sandbox and logs in. A request that its client has left may set a fault even after the reset, and the login
 * then fails or gets no end: then again.
 */
async function startOver(attempt = 1): Promise<string> {
	await reset();
	return await logIn().catch(async (error: unknown) => {
		if (attempt === 5) throw error;
		return await startOver(attempt + 1);
	});
}

/** Undoes what the batch before has left, faults included. */
async function reset(): Promise<void> {
	await client.post(`${url}/_sandbox/reset`).catch((error) => {
		throw new Error(`The sandbox does not answer (${error}). Its standard error: ${sandbox.errors()}`);
	});
}

async function logIn(): Promise<string> {
	const { clientId, clientSecret } = DEMO_CLIENT;
	return (await client.post(`${url}/auth/api-key/login`, new URLSearchParams({ clientId, clientSecret }))).data.access_token;
}

/** What the sandbox has printed of requests of the API that failed without a fault. */
function mistakes(): string[] {
	return sandbox.output().match(/^.* 5\d\d [\d.]+ ms$/gm) ?? [];
}

/** The status; undefined if there was none before the client left. */
async function send({ method, path, headers, body, leavesAfterMs }: OddRequest, token: string): Promise<number | undefined> {
	return await new Promise((resolve) => {
		const sent = request({ agent, host: '127.0.0.1', port, method, path, headers: { Authorization: `Bearer ${token}`, ...headers } });
		const leave = setTimeout(() => sent.destroy(), leavesAfterMs);
		let status: number | undefined;
		sent.on('response', (response) => {
			status = response.statusCode;
			let read = 0;
			response.on('data', (chunk: Buffer) => {
				read += chunk.length;
				// the stream of events has no end
				if (read > MOST_READ || response.headers['content-type']?.startsWith('text/event-stream')) sent.destroy();
			});
			response.on('error', () => {});
		});
		sent.on('error', () => {});
		sent.on('close', () => {
			clearTimeout(leave);
			resolve(status);
		});
		sent.end(body === undefined ? undefined : written(body));
	});
}

/** The status of the first reply, if there was one. */
async function sendBytes({ bytes, leavesAfterMs }: OddBytes): Promise<number | undefined> {
	return await new Promise((resolve) => {
		const socket = connect(port, '127.0.0.1');
		let received = '';
		socket.on('data', (chunk) => { received += chunk.toString('latin1'); });
		socket.on('error', () => {});
		socket.on('close', () => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(received)?.[1]) || undefined));
		socket.write(bytes, 'latin1');
		setTimeout(() => (bytes === '' ? socket.destroy() : socket.resetAndDestroy()), leavesAfterMs);
	});
}
