import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { MAX_RESPONSE_BYTES, readResponse } from '../../nodes/VoiceAdmin/transport/response/readResponse';
import { type Sandbox, startSandbox } from '../../sandbox';
import {
	addCustomer,
	CONTINUE,
	credentialFor,
	execute,
	getGateway,
	numbered,
	raw,
	startService,
} from '../support/executor';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes in use, buffers included, after collections, until half a second of them has freed nothing more. */
async function heap(): Promise<number> {
	let least = Infinity;
	for (let unchanged = 0; unchanged < 5; unchanged++) {
		collectGarbage();
		// Meanwhile settled promises and closed sockets are released, on a busy machine later than on an idle one.
		await new Promise((resolve) => setTimeout(resolve, 100));
		const { heapUsed, arrayBuffers } = process.memoryUsage();
		const used = heapUsed + arrayBuffers;
		if (used < least - 10_000) unchanged = 0;
		least = Math.min(least, used);
	}
	return least;
}

const megabytes = (bytes: number) => Number((bytes / 2 ** 20).toFixed(1));
let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox();
});

afterAll(async () => await sandbox.close());

const get = async (count: number) =>
	await execute({
		items: numbered(count),
		parameters: getGateway('={{ $json.n % 12 + 1 }}'),
		credential: credentialFor(sandbox.url),
	});

test.each(['{"message":"x', '{"a":"x', 'x'])(
	'an error keeps no more of a response than it shows: %s',
	async (beginning) => {
		const end = beginning.startsWith('{') ? '"}' : '';
		const fail = async (index: number) => {
			const service = await startService((_request, response) =>
				raw(response, 400, 'text/plain', `${beginning}${index}${'x'.repeat(1_000_000)}${end}`),
			);
			return await execute({ parameters: getGateway('1'), credential: credentialFor(service.url), settings: CONTINUE });
		};
		await fail(0);
		const before = await heap();
		const failed: unknown[] = [];
		for (let index = 0; index < 20; index++) failed.push((await fail(index)).output[0]?.json.error);
		expect(megabytes((await heap()) - before)).toBeLessThan(10);
		expect(failed).toEqual(failed.map(() => expect.objectContaining({ code: 'rejected' })));
	},
);

test('ten runs leak no memory: neither bodies nor results of their creates stay', async () => {
	const run = async () => {
		await execute({
			items: numbered(500),
			parameters: addCustomer('={{ "C" + $json.n }}', { otherFields: { text: 'x'.repeat(2_000) } as never }),
			credential: credentialFor(sandbox.url),
			settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 10 },
		});
		sandbox.reset();
	};
	// The first runs fill caches of the engine and of the HTTP client.
	for (let i = 0; i < 3; i++) await run();
	const before = await heap();
	for (let i = 0; i < 10; i++) await run();
	const grown = (await heap()) - before;
	// Ten runs send 10 MB of bodies and give 5,000 items: three runs that stayed would be seen, a token or a limiter would not.
	expect(megabytes(grown)).toBeLessThan(3);
});

test('1,000 executions with the same key, behind a rate limit, leak no memory: nothing of a run stays in their limiter', async () => {
	const run = async () => await get(2);
	const executions = async (count: number) => {
		// A rule, as a limit in a second would not be reached on a slow machine.
		sandbox.setFaults([{ fault: 'http', status: 429, method: 'GET', after: 100, count: 20 }]);
		const AT_ONCE = 20;
		for (let n = 0; n < count; n += AT_ONCE) {
			const results = await Promise.all(Array.from({ length: AT_ONCE }, run));
			expect(results.flatMap(({ output }) => output)).toHaveLength(2 * AT_ONCE);
		}
		const { requests, logins } = sandbox.getRecordsAndCounters().counters;
		sandbox.reset();
		return requests - logins - 2 * count;
	};
	// The first ones fill caches, as above, and come to the limit, which the limiter knows then.
	expect(await executions(300)).toBeGreaterThan(0);
	const before = await heap();
	await executions(1_000);
	const grown = (await heap()) - before;
	// Two kilobytes for each execution would be as much: a run that stayed in the limiter holds more.
	expect(megabytes(grown)).toBeLessThan(2);
});

const read = async (body: Readable) =>
	await readResponse({ statusCode: 400, headers: {}, body } as never, MAX_RESPONSE_BYTES, new AbortController().signal);

test.each([4, 100, 65_536])('a body in chunks of %i bytes takes no more than three times its size', async (size) => {
	const bytes = 4_000_000;
	let kept = 0;
	const chunks = async function* () {
		const before = await heap();
		for (let sent = 0; sent < bytes; sent += size) yield Buffer.from('x'.repeat(size));
		kept = (await heap()) - before;
	};
	await read(Readable.from(chunks()));
	expect(kept / bytes).toBeLessThan(3);
});

test('of a page of four megabytes, only the beginning is kept', async () => {
	const before = await heap();
	const { body } = await read(Readable.from([Buffer.from('<html>'.padEnd(4_000_000, 'x'))]));
	expect(megabytes((await heap()) - before)).toBeLessThan(1);
	expect(body).toMatchObject({ kind: 'html', text: expect.stringMatching(/^<html>x+$/) });
});
