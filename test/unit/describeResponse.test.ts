import { describeResponse } from '../../nodes/VoiceAdmin/transport/http/describeResponse';
import { excerptWithout } from '../../nodes/VoiceAdmin/transport/http/redact';
import { bodyOf, type ResponseBody } from '../../nodes/VoiceAdmin/transport/http/response';

const KEY = 'key-that-must-never-be-seen-81c0';
const NOT_THE_FORMAT = "JSON that is not in the API's error format";

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const described = (body: ResponseBody) => describeResponse({ status: 418, headers: {}, body }, excerptWithout(KEY));

test.each([
	["the API's message", '{"message":"iso is unknown","errors":""}', 'iso is unknown (418)'],
	['a message with a key in it', `{"message":"No such key: ${KEY}"}`, 'No such key: *** (418)'],
	['a message of 501 characters', JSON.stringify({ message: 'm'.repeat(501) }), `${'m'.repeat(500)} … (501 characters) (418)`],
])('%s is what is said', (_name, text, expected) => {
	expect(described(bodyOf(text))).toBe(expected);
});

test.each([
	['nothing', '', 'no body'],
	['white space', ' \n', 'no body'],
	['an HTML page with a title', '<!DOCTYPE html><html><head><title>502 Bad\n Gateway </title></head></html>', 'an HTML page titled "502 Bad Gateway"'],
	['a title with attributes', '<head><title lang="en">Sign in</title></head>', 'an HTML page titled "Sign in"'],
	['a title that repeats the key', `<html><title>${KEY}</title>`, 'an HTML page titled "***"'],
	['a title of 101 characters', `<html><title>${'t'.repeat(101)}</title>`, `an HTML page titled "${'t'.repeat(100)} … (101 characters)"`],
	['an HTML page without a title', '<HTML><body>Sign in</body></HTML>', 'an HTML page'],
	['a part of an HTML page', '<body>Sign in</body>', 'an HTML page'],
	['XML', '<?xml version="1.0"?><error/>', 'an HTML page'],
	['text that mentions HTML', 'see <html>', 'the text "see <html>"'],
	['another element', '<error/>', 'the text "<error/>"'],
	['text', 'upstream connect error', 'the text "upstream connect error"'],
	['text that repeats the key', `key ${KEY}`, 'the text "key ***"'],
	['text of 101 characters', 't'.repeat(101), `the text "${'t'.repeat(100)} … (101 characters)"`],
	['an object that is cut off', '{"id": "1", "termi', 'JSON that is cut off or damaged'],
	['a list that is cut off', '[1, 2', 'JSON that is cut off or damaged'],
	['an object of another kind', '{"error":{"code":1}}', NOT_THE_FORMAT],
	['a list', '[1,2]', NOT_THE_FORMAT],
	['a number', '7', NOT_THE_FORMAT],
	['null', 'null', NOT_THE_FORMAT],
	['an empty message', '{"message":"","errors":null}', NOT_THE_FORMAT],
	['a message of the wrong type', '{"message":{"a":1},"errors":42}', NOT_THE_FORMAT],
	['keys that are prototypes', '{"__proto__":{"message":"p"},"errors":{"__proto__":"x"}}', NOT_THE_FORMAT],
	['JSON of 200 levels', nested(200), NOT_THE_FORMAT],
	['JSON of 201 levels', nested(201), 'JSON nested more than 200 levels deep, which is the maximum'],
	['an object of 201 levels', `{"a":${nested(200)}}`, 'JSON nested more than 200 levels deep, which is the maximum'],
	['a million values', `[${'0,'.repeat(999_999)}0]`, 'a body of more than 1,000,000 JSON values, which is the maximum'],
	['a million lists', `[${'[],'.repeat(500_000)}[]]`, 'a body of more than 1,000,000 JSON values, which is the maximum'],
	['a million objects', `[${'{},'.repeat(500_000)}{}]`, 'a body of more than 1,000,000 JSON values, which is the maximum'],
	['a value less than a million', `[${'0,'.repeat(999_998)}0]`, NOT_THE_FORMAT],
	['a million commas in a text', `["${','.repeat(1_000_000)}"]`, NOT_THE_FORMAT],
	['a million commas in a text with quotes and backslashes', `["\\"\\\\${','.repeat(1_000_000)}\\\\","${'\\"'.repeat(1_000)}"]`, NOT_THE_FORMAT],
	['a million commas in a text that is cut off', `["${','.repeat(1_000_000)}`, 'JSON that is cut off or damaged'],
	['a million commas in a text that is not JSON', ','.repeat(1_000_001), `the text "${','.repeat(100)} … (1000001 characters)"`],
])('%s in its place is described', (_name, text, expected) => {
	expect(described(bodyOf(text))).toBe(`the service answered 418 with ${expected}`);
});

test('a body that is too large to be read is described', () => {
	expect(described({ kind: 'tooLarge', limit: '25 MB' })).toBe('the service answered 418 with a body of more than 25 MB, which is the maximum');
});

test('the title of an HTML page is looked for at its beginning', () => {
	const page = (filler: number) => `<html>${' '.repeat(filler)}<title>Late</title>`;
	expect([bodyOf(page(19_000)), bodyOf(page(20_000))]).toEqual([{ kind: 'html', title: 'Late' }, { kind: 'html', title: '' }]);
});
