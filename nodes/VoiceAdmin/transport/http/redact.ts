import type { VoiceAdminCredential } from '../auth/credential';

/** Shorter than this, a "secret" is more likely to cut words in half than to give anything away. */
const SHORTEST_SECRET = 4;

/** Most characters in which one of a secret may be written: `&#x0020AC;`. */
export const LONGEST_WRITING = 10;

/** What must not be seen. */
export type Secrets = Pick<VoiceAdminCredential, 'clientSecret' | 'accessToken'>;

/** A text with what is written in it in another way put in its place. */
interface Reading {
	text: string;
	/** For each character of `text`, and for its end, where it begins in the text that was given. */
	origin: number[];
}

/** Takes one way of writing a character out of a text. */
interface Decoding {
	/** Matches one written character. Nothing in it repeats without bound: what is decoded comes from outside. */
	written: RegExp;
	decode: (written: string) => string;
}

const HTML: Decoding = {
	written: /&(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9a-f]{1,6});/gi,
	decode: (written) => {
		const name = written.slice(1, -1).toLowerCase();
		const code = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
		const named = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }[name];
		return named ?? (code <= 0x10ffff ? String.fromCodePoint(code) : written);
	},
};

const JSON_STRING: Decoding = {
	written: /\\(?:u[0-9a-f]{4}|["\\/bfnrt])/gi,
	decode: (written) => {
		try {
			return JSON.parse(`"${written}"`) as string;
		} catch {
			return written;
		}
	},
};

const URL_ENCODED: Decoding = {
	// One character of one to four bytes in UTF-8.
	written: /%[0-7][0-9a-f]|%[cd][0-9a-f]%[89ab][0-9a-f]|%e[0-9a-f](?:%[89ab][0-9a-f]){2}|%f[0-7](?:%[89ab][0-9a-f]){3}/gi,
	decode: (written) => {
		try {
			return decodeURIComponent(written);
		} catch {
			return written;
		}
	},
};

const FORM_SPACE: Decoding = { written: /\+/g, decode: () => ' ' };

/** The ways in which a service or a proxy may repeat a text: each is a list of decodings, outermost first. */
const WAYS: Decoding[][] = [[], [HTML], [JSON_STRING], [HTML, JSON_STRING]].flatMap((way) => [
	way,
	[...way, URL_ENCODED],
	[...way, FORM_SPACE, URL_ENCODED],
]);

/**
 * Takes the API key and the access token out of a text that came from outside, because a service
 * or a proxy may repeat what it was sent: as it is, or as HTML, JSON, a URL or a form writes it, or one within another.
 *
 * The text is decoded and the secret looked for in it, as a secret can be written in more ways than could be listed.
 * To be called before the text is cut to length: the beginning of a token would not be recognised any more.
 *
 * @param tokens further tokens that were sent
 */
export function redact(text: string, { clientSecret, accessToken }: Secrets, ...tokens: string[]): string {
	// Also as a service writes a key that was pasted with white space around it.
	const given = [clientSecret, accessToken, ...tokens].flatMap((secret) => [secret, secret.trim()]);
	const secrets = [...new Set(given)].filter(({ length }) => length >= SHORTEST_SECRET);
	if (secrets.length === 0 || text === '') return text;
	const asGiven: Reading = { text, origin: Array.from({ length: text.length + 1 }, (_, at) => at) };
	const hidden = new Uint8Array(text.length);
	for (const way of WAYS) {
		// Where nothing is written that way, the text has been searched already.
		if (!way.every(({ written }) => text.search(written) !== -1)) continue;
		const reading = way.reduce(decoded, asGiven);
		for (const secret of secrets) hide(secret, reading, hidden);
	}
	return covered(text, hidden);
}

function decoded({ text, origin }: Reading, { written, decode }: Decoding): Reading {
	const result: Reading = { text: '', origin: [] };
	const add = (part: string, from: number, isDecoded: boolean) => {
		result.text += part;
		for (let at = 0; at < part.length; at++) result.origin.push(origin[isDecoded ? from : from + at]!);
	};
	let end = 0;
	for (const { 0: match, index } of text.matchAll(written)) {
		add(text.slice(end, index), end, false);
		add(decode(match), index, true);
		end = index + match.length;
	}
	add(text.slice(end), end, false);
	result.origin.push(origin[text.length]!);
	return result;
}

/** Notes in `hidden`, a flag for each character that was given, where a secret stands. */
function hide(secret: string, { text, origin }: Reading, hidden: Uint8Array): void {
	for (let at = text.indexOf(secret); at !== -1; at = text.indexOf(secret, at + secret.length)) {
		hidden.fill(1, origin[at], origin[at + secret.length]);
	}
}

/** The text with three asterisks for each run of hidden characters. */
function covered(text: string, hidden: Uint8Array): string {
	let result = '';
	for (let start = 0; start < text.length; ) {
		const isHidden = hidden[start] === 1;
		const next = hidden.indexOf(isHidden ? 0 : 1, start);
		const end = next === -1 ? text.length : next;
		result += isHidden ? '***' : text.slice(start, end);
		start = end;
	}
	return result;
}
