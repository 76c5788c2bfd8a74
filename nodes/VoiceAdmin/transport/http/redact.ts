/** Minimum length of a secret that is looked for: a shorter one would cut words in half and gives little away. */
const MIN_SECRET_LENGTH = 4;

/** Only this many characters of a secret are compared, and what begins with them is hidden for its length: a service may choose a long token. */
const HEAD_LENGTH = 64;

/** Longest encoding of one character of a secret, in characters: `&#x0020AC;`. */
const MAX_ENCODED_LENGTH = 10;

/** How often a text is decoded: a URL in JSON in HTML takes three times, a secret that looks like an encoded text some more. */
const MAX_DECODINGS = 6;

/** One encoded character of HTML, JSON, a URL (one to four bytes in UTF-8) or a form. */
const ENCODED =
	/&(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9a-f]{1,6});|\\(?:u[0-9a-f]{4}|["\\/bfnrt])|%[0-7][0-9a-f]|%[cd][0-9a-f]%[89ab][0-9a-f]|%e[0-9a-f](?:%[89ab][0-9a-f]){2}|%f[0-7](?:%[89ab][0-9a-f]){3}|\+/gi;

const NAMED_CHARACTERS: Partial<Record<string, string>> = {
	...{ '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'" },
	...{ '\\b': '\b', '\\f': '\f', '\\n': '\n', '\\r': '\r', '\\t': '\t', '+': ' ' },
};

/** The beginning of a secret, and how many characters are hidden from there on. */
type SearchTerm = [head: string, length: number];

/**
 * Replaces secrets in a text that came from outside with `***`, as a service or a proxy may repeat what it was sent: as it
 * is, or encoded as HTML, JSON, URL or form, one within another. As there are too many encodings to list, text and secrets
 * are both decoded; where a secret is found only then, the whole text is given decoded. Redact before white space is changed
 * or the text is cut: what is left would not be recognized.
 */
export function redact(text: string, secrets: string[]): string {
	const terms = secrets.flatMap(searchTermsOf).filter(([head]) => head.length >= MIN_SECRET_LENGTH);
	let shown = text;
	for (let decoded = text, masked = '', times = 0; times <= MAX_DECODINGS && decoded !== masked; times++) {
		masked = maskTerms(decoded, terms);
		if (masked !== decoded) shown = masked;
		decoded = masked.replace(ENCODED, decode);
	}
	return shown;
}

/** What is looked for of a secret, as it is and decoded; of a long one not all is decoded, as this is done for each error. */
function searchTermsOf(given: string): SearchTerm[] {
	const secret = given.trim();
	let head = secret.slice(0, HEAD_LENGTH * (MAX_ENCODED_LENGTH + 1));
	for (let times = 0; times < MAX_DECODINGS; times++) head = head.replace(ENCODED, decode);
	return [secret, head].map((each) => [each.slice(0, HEAD_LENGTH), secret.length > HEAD_LENGTH ? secret.length : each.length]);
}

/** Without an exception for what cannot be decoded: thousands of them would hold n8n up. */
function decode(encoded: string): string {
	const named = NAMED_CHARACTERS[encoded.toLowerCase()];
	if (named !== undefined) return named;
	if (encoded.startsWith('%')) {
		if (encoded.length === 3) return String.fromCharCode(Number(`0x${encoded.slice(1)}`));
		const bytes = Buffer.from(encoded.replaceAll('%', ''), 'hex').toString();
		return bytes.includes('\ufffd') ? encoded : bytes;
	}
	if (encoded.length === 2) return encoded.slice(1);
	const digits = encoded.replace(/^&#|;$|^\\u/gi, '');
	const code = encoded.startsWith('\\') ? Number(`0x${digits}`) : Number(digits.replace(/^x/i, '0x'));
	return code <= 0x10ffff ? String.fromCodePoint(code) : encoded;
}

/** The text with three asterisks for each run of characters of secrets, which may overlap. */
function maskTerms(text: string, terms: SearchTerm[]): string {
	const isMasked = new Uint8Array(text.length);
	for (const [head, length] of terms) {
		for (let at = text.indexOf(head); at !== -1; at = text.indexOf(head, at + head.length)) isMasked.fill(1, at, at + length);
	}
	let result = '';
	for (let at = 0; at < text.length; at++) {
		if (isMasked[at] !== 1) result += text[at];
		else if (isMasked[at - 1] !== 1) result += '***';
	}
	return result;
}

/** Characters of a text from outside that are searched, whatever the length of a secret: either may be chosen by the service. */
const MAX_SEARCHED = 4_000;

/** Makes a text from outside fit for an error: redacted, then made readable by `format`, and no longer than `length`. */
export type Excerpt = (text: string, length: number, format?: (redacted: string) => string) => string;

/** @param secrets the API key, and tokens that were sent */
export function excerptWithout(...secrets: string[]): Excerpt {
	return (text, length, format = (redacted) => redacted) => {
		const isCut = text.length > MAX_SEARCHED;
		const redacted = redact(text.slice(0, MAX_SEARCHED), secrets);
		// At the end of what was searched, the beginning of a secret is not recognized.
		const shown = format(isCut ? redacted.slice(0, -HEAD_LENGTH * MAX_ENCODED_LENGTH) : redacted).trim();
		// Of a text that begins with thousands of blanks nothing is left to show.
		if (shown === '' || (shown.length <= length && !isCut)) return shown;
		return `${shown.slice(0, length).trimEnd()} …`;
	};
}
