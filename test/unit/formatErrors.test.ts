import { formatErrors } from '../../nodes/VoiceAdmin/transport/http/formatErrors';

test('text is returned without the white space around it', () => {
	expect(formatErrors(' plain words ')).toBe('plain words');
});

test.each<[string, unknown, string]>([
	['a list of text', ['one', ' two '], 'one\ntwo'],
	['numbers and booleans', [7, false], '7\nfalse'],
	['a list of validation errors', [{ field: 'iso', message: 'must not be blank' }, { field: 'idTrunk',
		message: 'must be positive', rejected: -1, min: 1 }], 'iso: must not be blank\nidTrunk: must be positive (rejected: -1, min: 1)'],
	['an entry without a field', [{ message: 'odd', code: 7 }], 'message: odd, code: 7'],
	['an entry with a blank field', [{ field: ' ', message: 'odd' }], 'message: odd'],
	['an entry with a field that is not text', [{ field: 7, message: 'odd' }], 'field: 7, message: odd'],
	['an entry with a message that is not text', [{ field: 'iso', message: ['a', 'b'] }], 'field: iso, message: a, b'],
	['a list in a list', [['a', 'b'], 'c'], 'a, b\nc'],
	['an object', { reason: 'conflict', details: { vatNumber: ['taken', 'wrong'], none: null } },
		'reason: conflict\ndetails: vatNumber: taken, wrong'],
])('%s has a line for each entry', (_name, errors, expected) => {
	expect(formatErrors(errors)).toBe(expected);
});

test('a result has no more than people read', () => {
	expect(formatErrors(Array(20_000).fill('x'.repeat(1_000)))).toHaveLength(21 * 1_001 - 1);
	expect(formatErrors(Array(2_000).fill('x'))).toHaveLength(1_000 * 2 - 1);
});

test('a value that is nested too deep for JSON is left out', () => {
	const deep = JSON.parse(`${'['.repeat(9_000)}1${']'.repeat(9_000)}`) as unknown;
	expect(formatErrors({ message: 'm', deep })).toMatch(/^message: m\ndeep: /);
});

test('a value below the fourth level is JSON', () => {
	expect(formatErrors({ a: { b: { c: { d: { e: { f: 1 } } } } } })).toBe('a: b: c: d: {"e":{"f":1}}');
});

test('an empty value has no text', () => {
	expect([null, undefined, '', [], {}, [null, ''], { a: null }].map(formatErrors)).toEqual(['', '', '', '', '', '', '']);
});
