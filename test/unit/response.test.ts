import { Readable } from 'node:stream';

import { readResponse } from '../../nodes/VoiceAdmin/transport/http/response';

const neverAborted = new AbortController().signal;
const read = async (body: Readable, signal = neverAborted) => await readResponse({ statusCode: 200, headers: {}, body } as never, 100, signal);

test('a body is read in full, without a byte order mark and with a character that arrives in two chunks', async () => {
	const bytes = Buffer.from('\ufeff{"name":"perché"}');
	const { body } = await read(Readable.from([bytes.subarray(0, 18), bytes.subarray(18)]));
	expect(body).toEqual({ kind: 'json', value: { name: 'perché' } });
});

test('a body that is larger than the limit is not read any further, and its connection is closed', async () => {
	const stream = Readable.from([Buffer.alloc(60), Buffer.alloc(60), Buffer.alloc(60)]);
	expect((await read(stream)).body).toEqual({ kind: 'tooLarge', limit: '0.0001 MB' });
	expect(stream.destroyed).toBe(true);
});

test('a body whose connection broke before it was read is an error immediately', async () => {
	const stream = Readable.from([]);
	stream.destroy();
	await new Promise((resolve) => stream.once('close', resolve));
	await expect(read(stream)).rejects.toThrow('aborted');
});

test('a body that is aborted while it is read is an error, and its connection is closed', async () => {
	const stream = new Readable({ read() {} });
	const controller = new AbortController();
	const reading = read(stream, controller.signal);
	controller.abort();
	await expect(reading).rejects.toThrow('aborted');
	expect(stream.destroyed).toBe(true);
});
