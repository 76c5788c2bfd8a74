import { excerptWithout } from '../../nodes/VoiceAdmin/transport/http/excerpt';

const SECRET = `key-${'0123456789'.repeat(10)}`;
const excerpt = excerptWithout({ clientSecret: SECRET, accessToken: '' }, 'token-that-was-sent');

test('a short text is taken as it is', () => {
	expect(excerpt(' plain words ', 100)).toBe('plain words');
});

test('a long text is cut, and says how long it was', () => {
	expect(excerpt('x'.repeat(5_000), 100)).toBe(`${'x'.repeat(100)} … (5000 characters)`);
});

test('secrets are taken out before it is cut', () => {
	expect(excerpt(`${'x'.repeat(90)} ${SECRET} token-that-was-sent`, 100)).toBe(`${'x'.repeat(90)} *** ***`);
});

test('so are those at the end of what is looked at of a very long text', () => {
	// Almost all of it is secrets, so that its end would come into the excerpt.
	const text = `${`${SECRET} `.repeat(400)}`;
	expect(excerpt(text, 2_000)).not.toMatch(/key-0/);
});
