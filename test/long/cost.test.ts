import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { parseCredential } from '../../nodes/VoiceAdmin/transport/auth/credential';
import { tokenManagerOf } from '../../nodes/VoiceAdmin/transport/auth/tokenManager';
import { failureOf } from '../../nodes/VoiceAdmin/transport/failure';
import { classifyFailure } from '../../nodes/VoiceAdmin/transport/response/classifyFailure';
import { successValueOf } from '../../nodes/VoiceAdmin/transport/response/successValue';
import { MAX_RESPONSE_BYTES, readResponse } from '../../nodes/VoiceAdmin/transport/response/readResponse';
import { credentialFor } from '../support/executor/credentialStore';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const credential = parseCredential(credentialFor('https://api.example.com'));
const nextTurn = async () => await new Promise((resolve) => setImmediate(resolve));
const read = async (body: Readable) =>
	await readResponse({ statusCode: 400, headers: {}, body } as never, MAX_RESPONSE_BYTES, new AbortController().signal);

/**
 * The most that one turn of the event loop computes while errors are made of responses with such a body, in milliseconds
 * of the processor, as a busy machine adds to those of a clock: the least of three.
 */
async function standstill(body: string, times = 1): Promise<number> {
	const runs: number[] = [];
	for (let run = 0; run < 3; run++) {
		let longest = 0;
		let last = process.cpuUsage();
		let isOver = false;
		const tick = () => {
			const { user } = process.cpuUsage(last);
			longest = Math.max(longest, user / 1_000);
			last = process.cpuUsage();
			if (!isOver) setImmediate(tick);
		};
		tick();
		await Promise.all(
			Array.from({ length: times }, async () => {
				const response = await read(Readable.from([Buffer.from(body)]));
				expect(successValueOf(response)).toBeUndefined();
				const sent = { response, token: 'token' };
				expect(
					failureOf({ method: 'GET', path: '/', fields: {} }, sent, classifyFailure({ method: 'GET' }, sent), {
						attempts: 1,
						credential,
						recentTokens: tokenManagerOf(credential).recentTokens,
					}).message,
				).toMatch(/\S/);
			}),
		);
		await nextTurn();
		isOver = true;
		runs.push(longest);
	}
	return Math.min(...runs);
}

const fill = (unit: string, size = MAX_RESPONSE_BYTES - 1_000) => unit.repeat(Math.floor(size / unit.length));
const PLAIN = `{"message":"${fill('x')}"}`;
let plain: number;
beforeAll(async () => (plain = await standstill(PLAIN)));

test.each([
	[
		'a list of long integers, before a long text',
		`[${fill('12345678901234567,', 4_000_000)}"${fill('x', 20_000_000)}"]`,
	],
	['a number of 25 million digits', `[${fill('1')}]`],
	['minus signs after a long integer', `[12345678901234567,${fill('-')}`],
	['quotation marks', `[${fill('"')}`],
	['short numbers', `[${fill('1-')}`],
	['escapes', `[12345678901234567,"${fill('\\"')}"]`],
	['lists without end', fill('[')],
	['too many values', `[${fill('0,')}0]`],
	['a message of blanks', `{"message":"${fill(' ')}"}`],
	['a list of errors', `{"errors":[${fill('{"field":"iso","message":""},', 2_000_000)}7]}`],
	['many fields', `{${Array.from({ length: 100_000 }, (_, n) => `"${n}":{}`).join()}}`],
	['titles without end', fill('<html><title')],
	...['%41', '%c0%80', '&#x41;'].map((unit): [string, string, string] => [
		`ten times 130 KB of ${unit}, as in the tokens`,
		fill(unit, 130_000),
		unit,
	]),
	// What does not grow with the length alone takes thousands of times as long; each of these takes up to five.
])(
	'n8n stands still for no more than a few times as long as for a plain response of 25 MB: %s',
	async (_name, body, unit = 'token') => {
		tokenManagerOf(credential).recentTokens.splice(
			0,
			5,
			...['a', 'b', 'c', 'd', 'e'].map((first) => first + fill(unit, 11_990)),
		);
		expect((await standstill(body, unit === 'token' ? 1 : 10)) / plain).toBeLessThan(20);
	},
	120_000,
);

test.each([4, 100, 65_536])(
	'a body that comes in chunks of %i bytes takes no more than three times its size',
	async (size) => {
		const bytes = 4_000_000;
		let kept = 0;
		await read(
			Readable.from(
				(async function* () {
					const before = await used();
					for (let sent = 0; sent < bytes; sent += size) yield Buffer.from('x'.repeat(size));
					kept = (await used()) - before;
				})(),
			),
		);
		expect(kept / bytes).toBeLessThan(3);
	},
);

test('of a text, only the beginning is kept', async () => {
	const before = await used();
	const { body } = await read(Readable.from([Buffer.from('<html>'.padEnd(4_000_000, 'x'))]));
	expect((await used()) - before).toBeLessThan(1_000_000);
	expect(body).toMatchObject({ kind: 'html', text: expect.stringMatching(/^<html>x+$/) });
});

/**
 * In bytes. The memory of buffers that nothing refers to is given back in the background, and is no longer counted at
 * the next collection.
 */
async function used(): Promise<number> {
	for (let times = 0; times < 3; times++) {
		collectGarbage();
		await nextTurn();
	}
	const { heapUsed, arrayBuffers } = process.memoryUsage();
	return heapUsed + arrayBuffers;
}
