import { Readable } from 'node:stream';

import { readReply } from '../../nodes/VoiceAdmin/transport/http/response';

const never = new AbortController().signal;
const read = async (body: Readable, signal = never) => await readReply({ statusCode: 200, headers: {}, body } as never, 100, signal);

test('a body is read whole, a character that comes in two pieces too, and without a byte order mark', async () => {
	const bytes = Buffer.from('\ufeff{"name":"perché"}');
	const { body } = await read(Readable.from([bytes.subarray(0, 18), bytes.subarray(18)]));
	expect(body).toEqual({ kind: 'json', value: { name: 'perché' } });
});

test('a body that is longer than the limit is not read on, and its connection is closed', async () => {
	const stream = Readable.from([Buffer.alloc(60), Buffer.alloc(60), Buffer.alloc(60)]);
	expect((await read(stream)).body).toMatchObject({ kind: 'tooLarge' });
	expect(stream.destroyed).toBe(true);
});

test('a body whose connection broke before it was read is an error at once', async () => {
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
