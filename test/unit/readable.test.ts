import { readable } from '../../nodes/VoiceAdmin/transport/http/readable';

test('text is taken as it is', () => {
	expect(readable(' plain words ')).toBe('plain words');
});

test('no more is collected than people read', () => {
	const line = 'x'.repeat(1_000);
	expect(readable(Array(20_000).fill(line)).length).toBeLessThan(25_000);
});

test('what is nested too deep for JSON is left out', () => {
	const deep = JSON.parse(`${'['.repeat(9_000)}1${']'.repeat(9_000)}`) as unknown;
	expect(readable({ message: 'm', deep })).toMatch(/^message: m\ndeep: /);
});

test('deep nesting ends in JSON instead of going on for ever', () => {
	expect(readable({ a: { b: { c: { d: { e: { f: 1 } } } } } })).toBe('a: b: c: d: {"e":{"f":1}}');
});

test('nothing gives nothing', () => {
	expect([null, undefined, '', [], {}, [null, ''], { a: null }].map(readable)).toEqual(['', '', '', '', '', '', '']);
});
