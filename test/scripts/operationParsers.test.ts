import { jsonArray } from '../../scripts/operation/parsers/jsonObject';
import { date, dateTime, listOf, numberWithin, oneOf } from '../../scripts/operation/parsers/scalars';
import { text } from '../../nodes/VoiceAdmin/parameters/scalars';

/** Parsers that come with the first operation that needs them. */
describe('a parser that comes with the first operation that needs it', () => {
	const result = (parse: (parameter: string, given: unknown) => unknown, given: unknown) => {
		try {
			return parse('Field', given);
		} catch (error) {
			return (error as Error).message;
		}
	};

	test.each<[string, (parameter: string, given: unknown) => unknown, Array<[unknown, unknown]>]>([
		[
			'number',
			numberWithin({ min: -1, max: 2.5 }),
			[
				[2.5, 2.5],
				['-0.5', -0.5],
				[3, expect.stringContaining('Enter a number of at least -1 and at most 2.5')],
				['1e1', expect.stringContaining('is not valid')],
				[NaN, expect.any(String)],
			],
		],
		[
			'whole number',
			numberWithin({ min: -5, whole: true }),
			[
				['-5', -5],
				[1.5, expect.stringContaining('Enter a whole number of at least -5')],
				[2 ** 53, expect.any(String)],
			],
		],
		[
			'listed value',
			oneOf('mobile', 2),
			[
				['mobile', 'mobile'],
				[' mobile ', 'mobile'],
				['2', 2],
				['Mobile', expect.stringContaining('Enter one of: mobile, 2')],
				[null, expect.stringContaining('is required')],
			],
		],
		[
			'date',
			date,
			[
				['2026-01-31', '2026-01-31'],
				['2026-01-31T10:00:00', '2026-01-31'],
				[new Date('2026-01-31T10:00:00Z'), '2026-01-31'],
				['2026-02-30', expect.stringContaining('is not valid')],
				['31/01/2026', expect.stringContaining('e.g. 2026-01-31')],
			],
		],
		[
			'date and time',
			dateTime,
			[
				['2026-01-31T09:30:00+01:00', '2026-01-31T09:30:00+01:00'],
				[new Date(0), '1970-01-01T00:00:00.000Z'],
				['2026-01-31T09:30:00', expect.stringContaining('with its time zone')],
				['2026-02-30T09:30:00Z', expect.stringContaining('is not valid')],
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
				['[', expect.stringContaining('is not valid')],
				[[{}], expect.stringContaining('Enter text')],
			],
		],
		[
			'JSON list',
			jsonArray,
			[
				['[{"a":1}]', [{ a: 1 }]],
				[[1], [1]],
				['[1],"x":2', expect.stringContaining('Enter a JSON list')],
				['{}', expect.any(String)],
				['[12345678901234567890]', expect.stringContaining('too long')],
			],
		],
	])('%s', (_, parse, rows) => {
		expect(rows.map(([given]) => result(parse, given))).toEqual(rows.map(([, expected]) => expected));
	});
});
