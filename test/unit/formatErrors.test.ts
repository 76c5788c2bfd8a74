import { formatErrors } from '../../nodes/VoiceAdmin/transport/http/formatErrors';

test('text is returned without the white space around it', () => {
	expect(formatErrors(' plain words ')).toBe('plain words');
});

test('a result has no more than people read', () => {
	const line = 'x'.repeat(1_000);
	expect(formatErrors(Array(20_000).fill(line)).length).toBeLessThan(25_000);
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
