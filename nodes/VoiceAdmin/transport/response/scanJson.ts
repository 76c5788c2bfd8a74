/** Maximum values in a JSON body, at any depth: parsing them blocks n8n for up to 0.5 s. */
const MAX_VALUES = 250_000;

/** n8n copies and stores items recursively, and fails on very deep ones. */
const MAX_JSON_DEPTH = 200;

/** Structural characters, and integers of at least 16 digits, which may exceed 2^53 − 1. */
const TOKEN = /[",[\]{}]|\b[1-9][0-9]{15}/g;
const NO_DIGIT = /[^0-9]/g;

/** As text: texts of equal length compare as numbers do. */
const MAX_SAFE = String(Number.MAX_SAFE_INTEGER);

/**
 * Scans a JSON text once, outside its strings.
 * @returns the limit that it exceeds; or `json` with integers beyond ±(2^53 − 1) as strings, as JavaScript would round the numbers
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
			// Part of a fraction or an exponent, or followed by one.
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
		if ((token === '[' || token === '{') && ++depth > MAX_JSON_DEPTH)
			return { exceededLimit: `${MAX_JSON_DEPTH} levels of JSON`, json: '' };
		// A value has at most a name, a string, two brackets and a comma.
		if (values >= MAX_VALUES || tokens > 5 * MAX_VALUES)
			return { exceededLimit: `${MAX_VALUES.toLocaleString('en-US')} JSON values`, json: '' };
	}
	return { json: [...parts, text.slice(copied)].join('"') };
}

/** By a pattern, as there may be 25 MB of digits. */
function digitsEnd(json: string, start: number): number {
	NO_DIGIT.lastIndex = start;
	return NO_DIGIT.test(json) ? NO_DIGIT.lastIndex - 1 : json.length;
}

/** The end of the string that begins at `start`; of the text, if it is cut off. */
function stringEnd(json: string, start: number): number {
	const quote = json.indexOf('"', start + 1);
	if (quote === -1 || json[quote - 1] !== '\\') return quote === -1 ? json.length : quote;
	let end = start + 1;
	// By character code, which is three times as fast.
	while (end < json.length && json.charCodeAt(end) !== 0x22) end += json.charCodeAt(end) === 0x5c ? 2 : 1;
	return Math.min(end, json.length);
}
