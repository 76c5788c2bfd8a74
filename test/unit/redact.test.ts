import { excerptWithout, redact } from '../../nodes/VoiceAdmin/transport/response/redact';

const SECRETS = [
	'k!\'()*/+ &<>"\\%y',
	'perché-già-€-𝄞-ß',
	'a b+c%20d%2Be',
	'%41%42%43%44',
	'&amp;&lt;\\u0041\\/',
	'AAAA',
	"'or'1'='1",
	'plain-key-4f1c',
];

const lower = (text: string) => text.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase());
const form = (text: string) => new URLSearchParams([['', text]]).toString().slice(1);
const json = (text: string) => JSON.stringify(text).slice(1, -1);
const html = (text: string, apostrophe = '&#39;') =>
	text
		.replaceAll('&', '&amp;')
		.replaceAll('<', '&lt;')
		.replaceAll('>', '&gt;')
		.replaceAll('"', '&quot;')
		.replaceAll("'", apostrophe);
const everyByte = (text: string) =>
	[...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const everyCharacter = (text: string, encode: (code: number) => string) =>
	[...text].map((character) => encode(character.codePointAt(0)!)).join('');

const ENCODINGS: Array<[string, (text: string) => string]> = [
	['as it is', (text) => text],
	['encoded as a form', form],
	['encoded as a URL', encodeURIComponent],
	['encoded as a URL in lower-case hex', (text) => lower(encodeURIComponent(text))],
	['encoded as a URL with every byte', everyByte],
	['encoded as JSON', json],
	['encoded as JSON with \\/', (text) => json(text).replaceAll('/', '\\/')],
	[
		'encoded as ASCII JSON',
		(text) => json(text).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
	],
	['encoded as HTML', html],
	['encoded as HTML with &apos;', (text) => html(text, '&apos;')],
	['encoded as decimal references', (text) => everyCharacter(text, (code) => `&#${code};`)],
	[
		'encoded as hexadecimal references',
		(text) => everyCharacter(text, (code) => `&#X${code.toString(16).toUpperCase()};`),
	],
	['encoded as JSON in HTML', (text) => html(json(text))],
];

describe('redacting', () => {
	test.each(SECRETS.flatMap((secret) => ENCODINGS.map(([name, encode]) => [secret, name, encode] as const)))(
		'%j %s is redacted',
		(secret, _name, encode) => {
			expect(redact(`before ${encode(secret)} after`, [secret, ''])).toBe('before *** after');
			// As a token that was sent, twice, and beside another secret.
			expect(redact(`${encode(secret)}-${encode(secret)} token-1`, ['token-1', secret])).toBe('***-*** ***');
			expect(excerptWithout(secret, '')(`${'x'.repeat(30)} ${encode(secret)} ${'y'.repeat(40_000)}`, 2_000)).toMatch(
				/^x{30} \*\*\* y+ …$/,
			);
		},
	);

	test('a text without a secret stays as it is, in whatever encoding', () => {
		const text = 'a%20b &amp; \\u0041 \\N \\" %zz %e2%82 %c0%80 &#9999999; &#x110000; + 100%';
		expect(redact(text, ['not-in-it', 'nor-this'])).toBe(text);
	});

	test('a text stays as it is where there is no secret, or one of less than four characters', () => {
		expect([redact('a text', []), redact('a text', ['']), redact('a tex t', ['tex'])]).toEqual([
			'a text',
			'a text',
			'a tex t',
		]);
	});

	test.each(['key-of-mine ', '\tkey-of-mine\n'])('%j is redacted without the white space around it too', (secret) => {
		expect(redact('No such key: key-of-mine', [secret, ''])).toBe('No such key: ***');
	});

	test('a long secret is redacted also where it is cut off or damaged, by its beginning, and a short one in full only', () => {
		const long = `token+${'0123456789'.repeat(1_199)}`;
		expect(redact(`a ${long} b`, [long])).toBe('a *** b');
		expect(redact(`a ${encodeURIComponent(long)} b`, [long])).toBe('a *** b');
		expect(redact(`a ${long.replace('+', ' ').slice(0, 9_000)}`, [long])).toBe('a ***');
		expect(redact(`a ${long.slice(0, 200)}${long} b`, [long])).toBe('a *** b');
		expect(redact('a plain-key b', ['plain-key-4f1c'])).toBe('a plain-key b');
	});

	test.each(ENCODINGS)('the end of a long secret is redacted, %s', (_name, encode) => {
		const long = `${'0123456789'.repeat(7)}${SECRETS.slice(0, 3)
			.join('')
			.replace(/[\s"'<>]/g, '')}-end`;
		expect(redact(`a ${encode(long)} b`, [long])).toBe('a *** b');
		expect(redact(`<key>${encode(long)}</key>, "${encode(long)}", b`, [long])).toBe('<key>***</key>, "***", b');
	});

	test('two secrets that overlap are both redacted, to their ends', () => {
		expect(redact('x abcdefgh.', ['abcdef', 'defgh'])).toBe('x ***.');
	});
});

describe('an excerpt', () => {
	const KEY = `key-${'0123456789'.repeat(10)}`;
	const excerpt = excerptWithout(KEY, 'token-that-was-sent');

	test('of a long text is cut', () => {
		expect(excerpt(`${'x'.repeat(99)} ${'y'.repeat(4_900)}`, 100)).toBe(`${'x'.repeat(99)} …`);
	});

	test('is redacted before it is cut', () => {
		expect(excerpt(`${'x'.repeat(90)} ${KEY} token-that-was-sent`, 100)).toBe(`${'x'.repeat(90)} *** ***`);
	});

	test('of a very long text has no secret that is cut off at the end of what is searched', () => {
		// Almost all of it is secrets, so that the end of what is searched would be in the excerpt, wherever it cuts one off.
		for (let offset = 0; offset < KEY.length; offset++) {
			expect(excerpt('x'.repeat(offset) + `${KEY} `.repeat(400), 2_000)).not.toMatch(/key|y-0|789/);
		}
	});
});
