import { excerptWithout } from '../../nodes/VoiceAdmin/transport/http/excerpt';
import { redact } from '../../nodes/VoiceAdmin/transport/http/redact';

const SECRETS = ["k!'()*/+ &<>\"\\%y", 'perché-già-€-𝄞-ß', 'a b+c%20d%2Be', '%41%42%43%44', '&amp;&lt;\\u0041\\/', 'AAAA', "'or'1'='1", 'plain-key-4f1c'];

const lower = (text: string) => text.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase());
const form = (text: string) => new URLSearchParams([['', text]]).toString().slice(1);
const json = (text: string) => JSON.stringify(text).slice(1, -1);
const html = (text: string, apostrophe = '&#39;') =>
	text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", apostrophe);
const everyByte = (text: string) => [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const everyCharacter = (text: string, write: (code: number) => string) => [...text].map((character) => write(character.codePointAt(0)!)).join('');

const WRITINGS: Array<[string, (text: string) => string]> = [
	['as it is', (text) => text],
	['as a form writes it', form],
	['as a form writes it, in lower-case hex', (text) => lower(form(text))],
	['as a URL writes it', encodeURIComponent],
	['as a URL writes it, in lower-case hex', (text) => lower(encodeURIComponent(text))],
	['with every byte as a URL may write it', everyByte],
	['as JSON writes it', json],
	['as JSON with \\/', (text) => json(text).replaceAll('/', '\\/')],
	['as ASCII JSON', (text) => json(text).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)],
	['as HTML', html],
	['as HTML with &apos;', (text) => html(text, '&apos;')],
	['as HTML with &#x27;', (text) => html(text, '&#x27;')],
	['as decimal references', (text) => everyCharacter(text, (code) => `&#${code};`)],
	['as hexadecimal references', (text) => everyCharacter(text, (code) => `&#X${code.toString(16).toUpperCase()};`)],
	['as JSON in HTML', (text) => html(json(text))],
	['as a URL in JSON in HTML', (text) => html(json(encodeURIComponent(text)))],
];

test.each(SECRETS.flatMap((secret) => WRITINGS.map(([name, write]) => [secret, name, write] as const)))('%j %s is taken out', (secret, _name, write) => {
	const secrets = { clientSecret: secret, accessToken: '' };
	expect(redact(`before ${write(secret)} after`, secrets)).toBe('before *** after');
	// As a token that was sent, twice, and beside another.
	expect(redact(`${write(secret)}-${write(secret)} token-1`, { clientSecret: 'token-1', accessToken: '' }, secret)).toBe('***-*** ***');
	expect(excerptWithout(secrets)(`${'x'.repeat(30)} ${write(secret)} ${'y'.repeat(40_000)}`, 2_000)).toMatch(/^x{30} \*\*\* y+ … \(\d+ characters\)$/);
});

test('a text without the secret stays as it is, however it is written', () => {
	const text = 'a%20b &amp; \\u0041 \\" %zz %e2%82 &#9999999; &#x110000; + 100%';
	expect(redact(text, { clientSecret: 'not-in-it', accessToken: 'nor-this' })).toBe(text);
});

test.each(['key-of-mine ', '\tkey-of-mine\n'])('%j is taken out without the white space around it too', (secret) => {
	expect(redact('No such key: key-of-mine', { clientSecret: secret, accessToken: '' })).toBe('No such key: ***');
});

test('two secrets that overlap are both taken out, to their ends', () => {
	expect(redact('x abcdefgh y', { clientSecret: 'abcdef', accessToken: 'defgh' })).toBe('x *** y');
});
