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
	[
		'quotes and backslashes in a text',
		`["\\"\\\\${','.repeat(1_000_000)}\\\\","${'\\"'.repeat(1_000)}"]`,
		`"\\${','.repeat(498)} … (418)`,
	],
])('%s is what is said', (_name, text, expected) => {
	expect(described(parseBody(text))).toBe(expected);
});

test.each([
	['nothing', '', 'no body'],
	['white space', ' \n', 'no body'],
	[
		'an HTML page with a title',
		'<!DOCTYPE html><html><head><title>502 Bad\n Gateway </title></head></html>',
		'an HTML page titled "502 Bad Gateway"' + PAGE,
	],
	['a title with attributes', '<head><title lang="en">Sign in</title></head>', 'an HTML page titled "Sign in"' + PAGE],
	['a title that repeats the key', `<html><title>${KEY}</title>`, 'an HTML page titled "***"' + PAGE],
	[
		'a title of 101 characters',
		`<html><title>${'t'.repeat(101)}</title>`,
		`an HTML page titled "${'t'.repeat(100)} …"` + PAGE,
	],
	['a blank title', '<html><title> \n </title>', 'an HTML page' + PAGE],
	[
		'a heading after a blank title',
		'<html><title></title><body><h1>Blocked</h1>',
		'an HTML page titled "Blocked"' + PAGE,
	],
	[
		'the heading of an HTML page without a title',
		'<!doctype html><body><a>Home</a><h1 class="x">Blocked\n by <b>us</b></h1><p>More</body>',
		'an HTML page titled "Blocked by us"' + PAGE,
	],
	['an HTML page of words alone', '<html>Sign in</html>', 'an HTML page' + PAGE],
	[
		'XHTML',
		'<?xml version="1.0"?>\n<!DOCTYPE html><html><title>Sign in</title></html>',
		'an HTML page titled "Sign in"' + PAGE,
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
	['another element', '<error/>', 'the text "<error/>"'],
	['text', 'upstream connect error', 'the text "upstream connect error"'],
	['text that repeats the key', `key ${KEY}`, 'the text "key ***"'],
	['text of 101 characters', 't'.repeat(101), `the text "${'t'.repeat(100)} …"`],
	['an object that is cut off', '{"id": "1", "termi', 'JSON that is cut off or damaged'],
	['a list that is cut off', '[1, 2', 'JSON that is cut off or damaged'],
	['a list of objects that is cut off', '[ {"id": 1}, ', 'JSON that is cut off or damaged'],
	['the first character of an object', '{', 'JSON that is cut off or damaged'],
	['the first character of a list', '[ ', 'JSON that is cut off or damaged'],
	['a text that begins with a date', '[2026-01-31 10:00] ERROR away', 'the text "[2026-01-31 10:00] ERROR away"'],
	['a text that contains an object', 'got {"id": 1}', 'the text "got {"id": 1}"'],
	['a text that begins as a list does', '[error] upstream is gone', 'the text "[error] upstream is gone"'],
	['a text that begins as an object does', '{service} is away', 'the text "{service} is away"'],
	['an object without words', '{"error":{"code":1}}', 'the JSON {"error":{"code":1}}'],
	['JSON on several lines', '{\n  "id": 1\n}', 'the JSON { "id": 1 }'],
	['a number', '7', 'the JSON 7'],
	['null', 'null', 'the JSON null'],
	['an empty message', '{"message":"","errors":null}', 'the JSON {"message":"","errors":null}'],
	['a message of the wrong type', '{"message":{"a":1},"errors":42}', 'the JSON {"message":{"a":1},"errors":42}'],
	[
		'keys that are prototypes',
		'{"__proto__":{"message":"p"},"errors":{"__proto__":"x"}}',
		'the JSON {"__proto__":{"message":"p"},"errors":{"__proto__":"x"}}',
	],
	['JSON of 200 levels', nested(200), `the JSON ${'['.repeat(100)} …`],
	['JSON of 201 levels', nested(201), 'a body of more than 200 levels of JSON, which is the maximum'],
	['JSON of 100,000 levels', nested(100_000), 'a body of more than 200 levels of JSON, which is the maximum'],
	['an object of 201 levels', `{"a":${nested(200)}}`, 'a body of more than 200 levels of JSON, which is the maximum'],
	[
		'a quarter of a million values',
		`[${'0,'.repeat(249_999)}0]`,
		'a body of more than 250,000 JSON values, which is the maximum',
	],
	[
		'half as many empty objects',
		`[${'{},'.repeat(124_999)}{}]`,
		'a body of more than 250,000 JSON values, which is the maximum',
	],
	['one value less', `[${'0,'.repeat(249_998)}0]`, `the JSON [${'0,'.repeat(49)}0 …`],
	['a million commas in a text that is cut off', `["${','.repeat(1_000_000)}`, 'JSON that is cut off or damaged'],
	['a million commas in a text that is not JSON', ','.repeat(1_000_001), `the text "${','.repeat(100)} …"`],
])('%s in its place is described', (_name, text, expected) => {
	expect(described(parseBody(text))).toBe(`the service returned 418 with ${expected}`);
});

test('a body that is too large to be read is described', () => {
	expect(described({ kind: 'tooLarge', limit: '25 MB' })).toBe(
		'the service returned 418 with a body of more than 25 MB, which is the maximum',
	);
});

test('the title of an HTML page is looked for at its beginning', () => {
	const page = (filler: number) => described(parseBody(`<html>${' '.repeat(filler)}<title>Late</title>`));
	expect([page(19_000), page(20_000)]).toEqual([expect.stringContaining('"Late"'), expect.not.stringContaining('"')]);
});
