/** Maximum number of values in a JSON body, at whatever depth: they take up to 0.5 s to parse, in which n8n does nothing else. */
const MAX_VALUES = 250_000;

/** Maximum depth of JSON: n8n copies and stores items by recursion, and fails on what is nested without end. */
const MAX_JSON_DEPTH = 200;

/** What counts of a JSON text: its structure, and integers of this many digits, which may be beyond 2^53 − 1. */
const TOKEN = /[",[\]{}]|\b[1-9][0-9]{15}/g;
const NO_DIGIT = /[^0-9]/g;

/** As text, which compares with another of its length as a number does. */
const MAX_SAFE = String(Number.MAX_SAFE_INTEGER);

/**
 * Goes once through what stands outside of the strings of a JSON text.
 * @returns which limit it exceeds; or `json`, in which integers beyond ±(2^53 − 1) are strings: as numbers, JavaScript would round them
 */
export function scanJson(text: string): { exceededLimit?: string; json: string } {
	const parts: string[] = [];
	let [values, tokens, depth, copied] = [0, 0, 0, 0];
	TOKEN.lastIndex = 0;
	while (TOKEN.test(text)) {
		const at = TOKEN.lastIndex - 1;
		const token = text[at]!;
		if (token >= '0' && token <= '9') {
			const digits = TOKEN.lastIndex - MAX_SAFE.length;
			const end = digitsEnd(text, digits);
			const start = text[digits - 1] === '-' ? digits - 1 : digits;
			TOKEN.lastIndex = end;
			// Digits of a fraction or of an exponent, and a number that has one.
			if ('.eE+'.includes(text[start - 1] || ' ') || '.eE'.includes(text[end] || ' ')) continue;
			if (end - digits === MAX_SAFE.length && text.slice(digits, end) <= MAX_SAFE) continue;
			parts.push(text.slice(copied, start), text.slice(start, end));
			copied = end;
			continue;
		}
		tokens++;
		if (token === '"') TOKEN.lastIndex = stringEnd(text, at) + 1;
		else if (token === ']' || token === '}') depth--;
		else values++;
		if ((token === '[' || token === '{') && ++depth > MAX_JSON_DEPTH) return { exceededLimit: `${MAX_JSON_DEPTH} levels of JSON`, json: '' };
		// A value has at most a name, a string, two brackets and a comma.
		if (values >= MAX_VALUES || tokens > 5 * MAX_VALUES) return { exceededLimit: `${MAX_VALUES.toLocaleString('en-US')} JSON values`, json: '' };
	}
	return { json: [...parts, text.slice(copied)].join('"') };
}

/** By a pattern, as digits may go on for 25 MB. */
function digitsEnd(json: string, start: number): number {
	NO_DIGIT.lastIndex = start;
	return NO_DIGIT.test(json) ? NO_DIGIT.lastIndex - 1 : json.length;
}

/** Where the string ends that begins at `start`, or the text, if it is cut off. */
function stringEnd(json: string, start: number): number {
	const quote = json.indexOf('"', start + 1);
	if (quote === -1 || json[quote - 1] !== '\\') return quote === -1 ? json.length : quote;
	let end = start + 1;
	// By code, which is three times as fast.
	while (end < json.length && json.charCodeAt(end) !== 0x22) end += json.charCodeAt(end) === 0x5c ? 2 : 1;
	return Math.min(end, json.length);
}
