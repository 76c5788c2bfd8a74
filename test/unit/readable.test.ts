import { readable } from '../../nodes/VoiceAdmin/transport/readable';

test('text is taken as it is', () => {
	expect(readable(' plain words ')).toBe('plain words');
});

test('a very long text is cut, and says how long it was', () => {
	const text = readable('x'.repeat(5_000));
	expect(text).toHaveLength(2_000 + ' … (5000 characters)'.length);
	expect(text).toMatch(/ … \(5000 characters\)$/);
});

test('deep nesting ends in JSON instead of going on for ever', () => {
	expect(readable({ a: { b: { c: { d: { e: { f: 1 } } } } } })).toBe('a: b: c: d: {"e":{"f":1}}');
});

test('nothing gives nothing', () => {
	expect([null, undefined, '', [], {}, [null, ''], { a: null }].map(readable)).toEqual(['', '', '', '', '', '', '']);
});
