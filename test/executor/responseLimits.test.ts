import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';

import { CredentialTestContext } from 'n8n-core';
import type { ICredentialsDecrypted } from 'n8n-workflow';

import { testVoiceAdminApi } from '../../nodes/VoiceAdmin/methods/credentialTest';
import { credentialFor } from '../support/executor/credentialStore';
import { execute } from '../support/executor/execute';
import { getGateway } from '../support/operations';
import { Polling } from '../support/executor/poll';
import { json, Recorder } from '../support/recorder';

const MB = 1_000_000;
/** As documented. */
const LIMITS = { operation: 25 * MB, small: MB };

/** Every kind of response that the package reads: its size limit, and how to get its error. */
const KINDS = [
	{ name: 'login', isLogin: true, limit: LIMITS.small, run: async (url: string) => await errorOf(url) },
	{ name: 'operation', limit: LIMITS.operation, run: async (url: string) => await errorOf(url) },
	{ name: 'trigger', limit: LIMITS.small, run: async (url: string) => (await new Polling({ gatewayIds: '1', options: { maxRetries: 0 } }, credentialFor(url)).poll()).error },
	{
		name: 'credential test', isLogin: true, limit: LIMITS.small,
		run: async (url: string) => await testVoiceAdminApi.call(new CredentialTestContext(), { id: '1', name: 'x', type: 'voiceAdminApi', data: credentialFor(url) } as ICredentialsDecrypted),
	},
];

async function errorOf(url: string) {
	return (await execute({ parameters: getGateway('1', { options: { maxRetries: 0 } }), credential: credentialFor(url) })).error;
}

/** What `work` read: the longest text matched against a pattern, and the bytes of the longest response. */
async function counted<Result>(work: () => Promise<Result>) {
	const seen = { longestPatternInput: 0, bytesRead: 0 };
	const { exec } = RegExp.prototype;
	const { push } = Readable.prototype;
	// Every use of a pattern, as by `replace` or `test`, calls its `exec`.
	RegExp.prototype.exec = function (text: string) {
		seen.longestPatternInput = Math.max(seen.longestPatternInput, text.length);
		return exec.call(this, text);
	};
	// By stream, as a decompressed body passes through several.
	const bytesOf = new Map<Readable, number>();
	Readable.prototype.push = function (chunk: Buffer | null, encoding?) {
		bytesOf.set(this, (bytesOf.get(this) ?? 0) + (chunk?.length ?? 0));
		seen.bytesRead = Math.max(seen.bytesRead, bytesOf.get(this)!);
		return push.call(this, chunk, encoding);
	};
	try {
		return { result: await work(), ...seen };
	} finally {
		RegExp.prototype.exec = exec;
		Readable.prototype.push = push;
	}
}

/** Answers the kind's requests, each in a service of its own. */
async function answered(kind: (typeof KINDS)[number], answer: (response: ServerResponse) => void) {
	const service = kind.isLogin
		? await Recorder.start((_request, response) => json(response, 200, {}), (_request, response) => answer(response))
		: await Recorder.start((_request, response) => answer(response));
	try {
		return await counted(async () => await kind.run(service.url));
	} finally {
		await service.close();
	}
}

/** Beginnings of the node's own words for what the service did. */
const OWN_WORDS = /^(?:The service answered \d{3} with |Could not log in: \S+(?: service)? answered \d{3}\b|The service did not accept the API key: )/;

/** The end of the API's own message, cut. */
const API_WORDS = /\S … \(\d{6} characters\)$/;

/** Beginnings of what the package's patterns match, and of what they skip. */
const FILLERS = ['<title', '<title ', '<html', '<', '>', '"', '\\', '\\u00', '%', '%e2%82', '&', '&#', '&#x', '+', '[', '{', '{"', '//', '?', ' ', '\t', 'a', '-1', '={{', '$json.', 'certificate'];

describe.each(KINDS.slice(0, 2))('$name', (kind) => {
	test.each([
		['an HTML page', 200, (filler: string) => `<html>${filler.repeat(MB / filler.length)}`],
		['a text', 500, (filler: string) => filler.repeat(MB / filler.length)],
		['an error of the API', 400, (filler: string) => JSON.stringify({ message: filler.repeat(MB / filler.length / 4), errors: [{ field: filler, message: filler.repeat(MB / filler.length / 4) }] })],
	])('%s of 1 MB of the beginning of a pattern: little of it is searched, and the error is clear', async (_name, status, page) => {
		for (const filler of FILLERS) {
			const { result, longestPatternInput } = await answered(kind, (response) => {
				response.writeHead(status, { 'Content-Type': 'text/html' }).end(page(filler));
			});
			const isOfApi = filler.trim() !== '' && result?.message.startsWith(filler.trim());
			expect([filler, result?.message]).toEqual([filler, expect.stringMatching(isOfApi ? API_WORDS : OWN_WORDS)]);
			expect(result!.message.length).toBeLessThan(1_000);
			expect([filler, longestPatternInput < 25_000]).toEqual([filler, true]);
		}
	}, 300_000);
});

describe.each(KINDS)('$name', (kind) => {
	test.each([
		['200 MB', (response: ServerResponse) => void trickle(response, 200)],
		['200 KB of gzip that become 200 MB', (response: ServerResponse) => response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(Buffer.alloc(200 * MB, 'x')))],
	])('a body of %s is read up to the limit and no further', async (_name, answer) => {
		const { result, bytesRead } = await answered(kind, answer);
		expect(bytesRead).toBeGreaterThan(kind.limit);
		// And what was in flight.
		expect(bytesRead).toBeLessThan(kind.limit + MB);
		expect(result?.message).toMatch(new RegExp(`more than ${kind.limit / MB} MB|without a usable access token`));
	}, 300_000);
});

/** Sends megabytes as fast as they are read, and stops when they are not. */
function trickle(response: ServerResponse, megabytes: number): void {
	response.writeHead(200, { 'Content-Type': 'application/json' });
	const piece = Buffer.alloc(MB, 'x');
	let left = megabytes;
	const send = () => {
		while (left-- > 0 && !response.destroyed) if (!response.write(piece)) return void response.once('drain', send);
		response.end();
	};
	send();
}
