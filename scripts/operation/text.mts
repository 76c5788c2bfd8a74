const ACRONYM_LIST =
	'API BIC CDR CNAM CSV DDI DID DNS DSS DTMF FQDN HTTP HTTPS IBAN ICCID ID IMEI IMSI IP ISO IVR JSON KYC MMS MSISDN OTP ' +
	'PBX PDF PIN PUK SBC SID SIM SIP SKU SMS SRTP TLS UDP URI URL UUID VAT VoIP';
/** Words of telephony and billing with a spelling of their own. */
const ACRONYMS = new Map(ACRONYM_LIST.split(' ').map((word) => [word.toLowerCase(), word]));
/** Sentences of a description that say when or how to fill a field in. */
export const INSTRUCTION =
	/\b(?:must|only|at most|at least|maximum|minimum|required (?:if|when|for|unless)|ignored)\b/i;
/** Control and format characters, which nobody types, and which terminals and editors may interpret. */
const CONTROL_CHARACTER = /[\p{Cc}\p{Cf}]/u;

/** Splits a name such as `sipTrunkId`, `sip-trunk_id` or `SIPTrunk ID` into words, in lowercase ASCII. */
export function wordsOf(name: string): string[] {
	const ascii = name.slice(0, 200).normalize('NFD').replace(/\p{M}/gu, '');
	return ascii
		.replace(/VoIP|(?<![A-Z])[A-Z]{2,}s(?![a-z])/g, (word) => ` ${word.toLowerCase()} `)
		.replace(/([a-z0-9])([A-Z])/g, '$1 $2')
		.replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
		.toLowerCase()
		.split(/[^a-z0-9]+/)
		.filter((word) => word !== '');
}

const acronymOf = (word: string) => ACRONYMS.get(word) ?? ACRONYMS.get(word.replace(/s$/, ''))?.concat('s');

/** A label: `sip_trunk_id` is "SIP Trunk ID". */
export const toTitleCase = (words: string[]) => words.map((word) => acronymOf(word) ?? capitalize(word)).join(' ');

/** In a sentence: "SIP trunk ID". */
export const joinWords = (words: string[]) => words.map((word) => acronymOf(word) ?? word).join(' ');

/** A TypeScript name: `sipTrunkId`. @returns '' if the words have no letter */
export const toCamelCase = (words: string[]) =>
	words
		.map((word, index) => (index > 0 ? capitalize(word) : word))
		.join('')
		.replace(/^[0-9]+/, '');

export const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** The singular of a plural that only has an ending: "address", of "addresses". Also the infinitive of "creates". */
export function toSingular(word: string): string {
	if (ACRONYMS.has(word) || /(?:ss|us|is)$/.test(word)) return word;
	return word.replace(/ies$|(?<=ss|sh|ch|x)es$|s$/, (ending) => (ending === 'ies' ? 'y' : ''));
}

/** Whether n8n could evaluate a text as an expression, or a terminal interpret it. */
export const isUnsafe = (text: string) => text.startsWith('=') || text.includes('{{') || CONTROL_CHARACTER.test(text);

/** Quotes a text of the document in a message, without control characters. */
export const quote = (text = '') => JSON.stringify(text.slice(0, 80)).replace(/[\p{Cc}\p{Cf}]/gu, '?');

/** Adds the period that descriptions in the editor don't have. */
export const addPeriod = (sentence: string) => sentence.replace(/(?<![.!?…])$/, '.');

/** The sentences of a text of the document, as plain text: without markup, and without what n8n would evaluate. */
export function sentencesOf(text: unknown): string[] {
	if (typeof text !== 'string') return [];
	return text
		.slice(0, 4000)
		.split(/\n\s*\n|\n\s*(?=[-*•])|(?=<(?:br|p|li)\b)/i)
		.flatMap((paragraph) =>
			paragraph
				.replace(/<[^>]*>|[`*#|<>]|[\p{Cc}\p{Cf}]/gu, ' ')
				.replace(/\s+/g, ' ')
				// As n8n's lint rules want it.
				.replace(/\b[Ii]d(s?)\b/g, 'ID$1')
				.split(/(?<=[^.][^.][.!?]) (?=[A-Z])/),
		)
		.map((each) => capitalize(each.replace(/^[-•\s]+|[.:;,\s]+$/g, '')))
		.filter((each) => /\p{L}/u.test(each) && !isUnsafe(each) && !each.includes('}}'));
}

/** The first sentence, and those that say when or how to fill it in. Without a final period if it is one sentence. */
export function descriptionOf(text: unknown): string {
	const [firstSentence = '', ...otherSentences] = sentencesOf(text);
	const instructions = otherSentences.filter((each) => INSTRUCTION.test(each)).slice(0, 3);
	return instructions.length > 0 ? [firstSentence, ...instructions].map(addPeriod).join(' ') : firstSentence;
}
