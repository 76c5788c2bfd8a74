import { jsonArray } from '../../scripts/operation/parsers/jsonObject';
import { dateOf, listOf, numberWithin, oneOf } from '../../scripts/operation/parsers/scalars';
import { text } from '../../nodes/VoiceAdmin/parameters/scalars';

type Parser = (parameter: string, given: unknown) => unknown;

const says = (words: string) => expect.stringContaining(words) as unknown;

function result(parse: Parser, given: unknown): unknown {
	try {
		return parse('Field', given);
	} catch (error) {
		return (error as Error).message;
	}
}

test.each<[string, Parser, Array<[unknown, unknown]>]>([
	[
		'number',
		numberWithin({ min: -1, max: 2.5 }),
		[
			[2.5, 2.5],
			['-0.5', -0.5],
			['1e1', says('is not valid')],
			[NaN, says('is not valid')],
			[3, says('Enter a number of at least -1 and at most 2.5')],
		],
	],
	[
		'whole number',
		numberWithin({ min: -5, whole: true }),
		[
			['-5', -5],
			[1.5, says('Enter a whole number of at least -5')],
			[2 ** 53, says('is not valid')],
		],
	],
	[
		'listed value',
		oneOf('mobile', 2),
		[
			[' mobile\u200b ', 'mobile'],
			['2', 2],
			['Mobile', says('Enter one of: mobile, 2')],
			[null, says('is required')],
		],
	],
	[
		'date',
		dateOf(),
		[
			['2026-01-31', '2026-01-31'],
			['2026-01-31T10:00:00', '2026-01-31'],
			[new Date('2026-01-31T10:00:00Z'), '2026-01-31'],
			['2026-02-30', says('is not valid')],
			['31/01/2026', says('e.g. 2026-01-31')],
			[null, says('is required')],
		],
	],
	[
		'date and time',
		dateOf({ withTime: true }),
		[
			['2026-01-31T09:30:00+01:00', '2026-01-31T09:30:00+01:00'],
			[new Date(0), '1970-01-01T00:00:00.000Z'],
			['2026-01-31T09:30:00', says('with its time zone')],
			['2026-02-30T09:30:00Z', says('is not valid')],
			['2026-01-31T29:30:00Z', says('is not valid')],
		],
	],
	[
		'list',
		listOf(text),
		[
			['a, b,', ['a', 'b']],
			[
				['a', 1],
				['a', '1'],
			],
			['["a, b"]', ['a, b']],
			[5, ['5']],
			['[]', []],
			['[', says('Enter values separated by commas')],
			[[{}], says('Enter text')],
		],
	],
	[
		'JSON list',
		jsonArray,
		[
			['[{"a":1}]', [{ a: 1 }]],
			[[1], [1]],
			['[12345678901234567890]', says('in quotation marks')],
			['[1],"x":2', says('Enter a JSON list')],
			['{}', says('Enter a JSON list')],
		],
	],
])('a parser that comes with the first operation that needs it: %s', (_, parse, rows) => {
	expect(rows.map(([given]) => result(parse, given))).toEqual(rows.map(([, expected]) => expected));
});
