import { inspect } from 'node:util';

import { boolean, integer, integerBetween, text } from '../../nodes/VoiceAdmin/parameters/scalars';
import { countryCodes } from '../../nodes/VoiceAdmin/parameters/countryCodes';
import { identifier, integerId } from '../../nodes/VoiceAdmin/parameters/identifier';
import { InvalidParameterError } from '../../nodes/VoiceAdmin/parameters/invalidParameterError';
import { jsonObject } from '../../nodes/VoiceAdmin/parameters/jsonObject';
import { namedValues } from '../../nodes/VoiceAdmin/parameters/namedValues';

/** A value in a title. */
const short = (value: unknown) => inspect(value, { depth: 1, breakLength: Infinity }).slice(0, 60);

type Parser = (parameter: string, given: unknown) => unknown;

const oneToFive = integerBetween(1, 5);
const circular: Record<string, unknown> = {};
circular.self = circular;

type Valid = [string, Parser, unknown, unknown];

/** Each parser, what it is given, and what it gives. */
const VALID: Valid[] = [
	...[true, ' TRUE '].map((given): Valid => ['boolean', boolean, given, true]),
	...[false, 'False'].map((given): Valid => ['boolean', boolean, given, false]),
	['countryCodes, each country once,', countryCodes, '380, it,ITA, ZZ, 380, AFG, 004, zz', ['380', 'ZZ', 'AFG']],
	['countryCodes', countryCodes, [380, 999], ['380', '999']],
	['countryCodes', countryCodes, '\ufeffI\u200bT\u00a0,\u200b, XK', ['IT', 'XK']],
	['countryCodes', countryCodes, [' it', null, '', 'de,250', 724], ['IT', 'DE', '250', '724']],
	['identifier', identifier, 12, 12],
	['identifier', identifier, '📞', '📞'],
	['identifier', identifier, '\ufeff 1\u200b2\u00a0\u2060', '12'],
	['integerId', integerId, '0', 0],
	['integer', integer, '\u200b1001\ufeff', 1001],
	['integer', integer, 0, 0],
	['integer', integer, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
	['integerBetween 1 and 5', oneToFive, 1, 1],
	['integerBetween 1 and 5', oneToFive, '5', 5],
	[
		'jsonObject',
		jsonObject,
		'{ "n": 9007199254740991, "x": -1.5e3, "long": "9007199254740993 \\" \\" 1e400" }',
		{ n: 9007199254740991, x: -1500, long: '9007199254740993 " " 1e400' },
	],
	['text', text, ' as it is ', ' as it is '],
	['text', text, 7.5, '7.5'],
	['text', text, false, 'false'],
	['jsonObject', jsonObject, { date: new Date(0), none: undefined }, { date: '1970-01-01T00:00:00.000Z' }],
	['jsonObject', jsonObject, '{ "a": [1.50, 0.1, 1e3, 1.0, 0.0000001, 100] }', { a: [1.5, 0.1, 1000, 1, 1e-7, 100] }],
	['namedValues', namedValues, null, {}],
	[
		'namedValues',
		namedValues,
		{ fields: [{ name: ' city ', value: 'Milano' }, { name: 'zip', value: ' ' }, {}, { name: 'n', value: 0 }] },
		{ city: 'Milano', n: 0 },
	],
];

/** Values that are not valid, which the error shows as they are given. */
const shownAs = (name: string, parse: Parser, ...given: unknown[]) =>
	given.map((each): [string, Parser, unknown, string] => [
		name,
		parse,
		each,
		typeof each === 'number' ? String(each) : JSON.stringify(each),
	]);

/** Each parser, what it is given, and what its error shows of that. */
const NOT_VALID: Array<[string, Parser, unknown, string]> = [
	...shownAs('boolean', boolean, 'yes', 1, ['true']),
	...shownAs('countryCodes', countryCodes, 'İT', 'x1', 'I T', 'ＩＴ', 'IТ', '٣٨٠', "IT'", 'IT;FR', true, 3.8),
	...shownAs('countryCodes', countryCodes, 0, -1, 1000, Infinity, NaN, '000', '4.0', 'nan', 'x'.repeat(61)),
	['countryCodes', countryCodes, 'I\u200dTAL', '"ITAL"'],
	['countryCodes', countryCodes, ['IT', { iso: 'FR' }], '{"iso":"FR"}'],
	...shownAs('integerId', integerId, 0, -0, -1, '1.5'),
	...shownAs('identifier', identifier, ' .. ', '.', true, [], ['1'], 1.5, 2 ** 53, { id: 1 }),
	['identifier', identifier, '.\u200b.', '".\\u200b."'],
	['identifier', identifier, '\ud800\u{e0001}', '"\\ud800\\udb40\\udc01"'],
	['identifier', identifier, 'a\ud83d', '"a\\ud83d"'],
	...shownAs('integer', integer, -1, '1.5', 'x1', '1e3', '0x10', '1_000', '1,000', '+5', '٣', '9007199254740992'),
	...shownAs('integer', integer, true, 1.5, 2 ** 53, NaN, [7]),
	['integer', integer, '7\u00a08\u200b', '"7\\u00a08\\u200b"'],
	['integer', integer, new Map([['id', 1]]), 'an object without fields'],
	['integer', integer, 7n, '7'],
	...shownAs('integerBetween 1 and 5', oneToFive, 0, 6, 'two'),
	...shownAs('jsonObject', jsonObject, NaN, '{ "a": ', '[1]', 'null', '7', '{"a":1,}', "{'a':1}", '{"a":1}{"b":2}'),
	['jsonObject', jsonObject, circular, "a value of type object that can't be written as JSON"],
	[
		'namedValues',
		namedValues,
		{ fields: [{ name: 'n', value: 10n }] },
		"a value of type object that can't be written as JSON",
	],
	...shownAs('namedValues', namedValues, 'a', [{ name: 'city', value: 'Milano' }], { field: [] }, { fields: [null] }),
	...shownAs('text', text, { a: 1 }),
];

describe('a parser', () => {
	for (const [name, parse, given, value] of VALID) {
		test(`${name} takes ${short(given)}`, () => expect(parse('Field', given)).toEqual(value));
	}

	for (const [name, parse, given, shown] of NOT_VALID) {
		test(`${name} says that ${short(given)} isn't valid`, () => {
			expect(() => parse('Field', given)).toThrow(InvalidParameterError);
			expect(() => parse('Field', given)).toThrow(`'Field' isn't valid: ${shown}. `);
		});
	}

	test('says what it accepts', () => {
		expect(() => text('City', [])).toThrow('Enter text');
		expect(() => integerId('Trunk ID', 0)).toThrow(
			'Enter the ID: an expression such as Number("") turns an empty cell into 0. If the ID is 0, use the expression {{ "0" }}',
		);
		expect(() => namedValues('Other Fields', 5)).toThrow(
			'Enter a list of names and values: { "fields": [{ "name": …, "value": … }] }',
		);
		for (const code of ['1.5x', 'x1.5'])
			expect(() => countryCodes('Country', code)).toThrow(`"${code}". Enter ISO country codes`);
		// Beyond what JavaScript can write as JSON.
		expect(() => jsonObject('Other Fields', '{"a":'.repeat(100_000) + '{}' + '}'.repeat(100_000))).toThrow(
			'Enter a JSON object',
		);
	});

	test.each([
		[{ n: NaN }, `'Other Fields → n' isn't valid: NaN. This number can't be sent exactly`],
		[{ a: { n: -Infinity } }, `'Other Fields → n' isn't valid: -Infinity. This number can't be sent exactly`],
		[{ a: [1, NaN] }, `'Other Fields' isn't valid: NaN. This number can't be sent exactly`],
		[{ a: [{ n: 2 ** 53 }] }, `'Other Fields → n' isn't valid: 9007199254740992. This number can't be sent exactly`],
	])('finds the number that an expression has lost in %p', (given, message) => {
		expect(() => jsonObject('Other Fields', given)).toThrow(message);
		// Text may have them too.
		const json = JSON.stringify(
			given,
			(_key, value) => (typeof value === 'number' && !Number.isFinite(value) ? '-1e999' : value) as unknown,
		);
		expect(() => jsonObject('Other Fields', json.replaceAll('"-1e999"', '-1e999'))).toThrow(
			message.replace('NaN', '-Infinity'),
		);
		const rows = Object.entries(given).map(([name, value]) => ({ name, value }));
		expect(() => namedValues('Other Fields', { fields: rows })).toThrow(message);
	});

	test('names the row of a list that is not valid', () => {
		expect(() => namedValues('Other Fields', { fields: [{ name: '', value: 'Milano' }] })).toThrow(
			"'Other Fields → Name' is required. Enter the name of the field",
		);
		expect(() => namedValues('Other Fields', { fields: [{ name: 7, value: 'Milano' }] })).toThrow(
			"'Other Fields → Name' isn't valid: 7.",
		);
		expect(() =>
			namedValues('Other Fields', {
				fields: [
					{ name: 'a', value: 1 },
					{ name: 'a ', value: 2 },
				],
			}),
		).toThrow(`'Other Fields → Name' isn't valid: "a". Enter each name once`);
	});

	test.each<[string, string]>([
		['{"name":"A","name":"B"}', 'name'],
		['{"a":{"b":1},"c":[{"d":1},{"d":1,"e":{},"d":2}]}', 'd'],
		['{ "a" : "}{:\\"\\\\" , "b":[":"], "a"\n:1}', 'a'],
		['{"é":1,"\\u00e9":2}', 'é'],
		['{"__proto__":1,"__proto__":2}', '__proto__'],
	])('names the property that a text has twice: %s', (given, name) => {
		expect(() => jsonObject('Other Fields', given)).toThrow(
			`'Other Fields → ${name}' is there more than once. Enter each name once`,
		);
	});

	test.each([
		'{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}]}',
		'{"a":"\\",\\"a\\":1","b":"a","c":["a","a"],"A":"a:"}',
		'{"a":"{","b":"\\\\"}',
	])('takes a text that has each name once in an object: %s', (given) => {
		expect(jsonObject('Other Fields', given)).toEqual(JSON.parse(given));
	});

	test.each(['na\u200bme', '\ufeffname', 'name\u00ad', 'company\u00a0name'])(
		'takes no name with an invisible character, in a list, a text and an object: %j',
		(name) => {
			const shown = [...name].map((each) =>
				each > '\x7f' ? `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}` : each,
			);
			const message = `'Other Fields → ${shown.join('')}' has an invisible character in its name. Enter the name without it`;
			const nested = { list: [{ [name]: 1 }] };
			for (const given of [JSON.stringify({ [name]: 1 }), { [name]: 1 }, nested, JSON.stringify(nested)])
				expect(() => jsonObject('Other Fields', given)).toThrow(message);
			if (!name.startsWith('\ufeff'))
				expect(() => namedValues('Other Fields', { fields: [{ name, value: 1 }] })).toThrow(message);
		},
	);

	test.each([
		['{"a": 1,\n "b": 2,}', 'Expected double-quoted property name in JSON at position 17'],
		['{"a": 1', "Expected ',' or '}' after property value in JSON at position 7"],
		['{"a":\u200b1}', "Unexpected token '\\u200b'"],
	])('says where a text is not JSON: %s', (given, reason) => {
		expect(() => jsonObject('Other Fields', given)).toThrow(`Enter a JSON object. What's wrong: ${reason}`);
	});
});
