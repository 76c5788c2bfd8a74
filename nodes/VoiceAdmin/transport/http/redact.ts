/** Minimum length of a secret that is looked for: a shorter one would cut words in half and gives little away. */
const MIN_SECRET = 4;

/** Longest encoding of one character of a secret, in characters: `&#x0020AC;`. */
const MAX_ENCODED = 10;

/** A text that was decoded. */
interface DecodedText {
	text: string;
	/** For each character of `text`, and for its end, where it begins in the text that was given. */
	origin: number[];
}

/** One encoding of characters. */
interface Decoding {
	/** Matches one encoded character. Nothing in it repeats without bound: what is decoded comes from outside. */
	pattern: RegExp;
	decode: (encoded: string) => string;
}

const HTML: Decoding = {
	pattern: /&(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9a-f]{1,6});/gi,
	decode: (encoded) => {
		const name = encoded.slice(1, -1).toLowerCase();
		const code = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
		const named = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }[name];
		return named ?? (code <= 0x10ffff ? String.fromCodePoint(code) : encoded);
	},
};

const JSON_STRING: Decoding = {
	pattern: /\\(?:u[0-9a-f]{4}|["\\/bfnrt])/gi,
	decode: (encoded) => {
		try {
			return JSON.parse(`"${encoded}"`) as string;
		} catch {
			return encoded;
		}
	},
};

const URL_ENCODED: Decoding = {
	// One character of one to four bytes in UTF-8.
	pattern: /%[0-7][0-9a-f]|%[cd][0-9a-f]%[89ab][0-9a-f]|%e[0-9a-f](?:%[89ab][0-9a-f]){2}|%f[0-7](?:%[89ab][0-9a-f]){3}/gi,
	decode: (encoded) => {
		try {
			return decodeURIComponent(encoded);
		} catch {
			return encoded;
		}
	},
};

const FORM_SPACE: Decoding = { pattern: /\+/g, decode: () => ' ' };

/** The encodings in which a service or a proxy may repeat a text, one within another, outermost first. */
const ENCODINGS: Decoding[][] = [[], [HTML], [JSON_STRING], [HTML, JSON_STRING]].flatMap((outer) => [
	outer,
	[...outer, URL_ENCODED],
	[...outer, FORM_SPACE, URL_ENCODED],
]);

/**
 * Replaces secrets in a text that came from outside with `***`, as a service or a proxy may repeat what it was sent: as it
 * is, or encoded as HTML, JSON, URL or form, one within another. The text is decoded and searched, as there are too many
 * encodings to list. Redact before cutting to length: the beginning of a token would not be recognized.
 */
export function redact(text: string, given: string[]): string {
	// Also as a service writes a key that was pasted with white space around it.
	const secrets = [...new Set(given.flatMap((secret) => [secret, secret.trim()]))].filter(({ length }) => length >= MIN_SECRET);
	const asGiven: DecodedText = { text, origin: Array.from({ length: text.length + 1 }, (_, at) => at) };
	const hidden = new Uint8Array(text.length);
	for (const decodings of ENCODINGS) {
		// Without such an encoding in it, the text has been searched already.
		if (!decodings.every(({ pattern }) => text.search(pattern) !== -1)) continue;
		const decodedText = decodings.reduce(decoded, asGiven);
		for (const secret of secrets) hide(secret, decodedText, hidden);
	}
	return covered(text, hidden);
}

function decoded({ text, origin }: DecodedText, { pattern, decode }: Decoding): DecodedText {
	const result: DecodedText = { text: '', origin: [] };
	const add = (part: string, from: number) => {
		result.text += part;
		for (let at = from; at < from + part.length; at++) result.origin.push(origin[at]!);
	};
	let end = 0;
	for (const { 0: match, index } of text.matchAll(pattern)) {
		add(text.slice(end, index), end);
		add(decode(match), index);
		end = index + match.length;
	}
	add(text.slice(end), end);
	result.origin.push(origin[text.length]!);
	return result;
}

/** Marks where a secret stands in `hidden`, which has a flag for each character of the original text. */
function hide(secret: string, { text, origin }: DecodedText, hidden: Uint8Array): void {
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

/** Characters of a text from outside that are searched, beside the length of a secret: it may be 20 MB long. */
const MAX_SEARCHED = 4_000;

/** Makes a text from outside fit for an error: redacted, and no longer than `length`. */
export type Excerpt = (text: string, length: number) => string;

/** @param secrets the API key, and tokens that were sent */
export function excerptWithout(...secrets: string[]): Excerpt {
	const longest = MAX_ENCODED * Math.max(...secrets.map(({ length }) => length));
	return (text, length) => {
		const isCut = text.length > MAX_SEARCHED + longest;
		const redacted = redact(text.slice(0, MAX_SEARCHED + longest).trim(), secrets);
		// The beginning of a secret at the end of what was searched is not recognized.
		const shown = isCut ? redacted.slice(0, Math.max(0, redacted.length - longest)) : redacted;
		// Of a text that begins with thousands of blanks nothing is left to show.
		if (shown === '' || (shown.length <= length && !isCut)) return shown;
		return `${shown.slice(0, length).trimEnd()} … (${text.length} characters)`;
	};
}
