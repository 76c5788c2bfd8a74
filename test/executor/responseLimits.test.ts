import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';

import { credentialFor, testCredential } from '../support/executor/credentialStore';
import { execute } from '../support/executor/execute';
import { getGateway } from '../support/operations';
import { Polling } from '../support/executor/poll';
import { startService } from '../support/executor/startService';
import { json } from '../support/recorder';

const MB = 1_000_000;

const POLLED = { gatewayIds: '1', options: { maxRetries: 0 } };

const failing = async (url: string) =>
	(await execute({ parameters: getGateway('1', { options: { maxRetries: 0 } }), credential: credentialFor(url) })).error;

/** Every kind of response that the package reads: its size limit as documented, and how to get its error. */
const KINDS = [
	{ name: 'login', isLogin: true, limit: MB, run: failing },
	{ name: 'operation', limit: 25 * MB, run: failing },
	{ name: 'trigger', limit: MB, run: async (url: string) => (await new Polling(POLLED, credentialFor(url)).poll()).error },
	{ name: 'credential test', isLogin: true, limit: MB, run: async (url: string) => await testCredential(credentialFor(url)) },
];

/** The bytes of the longest response that `work` read. */
async function counted<Result>(work: () => Promise<Result>) {
	const { push } = Readable.prototype;
	// By stream, as a decompressed body passes through several.
	const bytesOf = new Map<Readable, number>();
	Readable.prototype.push = function (chunk: Buffer | null, encoding?) {
		bytesOf.set(this, (bytesOf.get(this) ?? 0) + (chunk?.length ?? 0));
		return push.call(this, chunk, encoding);
	};
	try {
		return { result: await work(), bytesRead: Math.max(...bytesOf.values()) };
	} finally {
		Readable.prototype.push = push;
	}
}

/** Answers the kind's requests, each in a service of its own. */
async function answered(kind: (typeof KINDS)[number], answer: (response: ServerResponse) => void) {
	const service = kind.isLogin
		? await startService((_request, response) => json(response, 200, {}), (_request, response) => answer(response))
		: await startService((_request, response) => answer(response));
	return await counted(async () => await kind.run(service.url));
}

describe.each(KINDS)('$name', (kind) => {
	test.each([
		['50 MB', (response: ServerResponse) => response.end(Buffer.alloc(50 * MB, 'x'))],
		['50 KB of gzip that become 50 MB', (response: ServerResponse) =>
			response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(Buffer.alloc(50 * MB, 'x')))],
	])('a body of %s is read up to the limit and no further', async (_name, answer) => {
		const { result, bytesRead } = await answered(kind, answer);
		expect(bytesRead).toBeGreaterThan(kind.limit);
		// And what was in flight.
		expect(bytesRead).toBeLessThan(kind.limit + MB);
		expect(result?.message).toMatch(new RegExp(`more than ${kind.limit / MB} MB|no usable access token`));
	}, 300_000);
});
