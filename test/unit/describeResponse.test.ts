import { describeResponse } from '../../nodes/VoiceAdmin/transport/response/describeResponse';
import { excerptWithout } from '../../nodes/VoiceAdmin/transport/response/redact';
import { parseBody, type ResponseBody } from '../../nodes/VoiceAdmin/transport/response/readResponse';

const KEY = 'key-that-must-never-be-seen-81c0';
const TWO_LINES = 'first line\n <b> second line';
const PAGE = '. It probably comes from something in front of the API: a firewall, a proxy or another server';

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const described = (body: ResponseBody) =>
	describeResponse({ status: 418, headers: {}, body }, excerptWithout(KEY, TWO_LINES));

test.each([
	["the API's message", '{"message":"iso is unknown","errors":""}', 'iso is unknown (418)'],
	['a message with a key in it', `{"message":"No such key: ${KEY}"}`, 'No such key: *** (418)'],
	['a message of 501 characters', JSON.stringify({ message: 'm'.repeat(501) }), `${'m'.repeat(500)} … (418)`],
	['a million commas in a text, which are no values', `["${','.repeat(1_000_000)}"]`, `${','.repeat(500)} … (418)`],
])('an error says %s, where a response has one', (_name, text, expected) => {
	expect(described(parseBody(text))).toBe(expected);
});

test.each([
	['nothing', '', 'no body'],
	[
		'an HTML page with a title',
		'<!DOCTYPE html><html><head><title>502 Bad\n Gateway </title></head></html>',
		'an HTML page titled "502 Bad Gateway"' + PAGE,
	],
	[
		'the heading of an HTML page without a title',
		'<!doctype html><body><a>Home</a><h1 class="x">Blocked\n by <b>us</b></h1><p>More</body>',
		'an HTML page titled "Blocked by us"' + PAGE,
	],
	[
		'XML',
		'<?xml version="1.0"?>\n<Error><Code>7</Code>\n<Message>No access</Message></Error>',
		'the text "7 No access"',
	],
	[
		'a page that repeats a key with white space',
		`<html><title>${TWO_LINES}</title>`,
		'an HTML page titled "***"' + PAGE,
	],
	['text that mentions HTML', 'see <html>', 'the text "see <html>"'],
	['text', 'upstream connect error', 'the text "upstream connect error"'],
	['text that repeats the key', `key ${KEY}`, 'the text "key ***"'],
	['an object that is cut off', '{"id": "1", "termi', "JSON that's cut off or damaged"],
	['a text that begins with a date', '[2026-01-31 10:00] ERROR away', 'the text "[2026-01-31 10:00] ERROR away"'],
	['an object without words', '{"error":{"code":1}}', 'the JSON {"error":{"code":1}}'],
	['null', 'null', 'the JSON null'],
	[
		'keys that are prototypes',
		'{"__proto__":{"message":"p"},"errors":{"__proto__":"x"}}',
		'the JSON {"__proto__":{"message":"p"},"errors":{"__proto__":"x"}}',
	],
	['JSON of 200 levels', nested(200), `the JSON ${'['.repeat(100)} …`],
	['JSON of 201 levels', nested(201), 'a body of more than 200 levels of JSON, which is the maximum'],
	[
		'a quarter of a million values',
		`[${'0,'.repeat(249_999)}0]`,
		'a body of more than 250,000 JSON values, which is the maximum',
	],
	['one value less', `[${'0,'.repeat(249_998)}0]`, `the JSON [${'0,'.repeat(49)}0 …`],
])('an error says what came in place of the API: %s', (_name, text, expected) => {
	expect(described(parseBody(text))).toBe(`the service returned 418 with ${expected}`);
});

test('an error says that a body was too large to be read', () => {
	expect(described({ kind: 'tooLarge', limit: '25 MB' })).toBe(
		'the service returned 418 with a body of more than 25 MB, which is the maximum',
	);
});
