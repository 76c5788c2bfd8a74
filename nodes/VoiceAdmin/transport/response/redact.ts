import { beginningOf } from '../../text';

/** Shorter secrets are not redacted: they would cut words apart, and reveal little. */
const MIN_SECRET_LENGTH = 4;

/** Only this many characters of a secret are compared. A service may issue long tokens. */
const HEAD_LENGTH = 64;

/** Longest encoding of one character of a secret, in characters: `&#x0020AC;`. */
const MAX_ENCODED_LENGTH = 10;

/** A URL in JSON in HTML takes three, a secret that looks encoded some more. */
const MAX_DECODINGS = 6;

/** One encoded character of HTML, JSON, a URL (one to four bytes in UTF-8) or a form. */
const ENCODED =
	/&(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9a-f]{1,6});|\\(?:u[0-9a-f]{4}|["\\/bfnrt])|%[0-7][0-9a-f]|%[cd][0-9a-f]%[89ab][0-9a-f]|%e[0-9a-f](?:%[89ab][0-9a-f]){2}|%f[0-7](?:%[89ab][0-9a-f]){3}|\+/gi;

const NAMED_CHARACTERS: Partial<Record<string, string>> = {
	'&amp;': '&',
	'&lt;': '<',
	'&gt;': '>',
	'&quot;': '"',
	'&apos;': "'",
	'\\b': '\b',
	'\\f': '\f',
	'\\n': '\n',
	'\\r': '\r',
	'\\t': '\t',
	'+': ' ',
};

/** The beginning of a secret, and how many characters to mask from there, at least. */
type SearchTerm = [head: string, length: number];

/**
 * Replaces secrets in a text from outside with `***`: a service or proxy may echo what it was sent, as is or in nested HTML, JSON, URL or
 * form encodings. As these are too many to list, text and secrets are decoded; if a secret appears only then, the result is decoded text.
 * Redact before changing white space or cutting the text: partial secrets are not recognized.
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

/** A secret's search terms, as is and decoded; only the beginning of a long one is decoded, as this runs for each error. */
function searchTermsOf(given: string): SearchTerm[] {
	const secret = given.trim();
	let head = secret.slice(0, HEAD_LENGTH * (MAX_ENCODED_LENGTH + 1));
	for (let times = 0; times < MAX_DECODINGS; times++) head = head.replace(ENCODED, decode);
	return [secret, head].map((each) => [
		each.slice(0, HEAD_LENGTH),
		secret.length > HEAD_LENGTH ? secret.length : each.length,
	]);
}

/** Doesn't throw for what can't be decoded: thousands of exceptions would block n8n. */
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

/** What ends a text in HTML, JSON or a sentence. */
const BREAK = /[\s"'<>,]/;

/**
 * Replaces each run of (maybe overlapping) terms with three asterisks; of a long secret, all that follows, too, as its
 * end may be encoded.
 */
function maskTerms(text: string, terms: SearchTerm[]): string {
	const isMasked = new Uint8Array(text.length);
	for (const [head, length] of terms) {
		for (let at = text.indexOf(head); at !== -1; at = text.indexOf(head, at + head.length)) {
			let end = at + length;
			while (length > HEAD_LENGTH && end < text.length && !BREAK.test(text[end]!)) end++;
			isMasked.fill(1, at, end);
		}
	}
	let result = '';
	for (let at = 0; at < text.length; at++) {
		if (isMasked[at] !== 1) result += text[at];
		else if (isMasked[at - 1] !== 1) result += '***';
	}
	return result;
}

/** Maximum characters of a text that are searched: the service chooses its length, and that of tokens. */
const MAX_SEARCHED = 4_000;

/** Prepares a text from outside for an error: redacted, formatted, and at most `length` characters long. */
export type Excerpt = (text: string, length: number, format?: (redacted: string) => string) => string;

/** @param secrets the API key, and tokens that were sent */
export function excerptWithout(...secrets: string[]): Excerpt {
	return (text, length, format = (redacted) => redacted) => {
		const isCut = text.length > MAX_SEARCHED;
		const redacted = redact(beginningOf(text, MAX_SEARCHED), secrets);
		// A secret that is cut off at the end of the searched part is not recognized: drop the end.
		const shown = format(isCut ? redacted.slice(0, -HEAD_LENGTH * MAX_ENCODED_LENGTH) : redacted).trim();
		// Nothing is left of a text that begins with thousands of blanks.
		if (shown === '' || (shown.length <= length && !isCut)) return shown;
		return `${shown.slice(0, length).trimEnd()} …`;
	};
}
